// The tools of an assistant: the operation table, each with its usual form as schema, and hints about its effect.
// Sending takes two tools: a preview with the price, which a person can agree to, and sending with the confirmation
// that the preview returned.

import { codesOf } from '../api/openapi.ts';
import { type Operation, operations } from '../api/operations.ts';
import { previewAnswer, previewOperation } from '../api/preview.ts';
import type { TObject } from '../contract/type.ts';
import { usualForm } from '../contract/usual.ts';
import { type StatusCode, statusTexts } from '../status.ts';

type JsonObject = Record<string, unknown> & { type: 'object'; properties: Record<string, Record<string, unknown>> };
type Hints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

export type Tool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: Hints;
  operation: Operation;
};

const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const changes: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

// Operations that are not listed only read.
const hintsOf: Record<string, Hints> = {
  'send-sms': { ...changes, openWorldHint: true },
  'cancel-order': changes,
  'add-blacklist': { ...changes, destructiveHint: false, idempotentHint: true },
  'delete-blacklist': changes,
  'iys-register': { ...changes, openWorldHint: true },
};

/** A page of a thousand rows is too much for a conversation. */
export const rowsUnlessAsked = 50;

const toolName = (operation: string) => operation.replaceAll('-', '_');

function toolOf(operation: Operation): Tool {
  const answer = operation === previewOperation ? previewAnswer : operation.answer;
  return {
    name: toolName(operation.name),
    description: [operation.en, noteOf(operation), `Refuses with: ${refusalsOf(operation)}.`].filter(Boolean).join(' '),
    inputSchema: inputOf(operation),
    outputSchema: outputOf(operation, answer),
    annotations: hintsOf[operation.name] ?? reads,
    operation,
  };
}

const notes: Record<string, string> = {
  'send-sms':
    'Needs `confirmation` from preview_sms of exactly this order: show the person its text, recipients and price, and send only when they agree.',
  'preview-sms': 'Its `confirmation` is good for ten minutes and for this order alone.',
};

const noteOf = ({ name }: Operation) => notes[name] ?? '';

function refusalsOf(operation: Operation): string {
  const own = codesOf(operation).filter((code): code is StatusCode => operation.codes.includes(code) || code === 401);
  return own.map(code => `${code} ${statusTexts[code].replace(/\.$/, '')}`).join(', ');
}

const confirmation = { type: 'string', description: 'of preview_sms, for exactly this order' };

function inputOf(operation: Operation): JsonObject {
  const schema = usualForm(operation.request) as JsonObject;
  for (const { properties } of Object.values(schema.properties) as Partial<JsonObject>[])
    if (properties?.['rowCount']) properties['rowCount']['default'] = rowsUnlessAsked;
  if (operation.name !== 'send-sms') return schema;
  return {
    ...schema,
    properties: { ...schema.properties, confirmation },
    required: ['order', 'confirmation'],
  } as JsonObject;
}

function outputOf(operation: Operation, answer: TObject | null): JsonObject {
  if (!answer) return { type: 'object', properties: {} };
  const schema = plain(answer) as JsonObject;
  if (operation !== previewOperation) return schema;
  const until = { type: 'string', description: 'Turkey local time' };
  return { ...schema, properties: { ...schema.properties, confirmation: { type: 'string' }, until } } as JsonObject;
}

/** Removes members that only our own pages read. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-') ? undefined : value)));
}

export const tools: Tool[] = [previewOperation, ...operations].map(toolOf);
