// The interface for importers of automation tools (Make, Zapier, office connectors): OpenAPI 3.0, which all of them read, one
// spelling for each value, no unions, key and hash as HTTP Basic. Generated from the operation table, like the full document.
import { about, type TObject, Type } from '../contract/type.ts';
import { usualForm } from '../contract/usual.ts';
import { statusTexts } from '../status.ts';
import { closeEnvelope } from './envelope.ts';
import { exampleAnswers } from './example-answers.ts';
import { camelCase, type DocumentFacts, idempotencyKey, jsonPath, sampleFacts } from './openapi.ts';
import { type Operation, operations } from './operations.ts';
import { exampleBody } from './snippets.ts';

type Json = Record<string, unknown>;

export function plainOpenApi({ baseUrl, version }: DocumentFacts): Json {
  return {
    openapi: '3.0.3',
    info: {
      title: 'Peyk',
      version,
      license: { name: 'MIT' },
      description: 'Bulk SMS in Turkey. Times are Turkey local time; status texts are Turkish.',
    },
    servers: [{ url: baseUrl }],
    security: [{ keyAndHash: [] }],
    paths: Object.fromEntries(operations.map(one => [jsonPath(one.path), { post: postOf(one) }])),
    components: {
      securitySchemes: {
        keyAndHash: { type: 'http', scheme: 'basic', description: 'User: the API key. Password: the API hash.' },
      },
    },
  };
}

function postOf(operation: Operation): Json {
  const { authentication: _, ...members } = exampleBody(operation.name, sampleFacts).request;
  return {
    operationId: camelCase(operation.name),
    summary: operation.en,
    description: operation.tr,
    ...(operation.name === 'send-sms' ? { parameters: [plainly(idempotencyKey)] } : {}),
    requestBody: { required: true, content: json(Type.Object({ request: operation.request }), { request: members }) },
    responses: {
      200: {
        description: statusTexts[200],
        content: json(envelopeOf(operation.answer), closeEnvelope(200, exampleAnswers[operation.name])),
      },
      default: {
        description: 'Refused; the HTTP status is the code',
        content: json(envelopeOf(null), closeEnvelope(401)),
      },
    },
  };
}

function envelopeOf(answer: TObject | null): TObject {
  const code = Type.Integer({ ...about('200, or why it was refused', '200 ya da neden reddedildiği') });
  const status = Type.Object({ code, message: Type.String() });
  return Type.Object({ response: Type.Object({ status, ...answer?.properties }) });
}

function json(schema: TObject, example: unknown): Json {
  const usual = usualForm(schema);
  return { 'application/json': { schema: plainly(usual), example: inForm(usual, example) } };
}

type Form = { type?: string; items?: Form; properties?: Record<string, Form> };

/** The full document writes some example numbers as strings, which are also accepted; this one uses a single spelling. */
function inForm({ type, items = {}, properties = {} }: Form, example: unknown): unknown {
  if (Array.isArray(example)) return example.map(one => inForm(items, one));
  if (typeof example === 'object' && example !== null)
    return Object.fromEntries(
      Object.entries(example).map(([name, one]) => [name, inForm(properties[name] ?? {}, one)]),
    );
  return type === 'integer' && typeof example === 'string' ? Number(example) : example;
}

/** As OpenAPI 3.0 requires: one example, a type beside every enum, no extensions of ours. */
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== 'object' || value === null) return value;
  const { examples, ...rest } = value as Json & { examples?: unknown[]; enum?: unknown[] };
  const own = Object.entries(rest).filter(([name]) => !name.startsWith('x-'));
  return {
    ...(rest.enum && rest['type'] === undefined
      ? { type: typeof rest.enum[0] === 'number' ? 'integer' : 'string' }
      : {}),
    ...Object.fromEntries(own.map(([name, one]) => [name, plainly(one)])),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
  };
}
