// The OpenAPI document is valid, complete and correct; a client generated from it compiles and works.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { generateSource } from 'oazapfts';
import { afterAll, expect, test } from 'vitest';
import { brandCode, freshText, number, sender } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { checkerOf } from '../contract/check.ts';
import { projectRoot } from '../db/version.ts';
import { type StatusCode, statusTexts } from '../status.ts';
import { messageEvents } from '../webhooks/events.ts';
import { exampleBody } from '../webhooks/payload.ts';
import { requestSchema } from './envelope-contract.ts';
import { codesOf, jsonPath, openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';
import { webhooks } from './webhook-contract.ts';

const app = await testApp({ publicUrl: 'https://sms.example.com' });
afterAll(() => app.close());
const document = await fetchDocument();

type Post = {
  operationId: string;
  deprecated?: boolean;
  requestBody: { content: { 'application/json': { example: unknown } } };
  responses: Record<string, { description: string; content: { 'application/json': { example: unknown } } }>;
};
type Document = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, { post: Post }>;
  webhooks: Record<string, unknown>;
};

async function fetchDocument(): Promise<Document> {
  const answer = await fetch(`${app.url}/openapi.json`);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return (await answer.json()) as Document;
}

test('the document is valid OpenAPI 3.1 and names the configured address', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(document.servers).toEqual([{ url: 'https://sms.example.com' }]);
  expect(openApiDocument({ baseUrl: 'http://a', version: '1' })['servers']).toEqual([{ url: 'http://a' }]);
});

test('every operation is there under every path, with every code, its Turkish text and an example', () => {
  expect(Object.keys(document.paths)).toEqual(
    operations.flatMap(({ path, aliases = [] }) => [path, ...aliases].map(jsonPath)),
  );
  for (const operation of operations) {
    const { post } = document.paths[jsonPath(operation.path)]!;
    expect(Object.keys(post.responses).map(Number)).toEqual(codesOf(operation));
    for (const [code, { description, content }] of Object.entries(post.responses)) {
      expect(description).toBe(statusTexts[Number(code) as StatusCode]);
      expect(content['application/json'].example).toMatchObject({ response: { status: { code: Number(code) } } });
    }
    for (const alias of operation.aliases ?? []) expect(document.paths[jsonPath(alias)]!.post.deprecated).toBe(true);
  }
});

test('the example of every request is what its schema says', () => {
  for (const operation of operations) {
    const { example } = document.paths[jsonPath(operation.path)]!.post.requestBody.content['application/json'];
    expect([operation.name, checkerOf(requestSchema(operation))(example)]).toEqual([operation.name, null]);
  }
});

test('what is really posted to webhooks is what their schemas say', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(webhooks));
  for (const event of messageEvents) expect(checkerOf(webhooks.report.body)(exampleBody(event))).toBeNull();
  for (const { body, example } of Object.values(webhooks)) expect(checkerOf(body)(example)).toBeNull();
});

const usage = `
import * as peyk from './client.ts';
export async function journey(baseUrl: string, authentication: peyk.Authentication, text: string, number: string) {
  peyk.defaults.baseUrl = baseUrl;
  const message = { text, receipents: { number: [number] } };
  const sent = await peyk.sendSms({ request: { authentication, order: { sender: '${sender}', message } } }, { idempotencyKey: text });
  if (sent.status !== 200) throw new Error(sent.data.response.status.message);
  const id: string = sent.data.response.order.id;
  const report = await peyk.getReport({ request: { authentication, order: { id } } });
  const refused = await peyk.cancelOrder({ request: { authentication, order: { id } } });
  const balance = await peyk.getBalance({ request: { authentication } });
  return {
    total: report.status === 200 ? report.data.response.order.total : null,
    refused: refused.status === 455 ? refused.data.response.status.message : null,
    sms: balance.status === 200 ? balance.data.response.balance.sms : null,
  };
}
`;
const misuse = `
import * as peyk from './client.ts';
export const wrong: peyk.SendSmsRequest = { request: { authentication: { key: '', hash: '' }, order: { sender: 5 } } };
`;

test('a client generated from the document compiles, refuses wrong use, and works against the server', async () => {
  // The client lies below the project, so that it finds its runtime packages.
  const folder = temporaryFolder(join(projectRoot(), 'artifacts'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  writeFileSync(join(folder, 'client.ts'), await generateSource(file));
  writeFileSync(join(folder, 'usage.ts'), usage);
  await compile(folder, 'usage.ts');
  const account = await app.open({ senders: [sender], brands: [brandCode] });
  const { journey } = (await import(pathToFileURL(join(folder, 'out', 'usage.js')).href)) as {
    journey(...given: unknown[]): Promise<unknown>;
  };
  const { key, hash } = account;
  expect(await journey(app.url, { key, hash }, freshText(), number())).toEqual({
    total: 1,
    refused: statusTexts[455],
    sms: 99,
  });
  writeFileSync(join(folder, 'misuse.ts'), misuse);
  await expect(compile(folder, 'misuse.ts')).rejects.toThrow();
});

async function compile(folder: string, file: string): Promise<void> {
  mkdirSync(join(folder, 'out'), { recursive: true });
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(projectRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]);
}
