// PEYK_CONTENT=sealed over the whole program: every text arrives and is shown as written, but no table and no file of the data
// folder contains it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import { loadSecretKey } from '../../src/sealing/secrets.ts';
import { createSmppUser } from '../../src/smpp-server/users.ts';
import { SmppCustomer } from '../support/customers/smpp-customer.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

let program: Program;
let account: Customer;
let receiver: Server;
const posted: string[] = [];
let cookie = '';

/** Words that occur nowhere else. */
const words = {
  campaign: 'zeytinagaci kampanyasi bugun basliyor',
  code: 'sifreniz 482913 kimseye vermeyin',
  personal: 'sayin karabiber borcunuz 1250 liradir',
  personalOther: 'sayin biberiye borcunuz 77 liradir',
  smpp: 'uzunca bir mektup kekik kokulu daglardan',
  inbound: 'fesleğen nerede bulunur acaba'.replace('ğ', 'g'),
  draft: 'taslakta bekleyen lavanta yazisi',
  column: 'papatyaoglu',
  unrouted: 'kimsesiz bir defne yapragi',
};

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', piece => (body += String(piece)));
    request.on('end', () => {
      posted.push(body);
      response.end(body);
    });
  });
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
  const env = { PEYK_CONTENT: 'sealed', PEYK_SMPP_PORT: '0', PEYK_ALLOW_PRIVATE_WEBHOOKS: 'on' };
  program = await startProgram({ env });
  account = program.demoCustomer;
  cookie = await signIn();
});
afterAll(() => void receiver.close());

async function panel<T = Record<string, never>>(operation: string, input: object = {}): Promise<T> {
  const answer = await fetch(`${program.ready.panel}api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [panelHeader.name]: panelHeader.value, cookie },
    body: JSON.stringify(input),
  });
  const reply = (await answer.json()) as { data: T; error?: unknown };
  if (!answer.ok) throw new Error(`${operation}: ${JSON.stringify(reply)}`);
  cookie ||= answer.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ');
  return reply.data;
}

async function signIn(): Promise<string> {
  await panel('session.signIn', program.ready.owner!);
  return cookie;
}

const phone = async (number: string) =>
  (await program.carrier.phone(number)).map(one => one.text.replace(/ B186$/, ''));

test('orders, codes, personal texts, long SMPP messages, drafts, inbound messages, webhooks and exports work, and nothing of them is readable at rest', async () => {
  const db = await program.db();
  const { rows } = await db.query('select account_id from memberships order by account_id limit 1');
  const accountId = Number(rows[0].account_id);
  await panel('webhook.add', {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: ['accepted', 'delivered', 'undelivered', 'inbound'],
  });
  await db.query(`insert into inbound_numbers (account_id, number) values ($1, '908500000000')`, [accountId]);
  const login = await createSmppUser(db, loadSecretKey(program.data, ''), accountId, { addresses: ['127.0.0.1'] });
  const customer = await SmppCustomer.bind(Number(program.ready.smpp!.split(':').at(-1)), login);

  const orders = await sendEverything(customer);
  for (const id of orders) await account.finished(id);
  await shownToEverybody(customer, Number(orders[0]));
  customer.destroy();

  expect(await program.audit()).toMatchObject({ ok: true });
  for (const [table, held] of await everyTable()) expect.soft(wordsIn(held), `in table ${table}`).toEqual([]);
  await program.stop();
  for (const file of filesIn(program.data)) expect.soft(wordsIn(readFileSync(file)), `in file ${file}`).toEqual([]);
});

async function sendEverything(customer: SmppCustomer): Promise<string[]> {
  const campaign = await account.send(words.campaign, ['5550000001', '5550000002']);
  const code = await account.send(words.code, ['5550000003']);
  const { response } = await account.call('send-sms', {
    order: {
      sender: 'APITEST',
      message: [
        { text: words.personal, receipents: { number: ['5550000004'] } },
        { text: words.personalOther, receipents: { number: ['5550000005'] } },
      ],
    },
  });
  const half = words.smpp.length / 2;
  for (const [i, piece] of [words.smpp.slice(0, half), words.smpp.slice(half)].entries()) {
    const header = { source_addr: 'APITEST', sar_msg_ref_num: 7, sar_total_segments: 2, sar_segment_seqnum: i + 1 };
    // The first part twice: it is recognised although it is sealed.
    for (let copies = i === 0 ? 2 : 1; copies > 0; copies--)
      expect((await customer.submit('905550000006', piece, header)).command_status).toBe(0);
  }
  const head = { sender: 'APITEST', text: `{ad} ${words.draft}`, sendAt: null, commercial: false };
  const { id } = await panel<{ id: number }>('drafts.create', { head });
  const shape = { fileName: 'liste.csv', header: true, numberColumn: 1, names: ['ad', 'numara'] };
  const { listNo } = await panel<{ listNo: number }>('drafts.startList', { id, shape, rows: 2 });
  await panel('drafts.putRows', { id, listNo, no: 0, rows: [shape.names, [words.column, '5550000007']] });
  const { version } = await panel<{ version: number }>('drafts.prepare', { id });
  expect(await panel('drafts.read', { id })).toMatchObject({
    head: { text: head.text },
    shape: { names: shape.names },
  });
  const sent = await panel<{ orderIds: number[] }>('drafts.submit', { id, version });
  // One that stays.
  await panel('drafts.create', { head });
  await program.carrier.write('5550000008', '908500000000', words.inbound);
  await program.carrier.write('5550000008', '908500000000', `${words.inbound} `.repeat(8));
  await program.carrier.write('5550000008', '908599999999', words.unrouted);
  return [campaign, code, response.order!.id, String(sent.orderIds[0])];
}

async function shownToEverybody(customer: SmppCustomer, campaign: number): Promise<void> {
  await wait('the long message', async () => (await phone('5550000006')).length > 0);
  const shown = await Promise.all([1, 3, 4, 5, 6, 7].map(async n => (await phone(`555000000${n}`)).join('|')));
  const draft = `${words.column} ${words.draft}`;
  expect(shown).toEqual([words.campaign, words.code, words.personal, words.personalOther, words.smpp, draft]);
  const { inbox } = (await account.call('get-inbox', { inbox: {} })).response;
  expect(inbox!.message.map(one => one.text.trim())).toContain(words.inbound);
  await wait('the inbound message over SMPP', () =>
    customer.received.some(one => String(one.short_message?.message).includes(words.inbound)),
  );
  const all = [words.campaign, words.code, words.personal, words.personalOther, words.smpp, words.inbound];
  await wait('webhooks', () => all.every(word => posted.some(one => one.includes(word))));
  const found = async (text: string) =>
    (await panel<{ rows: { textStart: string }[] }>('orders.list', { search: text })).rows.map(one => one.textStart);
  expect(await found('ZEYTİNAĞACI')).toEqual([words.campaign]);
  expect(JSON.stringify(await panel('orders.read', { id: campaign }))).toContain(words.campaign);
  expect(JSON.stringify(await panel('inbox.list', { text: 'FESLEĞEN' }))).toContain(words.inbound);
  expect(JSON.stringify(await panel('number.read', { number: '5550000003' }))).toContain(words.code);
  const kept = await panel<{ deliveries: { id: string }[] }>('webhook.deliveries', {});
  const bodies = await Promise.all(kept.deliveries.map(({ id }) => panel('webhook.delivery', { id })));
  expect(JSON.stringify(bodies)).toContain(words.campaign);
  const request = { kind: 'orders', format: 'csv', language: 'tr', filter: { search: words.campaign } };
  const { id } = await panel<{ id: number }>('exports.start', request);
  const file = await wait('the file', async () => {
    const answer = await fetch(`${program.ready.panel}api/export-file/${id}`, { headers: { cookie } });
    return answer.ok ? answer.text() : undefined;
  });
  expect(file).toContain(words.campaign);
}

function wordsIn(bytes: Buffer): string[] {
  return Object.values(words).filter(
    one => bytes.includes(one) || bytes.includes(Buffer.from(one, 'utf16le').swap16()),
  );
}

/** All values of each table, unpacked if they are packed. */
async function everyTable(): Promise<[string, Buffer][]> {
  const db = await program.db();
  const { rows } = await db.query(
    `select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return Promise.all(
    (rows as { relname: string }[]).map(async ({ relname }): Promise<[string, Buffer]> => {
      const found = (await db.query(`select to_jsonb(t)::text as held from ${relname} t`)).rows as { held: string }[];
      return [relname, Buffer.concat(found.flatMap(one => Object.values(JSON.parse(one.held) as object).map(bytesOf)))];
    }),
  );
}

function bytesOf(value: unknown): Buffer {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!text.startsWith('\\x')) return Buffer.from(`${text}\n`);
  const bytes = Buffer.from(text.slice(2), 'hex');
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    const about = statSync(path, { throwIfNoEntry: false });
    return about?.isDirectory() ? filesIn(path) : about?.isFile() ? [path] : [];
  });
}
