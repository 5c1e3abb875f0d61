// Whatever comes in, an envelope with a known code goes out and refused calls leave the data as it was. Every node of a
// valid request is replaced by every kind of nonsense, one at a time, for every operation of the table.
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, texts } from '../../test/support/answers.ts';
import { pathOf, testApp } from '../../test/support/app.ts';
import type { Reply } from '../../test/support/client.ts';
import { brandCode, consentEntry, freshText, number, order, sender, validMembers } from '../../test/support/samples.ts';
import { statusTexts } from '../status.ts';
import { commonCodes, operations } from './operations.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], brands: [brandCode], sms: 100_000 });
const knownOrder = await account.send(order());
const { key, hash } = account;

const depth = 5_000;
// JSON texts, because some of these are nothing that JSON.stringify would write.
const nonsense = [
  'null', 'true', 'false', '0', '-1', '1.5', '1e309', '-1e309', '9007199254740993', '123456789012345678901234567890',
  '""', '" "', '[]', '{}', '[null]', '[[]]', '[{}]', '{"":""}', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"x\\udc00x"',
  '"\\uffff\\ufffe"', '"\\u202e\\u200b"', '"../../etc"', '"\' or 1=1 --"', '"{1,2}"', '"NaN"', '"undefined"', '"\\\\"',
  '{"__proto__":{"key":"x"}}', '{"constructor":{"prototype":{}}}', '{"toString":1,"length":-1}', '{"length":50001}',
  JSON.stringify('x'.repeat(100_000)), JSON.stringify('ş😀'.repeat(20_000)), `[${'0,'.repeat(60_000)}0]`,
  `${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
];

/** Every text that differs from `value` in one place, which holds `replacement` instead. */
function* spoiled(value: unknown, replacement: string): Generator<string> {
  yield replacement;
  if (typeof value !== 'object' || value === null) return;
  const write = (inside: string, name: string) =>
    Array.isArray(value)
      ? `[${value.map((one, i) => (String(i) === name ? inside : JSON.stringify(one))).join(',')}]`
      : `{${Object.entries(value).map(([n, one]) => `${JSON.stringify(n)}:${n === name ? inside : JSON.stringify(one)}`).join(',')}}`;
  for (const [name, one] of Object.entries(value)) for (const inside of spoiled(one, replacement)) yield write(inside, name);
}

function expectKnown(reply: Reply, operation: string): void {
  const { codes } = operations.find(one => one.name === operation)!;
  const allowed: number[] = [...commonCodes.filter(code => code !== 503), ...codes];
  expect(allowed).toContain(reply.code);
  expect({ http: reply.http, message: reply.message }).toEqual({ http: reply.code, message: texts[reply.code] });
}

/** Rows of every table that a refused call must not touch. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = ['orders', 'messages', 'order_texts', 'chunks', 'ledger_entries', 'blacklist_entries', 'consent_records'];
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
      `{"request":{"authentication":{"key":"${key}","hash":"${hash}"},"${object}":${inside}}}`;
    let before = await rowCounts();
    const suspects: string[] = [];
    const bodies = nonsense.flatMap(one => [...spoiled(members[object] ?? {}, one)].map(wrap));
    await inGroups(bodies, async body => {
      const reply = await app.client.post(pathOf(name), body);
      expectKnown(reply, name);
      // What was accepted may write; what was refused is sent again below, alone, with the rows counted around it.
      if (reply.code !== 200) suspects.push(body);
    });
    before = await rowCounts();
    await inGroups(suspects, async body => void (await app.client.post(pathOf(name), body)));
    expect(await rowCounts()).toEqual(before);
  });

test('nonsense for credentials, the envelope and the whole body is refused with 400 or 401 and changes nothing', async () => {
  const before = await rowCounts();
  const order = validMembers('send-sms', knownOrder)['order'];
  const authentication = { key: `${key}0`, hash };
  const bodies = nonsense.flatMap(one => [
    ...spoiled({ request: { authentication, order } }, one).filter(body => !body.includes(`"${key}"`)),
  ]);
  // Failures with one key are slowed, hence few keys in many bodies: only what cannot be a key is left to authenticate.
  await inGroups(bodies.filter(body => !authenticates(body)), async body => {
    const reply = await app.client.post(pathOf('send-sms'), body);
    expect([400, 401]).toContain(reply.code);
  });
  expect(await rowCounts()).toEqual(before);
});

function authenticates(body: string): boolean {
  try {
    const parsed = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null && typeof parsed.request === 'object' && parsed.request !== null;
  } catch {
    return false;
  }
}
