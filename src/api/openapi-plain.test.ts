// What importers of automation tools need in the document; calls made by it work.
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, expect, test } from 'vitest';
import { brandCode, sender, validMembers } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { codesOf } from './openapi.ts';
import { operations } from './operations.ts';

const app = await testApp();
afterAll(() => app.close());

type Post = {
  operationId: string;
  security?: unknown;
  requestBody: { content: { 'application/json': { example: object } } };
};
const text = await (await fetch(`${app.url}/openapi-3.0.json`)).text();
const document = JSON.parse(text) as {
  openapi: string;
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Record<string, Post>>;
};

test('it is valid OpenAPI 3.0 with one server, one security scheme, and nothing that importers stumble over', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  expect([document.openapi, document.servers, document.security]).toEqual([
    '3.0.3',
    [{ url: app.url }],
    [{ keyAndHash: [] }],
  ]);
  expect(text).not.toMatch(/"(anyOf|oneOf|const|\$ref|x-[^"]*|webhooks|patternProperties)":|"type":"null"|"type":\[/);
  const ids = Object.values(document.paths).flatMap(one => Object.values(one).map(post => post.operationId));
  expect(new Set(ids).size).toBe(operations.length);
});

type Form = { type?: string; items?: Form; properties?: Record<string, Form>; required?: string[]; enum?: unknown[] };
type Content = { 'application/json': { schema: Form; example: unknown } };

/** Lists examples that do not match their schema. */
function misfits(form: Form, value: unknown, at: string): string[] {
  if (form.enum && !form.enum.includes(value)) return [at];
  if (form.type === 'array')
    return Array.isArray(value) ? value.flatMap((one, i) => misfits(form.items ?? {}, one, `${at}/${i}`)) : [at];
  if (form.type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at];
    const missing = (form.required ?? []).filter(name => !Object.hasOwn(value, name)).map(name => `${at}/${name}`);
    const known = form.properties ?? {};
    const inside = Object.entries(value).flatMap(([name, one]) => misfits(known[name] ?? {}, one, `${at}/${name}`));
    return [...missing, ...inside];
  }
  if (form.type === 'integer') return Number.isInteger(value) ? [] : [at];
  return form.type && typeof value !== form.type ? [at] : [];
}

test('each example is what its schema says', () => {
  expect(misfits({ type: 'object', properties: { a: { type: 'integer' } } }, { a: '1' }, '')).toEqual(['/a']);
  const found = Object.entries(document.paths).flatMap(([path, { post: said }]) => {
    const { requestBody, responses } = said as unknown as {
      requestBody: { content: Content };
      responses: Record<string, { content: Content }>;
    };
    return [requestBody, ...Object.values(responses)].flatMap(({ content }) =>
      misfits(content['application/json'].schema, content['application/json'].example, path),
    );
  });
  expect(found).toEqual([]);
});

const account = await app.open({ senders: [sender], brands: [brandCode] });
const basic = (hash: string) => `Basic ${Buffer.from(`${account.key}:${hash}`).toString('base64')}`;
const post = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('every operation is understood as its example writes it, with key and hash as Basic', async () => {
  for (const [index, [path, { post: said }]] of Object.entries(document.paths).entries()) {
    const { example } = said!.requestBody.content['application/json'];
    const answer = await post(path, example, { authorization: basic(account.hash) });
    const own = codesOf(operations[index]!).filter(code => code !== 400 && code !== 401);
    expect(own, path).toContain(answer.status);
  }
  const balance = { request: validMembers('get-balance', '') };
  const bearer = await post('/v1/get-balance/json', balance, {
    authorization: `Bearer ${account.key}:${account.hash}`,
  });
  expect(bearer.status).toBe(200);
});

test('credentials of the header are judged as those of the body, which go first, and are no other site’s to use', async () => {
  const members = validMembers('get-balance', '');
  const good = { authentication: { key: account.key, hash: account.hash } };
  const tries: [object, Record<string, string>, number][] = [
    [{}, {}, 401],
    [{}, { authorization: basic('wrong') }, 401],
    [{}, { authorization: 'Basic !!!' }, 401],
    [{}, { authorization: basic(account.hash), 'sec-fetch-site': 'cross-site' }, 401],
    [{ authentication: { key: account.key, hash: 'wrong' } }, { authorization: basic(account.hash) }, 401],
    [good, { authorization: basic('wrong') }, 200],
  ];
  for (const [more, headers, status] of tries)
    expect((await post('/v1/get-balance/json', { request: { ...members, ...more } }, headers)).status).toBe(status);
  const large = { request: { padding: 'x'.repeat(100_000) } };
  expect((await post('/v1/get-balance/json', large, { authorization: basic(account.hash) })).status).toBe(200);
});
