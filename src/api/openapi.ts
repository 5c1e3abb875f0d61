// The OpenAPI 3.1 document of the v1 interface, generated from the operation table. Descriptions are English;
// `x-description-tr` beside each holds the Turkish.
import { about, type TSchema, Type } from '../contract/type.ts';
import { type StatusCode, statusTexts } from '../status.ts';
import { closeEnvelope } from './envelope.ts';
import { authentication, refusalSchema, requestSchema, successSchema } from './envelope-contract.ts';
import { exampleAnswers } from './example-answers.ts';
import { commonCodes, type Operation, operations } from './operations.ts';
import { exampleBody } from './snippets.ts';
import { webhookHeaders, webhooks } from './webhook-contract.ts';

type Json = Record<string, unknown>;

export type DocumentFacts = { baseUrl: string; version: string };

export function openApiDocument({ baseUrl, version }: DocumentFacts): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Peyk',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      ...about(
        'Bulk SMS. Every operation is one POST with key and hash in its body. The HTTP status equals `response.status.code`; status texts are Turkish.',
        "Toplu SMS. Her işlem, anahtar ve hash'i gövdesinde taşıyan bir POST'tur. HTTP durumu `response.status.code` ile aynıdır; durum metinleri Türkçedir.",
      ),
    },
    servers: [{ url: baseUrl }],
    // Credentials are members of the body, which no security scheme can describe.
    security: [],
    tags: tags.map(({ name, ...note }) => ({ name, ...about(note.en, note.tr) })),
    paths: Object.fromEntries(operations.flatMap(pathsOf)),
    webhooks: Object.fromEntries(Object.keys(webhooks).map(name => [name, webhookItem(name as keyof typeof webhooks)])),
    components: { schemas: componentsOf() },
  };
}

const tags = [
  { name: 'orders', en: 'Sending and its reports', tr: 'Gönderim ve raporları', of: /sms|order|report/ },
  { name: 'account', en: 'Credit and sender IDs', tr: 'Kredi ve başlıklar', of: /balance|sender/ },
  { name: 'blacklist', en: 'Blacklist', tr: 'Kara liste', of: /blacklist/ },
  { name: 'consent', en: 'Consent registry (İYS)', tr: 'İleti Yönetim Sistemi (İYS)', of: /^iys/ },
  { name: 'inbox', en: 'Inbound messages', tr: 'Gelen iletiler', of: /inbox/ },
];

export const jsonPath = (path: string) => `/v1/${path}/json`;

function pathsOf(operation: Operation): [string, Json][] {
  const { path, aliases = [] } = operation;
  return [
    [jsonPath(path), { post: postOf(operation, camelCase(operation.name)) }],
    ...aliases.map((alias): [string, Json] => [
      jsonPath(alias),
      { post: { ...postOf(operation, camelCase(alias)), deprecated: true } },
    ]),
  ];
}

function postOf(operation: Operation, operationId: string): Json {
  const title = pascalCase(operation.name);
  return {
    operationId,
    tags: tags
      .filter(tag => tag.of.test(operation.name))
      .map(tag => tag.name)
      .slice(0, 1),
    summary: operation.en,
    'x-summary-tr': operation.tr,
    ...(operation.name === 'send-sms' ? { parameters: [idempotencyKey] } : {}),
    requestBody: {
      required: true,
      content: jsonContent(referenceTo(`${title}Request`), exampleBody(operation.name, sampleFacts)),
    },
    responses: Object.fromEntries(codesOf(operation).map(code => [code, responseOf(operation, code)])),
  };
}

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: Type.String({ minLength: 1, maxLength: 255 }),
  ...about(
    'The same key with the same body within 24 hours answers as the first call did and sends nothing again.',
    '24 saat içinde aynı anahtar ve aynı gövde ilk çağrının yanıtını verir, yeniden göndermez.',
  ),
};

// The brand is a number, so that the example matches its schema.
export const sampleFacts = { brand: 123456, mobile: '+905550000000' };

export function codesOf({ codes }: Pick<Operation, 'codes'>): StatusCode[] {
  return [...commonCodes, ...codes].sort((a, b) => a - b);
}

function responseOf(operation: Operation, code: StatusCode): Json {
  const schema = code === 200 ? `${pascalCase(operation.name)}Answer` : `Refusal${code}`;
  return {
    description: statusTexts[code],
    ...(code === 503 ? { headers: { 'Retry-After': { schema: Type.Integer() } } } : {}),
    content: jsonContent(
      referenceTo(schema),
      closeEnvelope(code, code === 200 ? exampleAnswers[operation.name] : undefined),
    ),
  };
}

function webhookItem(name: keyof typeof webhooks): Json {
  const { en, tr, body, example } = webhooks[name];
  return {
    post: {
      operationId: `${name}Webhook`,
      summary: en,
      'x-summary-tr': tr,
      parameters: Object.entries(webhookHeaders).map(([header, note]) => ({
        name: header,
        in: 'header',
        required: true,
        schema: Type.String(),
        ...note,
      })),
      requestBody: { required: true, content: jsonContent(body, example) },
      responses: {
        '2XX': about(
          'Taken. Anything else, or no answer in 10 seconds, is repeated.',
          'Alındı. Başka her yanıt ve 10 saniyede gelmeyen yanıt yinelenir.',
        ),
      },
    },
  };
}

function componentsOf(): Record<string, TSchema> {
  const credentials = referenceTo('Authentication');
  const codes = [...new Set(operations.flatMap(codesOf))].filter(code => code !== 200).sort((a, b) => a - b);
  return {
    Authentication: authentication,
    ...Object.fromEntries(operations.map(one => [`${pascalCase(one.name)}Request`, requestSchema(one, credentials)])),
    ...Object.fromEntries(operations.map(one => [`${pascalCase(one.name)}Answer`, successSchema(one)])),
    ...Object.fromEntries(codes.map(code => [`Refusal${code}`, refusalSchema(code)])),
  };
}

function referenceTo(component: string): TSchema {
  return { $ref: `#/components/schemas/${component}` } as TSchema;
}

function jsonContent(schema: TSchema, example: unknown): Json {
  return { 'application/json': { schema, example } };
}

function pascalCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_whole, _dash, letter: string) => letter.toUpperCase());
}

export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
