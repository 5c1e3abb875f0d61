// The text of src/wire.ts: paths, codes, limits and types of every operation, from the server's own table. A test compares
// it with the file, and `npx vitest run packages/client/generate -u` writes it anew.

import { codesOf, jsonPath } from '../../../src/api/openapi.ts';
import { operations } from '../../../src/api/operations.ts';
import { webhooks } from '../../../src/api/webhook-contract.ts';
import { isOptional, type TObject, type TSchema } from '../../../src/contract/type.ts';
import { isUsual } from '../../../src/contract/usual.ts';
import { limits } from '../../../src/limits.ts';
import { statusTexts } from '../../../src/status.ts';

type Parts = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  additionalProperties?: TSchema;
  description?: string;
};

const head = `// Made of the server's operation table by generate/wire-text.ts; not written by hand.
`;

export function wireText(): string {
  return [
    head,
    constant('operations', Object.fromEntries(operations.map(one => [one.name, placeOf(one)]))),
    'export type OperationName = keyof typeof operations;\n',
    `/** Every code that may be answered, with its text. */\n${constant('statusTexts', statusTexts)}`,
    'export type StatusCode = keyof typeof statusTexts;',
    'export type ErrorCode = Exclude<StatusCode, 200>;\n',
    constant('limits', limitsOfClients()),
    ...operations.flatMap(one => [
      `/** ${one.en} */\nexport type ${pascalCase(one.name)}Request = ${typeOf(one.request, '')};`,
      `export type ${pascalCase(one.name)}Answer = ${one.answer ? typeOf(one.answer, '') : 'Record<never, never>'};\n`,
    ]),
    tableOf('Requests', 'Request'),
    tableOf('Answers', 'Answer'),
    ...Object.entries(webhooks).map(
      ([name, { en, body }]) =>
        `/** ${en} */\nexport type ${pascalCase(name)}Event = ${typeOf(body as TObject, '')};\n`,
    ),
    `export type WebhookEvent = ${Object.keys(webhooks)
      .map(name => `${pascalCase(name)}Event`)
      .join(' | ')};\n`,
  ].join('\n');
}

function placeOf(operation: (typeof operations)[number]) {
  return { path: jsonPath(operation.path), codes: codesOf(operation).filter(code => code !== 200) };
}

function limitsOfClients() {
  const { recipientsPerOrder, consentsPerRequest, rowsPerPage, ordersPerPage, reportRangeDays, bodyBytes } = limits;
  return { recipientsPerOrder, consentsPerRequest, rowsPerPage, ordersPerPage, reportRangeDays, bodyBytes };
}

function constant(name: string, value: object): string {
  const rows = Object.entries(value).map(([key, one]) => `  ${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(one)},`);
  return `export const ${name} = {\n${rows.join('\n')}\n} as const;\n`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${literal(one)}`)
    .join(', ')} }`;
}

function tableOf(name: string, kind: string): string {
  const rows = operations.map(one => `  '${one.name}': ${pascalCase(one.name)}${kind};`);
  return `export type ${name} = {\n${rows.join('\n')}\n};\n`;
}

function typeOf(schema: TSchema, indent: string): string {
  const { type, enum: values, anyOf, items, properties, additionalProperties, ...rest } = schema as Parts;
  if ('const' in rest) return JSON.stringify(rest.const);
  if (values) return values.map(value => JSON.stringify(value)).join(' | ');
  if (anyOf) return [...new Set(anyOf.filter(isUsual).map(one => typeOf(one, indent)))].join(' | ');
  if (items) return listOf(typeOf(items, indent));
  if (additionalProperties) return `Record<string, ${typeOf(additionalProperties, indent)}>`;
  if (properties) return objectOf(properties, indent);
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

const listOf = (item: string) => (/[|{]/.test(item) ? `(${item})[]` : `${item}[]`);

function objectOf(properties: Record<string, TSchema>, indent: string): string {
  const deeper = `${indent}  `;
  const rows = Object.entries(properties).flatMap(([name, schema]) => {
    const { description } = schema as Parts;
    const note = description ? [`${deeper}/** ${description} */`] : [];
    return [...note, `${deeper}${name}${isOptional(schema) ? '?' : ''}: ${typeOf(schema, deeper)};`];
  });
  return rows.length === 0 ? 'Record<never, never>' : `{\n${rows.join('\n')}\n${indent}}`;
}

const pascalCase = (name: string) =>
  name.replace(/(^|-)([a-z])/g, (_whole, _dash, letter: string) => letter.toUpperCase());
