// Every input gets an envelope with a known code, and refused calls leave the data unchanged. For every operation of the table,
// each node of a valid request is replaced by every kind of nonsense, one at a time.
import { afterAll, expect, test } from 'vitest';
import { nobodyConsents, texts } from '../../test/support/customers/answers.ts';
import type { Reply } from '../../test/support/customers/client.ts';
import { brandCode, order, sender, validMembers } from '../../test/support/customers/samples.ts';
import { pathOf, testApp } from '../../test/support/program/app.ts';
import { commonCodes, operations } from './operations.ts';

// Failed authentications of one address are slowed down; behind a trusted proxy each request has its own address.
const app = await testApp({ trustedProxies: ['127.0.0.1'] });
afterAll(() => app.close());
const account = await app.open({ senders: [sender], brands: [brandCode], sms: 100_000 });
const knownOrder = await account.send(order());
const authentication = { key: account.key, hash: account.hash };

const depth = 5_000;
// Written as JSON texts, because JSON.stringify would not write some of these.
const nonsense = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e309',
  '-1e309',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"":""}',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"x\\udc00x"',
  '"\\uffff\\ufffe"',
  '"\\u202e\\u200b"',
  '"../../etc"',
  '"\' or 1=1 --"',
  '"{1,2}"',
  '"NaN"',
  '"undefined"',
  '"\\\\"',
  '{"__proto__":{"key":"x"}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"length":-1}',
  '{"length":50001}',
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify('ş😀'.repeat(20_000)),
  `[${'0,'.repeat(60_000)}0]`,
  `${'['.repeat(depth)}${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
];

/** Every text that differs from `value` in one place, where `replacement` stands instead. */
function* spoiled(value: unknown, replacement: string): Generator<string> {
  yield replacement;
  if (typeof value !== 'object' || value === null) return;
  const write = (inside: string, name: string) =>
    Array.isArray(value)
      ? `[${value.map((one, i) => (String(i) === name ? inside : JSON.stringify(one))).join(',')}]`
      : `{${Object.entries(value)
          .map(([n, one]) => `${JSON.stringify(n)}:${n === name ? inside : JSON.stringify(one)}`)
          .join(',')}}`;
  for (const [name, one] of Object.entries(value))
    for (const inside of spoiled(one, replacement)) yield write(inside, name);
}

function expectKnown(reply: Reply, operation: string): void {
  const { codes } = operations.find(one => one.name === operation)!;
  const allowed: number[] = [...commonCodes.filter(code => code !== 503), ...codes];
  expect(allowed).toContain(reply.code);
  expect(reply.http).toBe(reply.code);
  expect([texts[reply.code], ...(reply.code === 469 ? [nobodyConsents] : [])]).toContain(reply.message);
}

/** Counts the rows of every table that a refused call must not touch. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = [
    'orders',
    'messages',
    'order_texts',
    'chunks',
    'ledger_entries',
    'blacklist_entries',
    'consent_records',
  ];
  const more = ['consent_usage', 'idempotency_keys', 'accounts', 'credentials', 'senders', 'brands', 'webhook_outbox'];
  const sums = [...tables, ...more].map(name => `(select count(*)::int from ${name}) as ${name}`);
  return (await app.db.query(`select ${sums.join(', ')}, (select sum(sms)::int from balances) as sms`)).rows[0];
}

async function inGroups<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

for (const { name, needs } of operations)
  test(`${name} survives nonsense at every place of its request, and refusals change nothing`, async () => {
    const members = validMembers(name, knownOrder);
    const object = needs ?? Object.keys(members)[0] ?? 'extra';
    const wrap = (inside: string) =>
      `{"request":{"authentication":${JSON.stringify(authentication)},"${object}":${inside}}}`;
    const bodies = nonsense.flatMap(one => [...spoiled(members[object] ?? {}, one)].map(wrap));
    const refused: string[] = [];
    await inGroups(bodies, async body => {
      const reply = await app.client.post(pathOf(name), body);
      expectKnown(reply, name);
      if (reply.code !== 200) refused.push(body);
    });
    // Accepted requests have written their rows by now; refused ones are sent again with the rows counted before and after.
    const before = await rowCounts();
    await inGroups(refused, async body => void (await app.client.post(pathOf(name), body)));
    expect(await rowCounts()).toEqual(before);
  });

test('nonsense for the credentials or the envelope around them is 400 or 401 and changes nothing', async () => {
  const before = await rowCounts();
  const envelope = { request: { authentication, order: {} } };
  const bodies = nonsense
    .flatMap(one => [...spoiled(envelope, one)])
    .filter(body => !body.includes(JSON.stringify(authentication)));
  let caller = 0;
  await inGroups(bodies, async body => {
    const headers = { 'x-forwarded-for': `10.0.${caller >> 8}.${caller++ & 255}` };
    expect([400, 401]).toContain((await app.client.post(pathOf('send-sms'), body, headers)).code);
  });
  expect(await rowCounts()).toEqual(before);
});

test('what was accepted amid the nonsense is whole, and nothing was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
