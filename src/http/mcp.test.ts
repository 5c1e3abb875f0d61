// Assistants, by the official clients of both ages of the protocol, over HTTP and over standard input and output.
import { join } from 'node:path';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, expect, test } from 'vitest';
import { number, numbers, sender, shown } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { createKey, limitKey } from '../accounts/api-keys.ts';
import { changeSettings } from '../accounts/settings.ts';
import { operations } from '../api/operations.ts';
import { projectRoot } from '../db/version.ts';
import { statusTexts } from '../status.ts';
import { setClock } from '../time/clock.ts';

const app = await testApp();
const account = await app.open({ senders: [sender], sms: 400 });
const endpoint = new URL(`${app.url}/mcp`);
const basic = `Basic ${Buffer.from(`${account.key}:${account.hash}`).toString('base64')}`;

type Result = { content: unknown; structuredContent?: unknown; isError?: boolean | undefined };
type Assistant = {
  version: string | undefined;
  tools(): Promise<{ name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[]>;
  call(name: string, given?: object): Promise<Result>;
  close(): Promise<void>;
};

const info = { name: 'test', version: '1' };
const withKey = (authorization: string) => ({ requestInit: { headers: { authorization } } });
const command = {
  command: process.execPath,
  args: [join(projectRoot(), 'bin', 'peyk'), 'mcp', app.url],
  env: { PEYK_KEY: account.key, PEYK_HASH: account.hash },
};

/** What a person answers when the client asks; null: the client cannot ask. */
type Answers = ((message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: { send: boolean } }) | null;
const asking = (answers: Answers) => ({ capabilities: answers ? { elicitation: { form: {} } } : {} });

async function older(transport: OldHttp | OldStdio, answers: Answers = null): Promise<Assistant> {
  const client = new OldClient(info, asking(answers));
  if (answers) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers(params.message));
  await client.connect(transport as OldStdio);
  return {
    version: client.getServerVersion()?.version,
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => (await client.callTool({ name, arguments: { ...given } })) as Result,
    close: () => client.close(),
  };
}

async function newer(transport: NewHttp | NewStdio, answers: Answers = null): Promise<Assistant> {
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' }, ...asking(answers) });
  if (answers) client.setRequestHandler('elicitation/create', ({ params }) => answers(params.message));
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return {
    version: client.getServerVersion()?.version,
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => (await client.callTool({ name, arguments: { ...given } })) as Result,
    close: () => client.close(),
  };
}

const overHttp = await newer(new NewHttp(endpoint, withKey(`Bearer ${account.key}:${account.hash}`)));
afterAll(async () => {
  await overHttp.close();
  await app.close();
});

const orderOf = (text: string, to: string[] = [number()]) => ({
  order: { sender, message: { text, receipents: { number: to } } },
});
type Previewed = { preview: { credits: number; text: string; sendable: number }; confirmation: string };
const previewed = async (given: object) => (await overHttp.call('preview_sms', given)).structuredContent as Previewed;
let dayTexts = 0;
const ordersOf = async () =>
  (await app.db.query('select id from orders where account_id = $1 order by id', [account.id])).rows;

const ways: [string, () => Promise<Assistant>][] = [
  ['an older client over HTTP', () => older(new OldHttp(endpoint, withKey(basic)))],
  ['a client of 2026-07-28 over HTTP', () => newer(new NewHttp(endpoint, withKey(basic)))],
  ['an older client over standard input', () => older(new OldStdio(command))],
  ['a client of 2026-07-28 over standard input', () => newer(new NewStdio(command))],
];

for (const [who, connect] of ways)
  test(`${who} finds every operation, reads, previews and sends`, async () => {
    const assistant = await connect();
    try {
      const tools = await assistant.tools();
      expect(tools.map(one => one.name)).toEqual([
        'preview_sms',
        ...operations.map(one => one.name.replaceAll('-', '_')),
      ]);
      const { structuredContent } = await assistant.call('get_sender');
      expect(structuredContent).toEqual({ senders: { sender: [sender] } });
      const order = orderOf(`Merhaba ${who}`);
      const shownFirst = (await assistant.call('preview_sms', order)).structuredContent as Previewed;
      expect(shownFirst.preview).toMatchObject({ credits: 1, sendable: 1, text: `Merhaba ${who}` });
      const sent = await assistant.call('send_sms', { ...order, confirmation: shownFirst.confirmation });
      const { id } = (sent.structuredContent as { order: { id: string } }).order;
      const report = await assistant.call('get_report', { order: { id } });
      expect(report.structuredContent).toMatchObject({ order: { total: 1, message: [{ number: shown() }] } });
    } finally {
      await assistant.close();
    }
  });

test('tools that only read say so, and the others do not', async () => {
  const tools = await overHttp.tools();
  const reading = tools.filter(one => one.annotations?.readOnlyHint).map(one => one.name);
  expect(reading).toEqual([
    'preview_sms',
    ...tools.map(one => one.name).filter(name => /^get_|^iys_check$/.test(name)),
  ]);
});

test('nothing is sent without the confirmation of exactly this order', async () => {
  const before = await ordersOf();
  const { confirmation } = await previewed(orderOf('Bir'));
  const other = await app.open({ senders: [sender] });
  const theirs = await newer(new NewHttp(endpoint, withKey(`Bearer ${other.key}:${other.hash}`)));
  const cheaper = confirmation.replace(/\.\d+\./, '.9.');
  const tries: [Assistant, object][] = [
    [overHttp, orderOf('Bir')],
    [overHttp, { ...orderOf('Bir'), confirmation: 'evet' }],
    [overHttp, { ...orderOf('Bir!'), confirmation }],
    [overHttp, { ...orderOf('Bir', [number(), number(1)]), confirmation }],
    [overHttp, { ...orderOf('Bir'), confirmation: cheaper }],
    [overHttp, { confirmation }],
    [theirs, { ...orderOf('Bir'), confirmation }],
  ];
  for (const [assistant, given] of tries)
    expect(await assistant.call('send_sms', given)).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  const restore = setClock(() => Date.now() + 11 * 60_000);
  expect(await overHttp.call('send_sms', { ...orderOf('Bir'), confirmation })).toMatchObject({ isError: true });
  restore();
  await theirs.close();
  expect(await ordersOf()).toEqual(before);
});

const askingWays: [string, (answers: Answers) => Promise<Assistant>][] = [
  ['a client of 2026-07-28 over HTTP', answers => newer(new NewHttp(endpoint, withKey(basic)), answers)],
  ['a client of 2026-07-28 over standard input', answers => newer(new NewStdio(command), answers)],
  ['an older client over standard input', answers => older(new OldStdio(command), answers)],
];

for (const [who, connect] of askingWays)
  test(`${who} that can ask its person sends only what the person has agreed to`, async () => {
    const asked: string[] = [];
    let answer: ReturnType<NonNullable<Answers>> = { action: 'decline' };
    const assistant = await connect(message => {
      asked.push(message);
      return answer;
    });
    try {
      const order = orderOf(`Soru ${who}`, [number(), number(9)]);
      const { confirmation } = (await assistant.call('preview_sms', order)).structuredContent as Previewed;
      const before = await ordersOf();
      const refusals = [
        { action: 'decline' as const },
        { action: 'cancel' as const },
        { action: 'accept' as const, content: { send: false } },
      ];
      for (answer of refusals)
        expect(await assistant.call('send_sms', { ...order, confirmation })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('did not agree') }],
        });
      expect(await ordersOf()).toEqual(before);
      answer = { action: 'accept', content: { send: true } };
      expect((await assistant.call('send_sms', { ...order, confirmation })).structuredContent).toMatchObject({
        order: { id: expect.anything() },
      });
      expect((await ordersOf()).length).toBe(before.length + 1);
      // The question is made of a preview, not of what the model says.
      expect(asked).toHaveLength(4);
      for (const part of [`Soru ${who}`, 'recipients: 2', 'credits: 2', `sender: ${sender}`])
        expect(asked[0]).toContain(part);
      // Without a preview nobody is asked.
      expect(await assistant.call('send_sms', { ...order, confirmation: 'x' })).toMatchObject({ isError: true });
      expect(asked).toHaveLength(4);
      // Agreement does not lift the ceiling.
      expect(JSON.stringify(await assistant.call('preview_sms', orderOf('Çok', numbers(101))))).toContain('452');
    } finally {
      await assistant.close();
    }
  });

test('an assistant sends to a hundred recipients at most, or to as many as its key says, and only what its key may do', async () => {
  const before = (await ordersOf()).length;
  const many = orderOf('Toplu', numbers(101));
  expect(JSON.stringify(await overHttp.call('preview_sms', many))).toContain('452');
  expect(JSON.stringify(await overHttp.call('send_sms', { ...many, confirmation: 'x' }))).toContain('Not sent');
  expect((await ordersOf()).length).toBe(before);
  const wide = await createKey(app.db, account.id, 'Geniş', { scopes: null, recipientsMax: 150, dailyMax: null });
  const reading = await createKey(app.db, account.id, 'Okur', {
    scopes: ['read'],
    recipientsMax: null,
    dailyMax: null,
  });
  const one = await newer(new NewHttp(endpoint, withKey(`Bearer ${wide.key}:${wide.hash}`)));
  expect((await one.call('preview_sms', many)).structuredContent).toMatchObject({ preview: { sendable: 101 } });
  await one.close();
  const other = await newer(new NewHttp(endpoint, withKey(`Bearer ${reading.key}:${reading.hash}`)));
  expect((await other.call('get_balance')).isError).toBeFalsy();
  expect(JSON.stringify(await other.call('preview_sms', orderOf('Tek')))).toContain('401');
  await other.close();
});

test('an assistant whose client cannot ask sends a thousand messages a day at most, or as many as its key says; agreed ones count for nothing', async () => {
  const none = { scopes: null, recipientsMax: null };
  const send = async (assistant: Assistant, to: string[]) => {
    const order = orderOf(`Gün ${dayTexts++}`, to);
    const { confirmation } = (await assistant.call('preview_sms', order)).structuredContent as Previewed;
    return JSON.stringify(await assistant.call('send_sms', { ...order, confirmation }));
  };
  const usual = await createKey(app.db, account.id, 'Günlük', { ...none, dailyMax: null });
  const silent = await newer(new NewHttp(endpoint, withKey(`Bearer ${usual.key}:${usual.hash}`)));
  const used = () => app.db.query('select used_messages as used from credentials where key = $1', [usual.key]);
  expect(await send(silent, numbers(2))).not.toContain('452');
  expect((await used()).rows).toEqual([{ used: 2 }]);
  await app.db.query('update credentials set used_messages = 999 where key = $1', [usual.key]);
  expect(await send(silent, numbers(2))).toContain('452');
  expect(await send(silent, numbers(1))).not.toContain('452');
  expect(await send(silent, numbers(1))).toContain('452');
  // Each of these a person has agreed to.
  const agree: Answers = () => ({ action: 'accept', content: { send: true } });
  const asked = await newer(new NewHttp(endpoint, withKey(`Bearer ${usual.key}:${usual.hash}`)), agree);
  expect(await send(asked, numbers(2))).not.toContain('452');
  expect((await used()).rows).toEqual([{ used: 1_000 }]);
  await limitKey(app.db, account.id, usual.key, { dailyMax: 1_003 });
  expect(await send(silent, numbers(3))).not.toContain('452');
  for (const one of [silent, asked]) await one.close();
});

test('a confirmation used twice, also at once, sends once', async () => {
  const order = orderOf('Tek', [number(), number(5)]);
  const { confirmation } = await previewed(order);
  const sent = await Promise.all(
    Array.from({ length: 5 }, () => overHttp.call('send_sms', { ...order, confirmation })),
  );
  expect(new Set(sent.map(one => JSON.stringify(one.structuredContent)))).toHaveLength(1);
  const again = await overHttp.call('send_sms', { confirmation, ...order });
  expect(again.structuredContent).toEqual(sent[0]!.structuredContent);
});

test('an order that became dearer than it was shown is not sent', async () => {
  const text = `${'ş'.repeat(140)}😀`;
  const { confirmation, preview } = await previewed(orderOf(text));
  expect(preview.credits).toBe(1);
  await changeSettings(app.db, account.id, { mode: 'unicode' });
  const refused = await overHttp.call('send_sms', { ...orderOf(text), confirmation });
  await changeSettings(app.db, account.id, { mode: 'english' });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Fiyat') }] });
});

test('a preview tells who is left out, and refuses what sending would refuse', async () => {
  await account.call('add-blacklist', { blacklist: { number: number(7) } });
  const { preview } = await previewed(orderOf('İki', [number(), number(7), '12', number()]));
  expect(preview).toMatchObject({ sendable: 1, invalid: 1, blacklisted: 1, credits: 1, text: 'Iki', sendAt: null });
  const refusals: [object, string][] = [
    [orderOf('x', ['12']), '452'],
    [orderOf(''), '454'],
    [orderOf('x'.repeat(2_000)), '453'],
    [{ order: { ...orderOf('x').order, sender: 'BASKA' } }, '450'],
    [
      orderOf(
        'x'.repeat(1_000),
        Array.from({ length: 100 }, (_, i) => number(i)),
      ),
      '402',
    ],
    [{}, '400'],
  ];
  for (const [given, code] of refusals)
    expect(await overHttp.call('preview_sms', given)).toMatchObject({
      isError: true,
      content: [{ text: `${code} ${statusTexts[Number(code) as 452]}` }],
    });
});

test('a refusal of the interface is an error of the tool, and credentials in the arguments are nobody’s', async () => {
  const other = await app.open();
  const authentication = { key: other.key, hash: other.hash };
  expect(await overHttp.call('get_sender', { authentication })).toMatchObject({
    structuredContent: { senders: { sender: [sender] } },
  });
  const missing = await overHttp.call('get_report', { order: { id: 1 } });
  expect(missing).toMatchObject({ isError: true, content: [{ text: `455 ${statusTexts[455]}` }] });
  expect(await overHttp.call('drop_tables')).toMatchObject({ isError: true });
});

test('without valid credentials the answer is 401, and the owner sees why', async () => {
  for (const authorization of [undefined, 'Bearer x', 'Basic e', `Bearer ${account.key}:wrong`]) {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const answer = await fetch(endpoint, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { response: { status: { code: 401, message: statusTexts[401] } } },
    ]);
  }
  await app.refusals.flush();
  const log = await app.db.query(`select cause from api_refusals where account_id = $1 and operation = 'mcp'`, [
    account.id,
  ]);
  expect(log.rows).toEqual([{ cause: 'wrong-hash' }]);
  await changeSettings(app.db, account.id, { ips: '203.0.113.9' });
  const away = await fetch(endpoint, { method: 'POST', headers: { authorization: basic } });
  await changeSettings(app.db, account.id, { ips: '' });
  expect(away.status).toBe(401);
});

test('a list of messages is refused whole: one request is one call', async () => {
  const headers = {
    authorization: basic,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const one = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_balance', arguments: {} } };
  const ask = (body: unknown) => fetch(endpoint, { method: 'POST', headers, body: ` ${JSON.stringify(body)}` });
  expect([(await ask(one)).status, (await ask([one, { ...one, id: 2 }])).status]).toEqual([200, 400]);
});

test('what is no message of the protocol is refused, and nothing of ours fails', async () => {
  const headers = {
    authorization: basic,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const bodies = [
    '',
    '{',
    '[]',
    '"x"',
    '[['.repeat(50_000),
    '{"jsonrpc":"2.0","id":1,"method":"nothing/here"}',
    'x'.repeat(5_000_000),
  ];
  for (const body of bodies) {
    const answer = await fetch(endpoint, { method: 'POST', headers, body });
    const said = await answer.text();
    expect(answer.status < 500 && !said.includes('node_modules'), `${body.slice(0, 50)}: ${answer.status}`).toBe(true);
  }
  expect((await fetch(endpoint, { headers })).status).toBe(405);
  expect(app.faults).toEqual([]);
});
