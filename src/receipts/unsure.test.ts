// Submits without an answer: which messages are sent once more, ended by an unmatched receipt, or ended as outcome unknown.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/invariants.ts';
import { silentLog } from '../log.ts';
import { claimChunks, moveMarks } from '../queue/claim.ts';
import { registerDispatcher, releaseLeases } from '../queue/dispatcher-lease.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';
import { FlushBatch, flush } from './flush.ts';
import { decideUnsure } from './resolve.ts';

let bench: DispatchBench;
let texts = 0;

beforeAll(async () => {
  bench = await dispatchBench();
  for (const name of ['first', 'second']) await bench.scripted(name);
});
afterAll(() => bench.close());

const holdMs = 1_000;
const decide = () => decideUnsure(bench.db, holdMs, silentLog);

type Doubt = { orderId: number; ids: number[] };
type How = { ageMs?: number; attempt?: number; carrier?: number | null; lane?: 0 | 1; due?: boolean };

/** Messages of an order that were written some time ago to this carrier (null: unknown) and got no answer. */
async function unsure(numbers: number[], how: How = {}, text = `Belirsiz ${++texts}`): Promise<Doubt> {
  const orderId = await bench.accept(await sender(), text, numbers);
  const ids = (await bench.messages(orderId)).map(one => one.id);
  await bench.db.query('delete from chunks where first_message_id = $1', [ids[0]]);
  await doubt(orderId, how);
  return { orderId, ids };
}

/** A copy of every message of the order. */
async function doubt(orderId: number, how: How = {}): Promise<void> {
  const { ageMs = 1_500, attempt = 0, carrier = 1, lane = 0, due = true } = how;
  await bench.db.query(
    `insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, decide_at, single)
     select id, account_id, $2, number, $3, $4, now() - make_interval(secs => $5), now() + $6::interval, credits = 1 from messages where order_id = $1`,
    [orderId, attempt, lane, carrier, ageMs / 1_000, due ? '0' : '1 hour'],
  );
}

/** Each order has its own account: doubts are decided across accounts. */
const sender = () => bench.account();

const resentOf = async ({ orderId }: Doubt) =>
  (await bench.db.query('select resent from orders where id = $1', [orderId])).rows[0].resent as number;

const ends = async ({ orderId }: Doubt) => (await bench.messages(orderId)).map(one => [one.status, one.reason]);

const again = async ({ orderId }: Doubt) => (await bench.chunks(orderId)).flatMap(one => one.ids);

test('a fresh transactional message is sent once more, and counted', async () => {
  const one = await unsure([5_550_000_001, 5_550_000_002]);
  expect(await decide()).toMatchObject({ decided: 2, resent: 2, ended: 0 });
  expect(await again(one)).toEqual(one.ids);
  expect(await resentOf(one)).toBe(2);
  expect(await decide()).toMatchObject({ decided: 0 });
});

test('a message is on the air twice at most, though the answer to its second copy is lost as well, or the dispatcher of that dies', async () => {
  const lost = await unsure([5_550_000_005]);
  const died = await unsure([5_550_000_006]);
  await decide();
  await doubt(lost.orderId, { attempt: 1 });
  const owner = await registerDispatcher(bench.db, 'test');
  const { rows } = await bench.db.query('select account_id as id from orders where id = $1', [died.orderId]);
  expect(await claimChunks(bench.db, owner, 0, [{ id: rows[0].id, mark: 0 }], { messages: 500 })).toHaveLength(1);
  await releaseLeases(bench.db, owner);
  await decide();
  for (const one of [lost, died]) {
    expect(await ends(one)).toEqual([[112, 15]]);
    expect(await resentOf(one)).toBe(1);
  }
  expect(await again(died)).toEqual([]);
});

test('messages that a dead dispatcher wrote without an answer are in doubt at once, messages beyond its mark wait again', async () => {
  const account = await bench.account();
  const orderId = await bench.accept(
    account,
    `Ölüm ${++texts}`,
    Array.from({ length: 130 }, (_, i) => 5_553_000_000 + i),
  );
  const ids = (await bench.messages(orderId)).map(one => one.id);
  const owner = await registerDispatcher(bench.db, 'test');
  const [chunk] = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 5 }], { messages: 500 });
  await moveMarks(bench.db, [{ chunkId: chunk!.chunkId!, token: chunk!.token, mark: 10 }]);
  const answers = new FlushBatch();
  for (const id of ids.slice(0, 4)) answers.addSubmit(1, `answered-${id}`, id, 1, 1);
  await flush(bench.db, owner, 1, answers);
  await releaseLeases(bench.db, owner, 3_600_000);
  const { rows } = await bench.db.query('select message_id as id from unsure where message_id = any ($1) order by 1', [
    ids,
  ]);
  expect(rows.map(row => row.id)).toEqual(ids.slice(4, 10));
  expect(await bench.chunks(orderId)).toMatchObject([{ count: 120, mark: 0, leased: false }]);
});

test.each([
  ['of a campaign', { lane: 1 } as const],
  ['older than a minute', { ageMs: 62_000 }],
])('a message %s is not sent again: its outcome is unknown, its credit back', async (_name, how) => {
  const one = await unsure([5_550_000_003], how);
  expect(await decide()).toMatchObject({ resent: 0, ended: 1 });
  expect(await ends(one)).toEqual([[112, 15]]);
  expect(await resentOf(one)).toBe(0);
});

test('a carrier’s setting forbids the second copy, or demands it for campaigns too', async () => {
  await bench.db.query(`update carriers set unsure = case id when 1 then 'fail' else 'resend' end`);
  const never = await unsure([5_550_000_050]);
  const always = await unsure([5_550_000_051], { carrier: 2, lane: 1, ageMs: 3_600_000 });
  expect(await decide()).toMatchObject({ resent: 1, ended: 1 });
  await bench.db.query(`update carriers set unsure = 'lane'`);
  expect(await again(always)).toEqual(always.ids);
  expect(await ends(never)).toEqual([[112, 15]]);
});

test('a message that was answered late, or has ended, is not sent again', async () => {
  const one = await unsure([5_550_000_005, 5_550_000_006, 5_550_000_007]);
  const late = new FlushBatch();
  late.addSubmit(1, 'late', one.ids[0]!, 1, 1);
  late.addEnd(one.ids[1]!, 112, 12);
  await flush(bench.db, 0, 0, late);
  expect(await decide()).toMatchObject({ decided: 2, resent: 1 });
  expect(await again(one)).toEqual([one.ids[2]]);
});

test('an unmatched receipt for a number that one message in doubt has ends it, and its id is known from then on', async () => {
  const one = await unsure([5_550_000_011, 5_550_000_012, 5_550_000_013], { lane: 1 });
  await orphan('orphan-1', 5_550_000_011);
  await orphan('orphan-2', 5_550_000_012, { status: 112, reason: 10 });
  await orphan('twin-1', 5_550_000_013);
  await orphan('twin-2', 5_550_000_013);
  await decide();
  expect(await ends(one)).toEqual([
    [111, 0],
    [112, 10],
    [112, 15],
  ]);
  const { rows } = await bench.db.query(`select smsc_id from submits where smsc_id like 'orphan%' order by 1`);
  expect(rows).toEqual([{ smsc_id: 'orphan-1' }, { smsc_id: 'orphan-2' }]);
});

/** An unmatched receipt. */
async function orphan(
  id: string,
  number: number,
  how: { carrier?: number; status?: number; reason?: number; ageMs?: number } = {},
) {
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number, received_at)
     values ($1, $2, $3, $4, $5, now() - make_interval(secs => $6))`,
    [how.carrier ?? 1, id, how.status ?? 111, how.reason ?? 0, number, (how.ageMs ?? 0) / 1_000],
  );
}

const known = async (id: string) => (await bench.db.query('select 1 from receipts where smsc_id = $1', [id])).rowCount;
let next = 5_551_000_000;

/** An order that a live dispatcher is sending. */
async function flying(number: number, text = `Yolda ${++texts}`): Promise<Doubt> {
  const orderId = await bench.accept(await sender(), text, [number]);
  await bench.db.query(
    `update chunks c set lease_owner = 1, lease_token = 7, mark = 1, marked_at = now()
     from orders o where o.id = $1 and c.first_message_id = o.first_message_id`,
    [orderId],
  );
  return { orderId, ids: (await bench.messages(orderId)).map(one => one.id) };
}

test.each<[string, (number: number) => Promise<unknown>]>([
  ['came over another carrier', number => orphan(`a${number}`, number, { carrier: 2 })],
  ['came before the submit was written', number => orphan(`a${number}`, number, { ageMs: 3_000 })],
  [
    'may be about a message of another account, in doubt and in its pause',
    async number => {
      await unsure([number], { due: false });
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message in doubt that was given up before',
    async number => {
      const given = await unsure([number], { lane: 1 });
      await bench.db.query('update unsure set decide_at = null where message_id = any ($1)', [given.ids]);
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message in doubt whose carrier is unknown',
    async number => {
      await unsure([number], { carrier: null });
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message being written now, whose answer is still to come',
    async number => {
      await flying(number);
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a test message of staff whose answer was lost',
    async number => {
      await bench.db.query(
        'insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, single) values (-$1::bigint, 0, 0, $1, 0, 1, now(), true)',
        [number],
      );
      await orphan(`a${number}`, number);
    },
  ],
  [
    'has the id of another submit',
    async number => {
      const other = await flying(number);
      const answer = new FlushBatch();
      answer.addSubmit(1, `a${number}`, other.ids[0]!, 1, 1);
      await flush(bench.db, 0, 0, answer);
      await orphan(`a${number}`, number);
    },
  ],
  [
    'is one of two',
    async number => {
      await orphan(`a${number}`, number);
      await orphan(`b${number}`, number, { status: 112 });
    },
  ],
  [
    'comes after data were lost',
    async number => {
      await bench.db.query(`insert into data_home (database_oid, lost_at) values (0, now() - interval '2 days')`);
      await orphan(`a${number}`, number);
    },
  ],
])('an unmatched receipt ends no message in doubt when it %s', async (_name, happened) => {
  const number = ++next;
  const one = await unsure([number], { lane: 1 });
  await happened(number);
  await decide();
  await bench.db.query('delete from data_home');
  expect(await ends(one)).toEqual([[112, 15]]);
  expect(await known(`a${number}`)).toBe(1);
  await bench.db.query('delete from receipts; delete from chunks where lease_owner = 1');
});

test('a receipt of the second copy of a message that was lost twice does not end a later message to the number', async () => {
  const number = ++next;
  const twice = await unsure([number]);
  await decide();
  await doubt(twice.orderId, { attempt: 1 });
  await orphan(`first-${number}`, number);
  await decide();
  expect(await ends(twice)).toEqual([[111, 0]]);
  // The carrier loses it; then it reports the second copy.
  const swallowed = await unsure([number], { ageMs: 10, lane: 1 });
  await orphan(`second-${number}`, number);
  await decide();
  expect(await ends(swallowed)).toEqual([[112, 15]]);
  await decide();
  expect(await ends(swallowed)).toEqual([[112, 15]]);
});

test('of two receipts with one unknown id the one for the number in doubt ends the message, and the other stays', async () => {
  const [number, other] = [++next, ++next];
  const one = await unsure([number]);
  for (const to of [number, other]) await orphan('one-id', to);
  await decide();
  expect(await ends(one)).toEqual([[111, 0]]);
  const { rows } = await bench.db.query(`select number from receipts where smsc_id = 'one-id'`);
  expect(rows).toEqual([{ number: other }]);
  await bench.db.query(`delete from receipts where smsc_id = 'one-id'`);
});

test('a receipt from after the writing ends the message, and one from before it, for another message, stays', async () => {
  const number = ++next;
  const one = await unsure([number]);
  await orphan(`before-${number}`, number, { status: 112, reason: 10, ageMs: 3_000 });
  await orphan(`after-${number}`, number);
  await decide();
  expect(await ends(one)).toEqual([[111, 0]]);
  expect(await known(`before-${number}`)).toBe(1);
  await bench.db.query('delete from receipts');
});

test('an answered message to the same number does not prevent the match', async () => {
  const number = ++next;
  const one = await unsure([number]);
  const other = await flying(number);
  const answer = new FlushBatch();
  answer.addSubmit(1, 'has-id', other.ids[0]!, 1, 1);
  await flush(bench.db, 0, 0, answer);
  await orphan(`a${number}`, number);
  await decide();
  expect(await ends(one)).toEqual([[111, 0]]);
});

test('one receipt does not end a long message, which has one for each part', async () => {
  const number = ++next;
  const one = await unsure([number], { lane: 1 }, 'Uzun '.repeat(50));
  await orphan(`a${number}`, number);
  await decide();
  expect(await ends(one)).toEqual([[112, 15]]);
});

test.each([
  ['where two carriers serve the number, no receipt ends the message', '{}', [112, 15]],
  [
    'where only one carrier serves the number, its receipt ends the message, though it came before the last move of the mark',
    '{9055}',
    [111, 0],
  ],
])('after a death, %s', async (_name, prefixes, end) => {
  const number = 5_321_000_000 + ++texts;
  await bench.db.query('update carriers set prefixes = $1 where id = 2', [prefixes]);
  const account = await bench.account();
  const orderId = await bench.accept(account, `Ölen ${texts}`, [number, number + 1_000_000]);
  await bench.db.query('update chunks set lane = 1, rank = 1');
  const owner = await registerDispatcher(bench.db, 'test');
  const [chunk] = await claimChunks(bench.db, owner, 1, [{ id: account, mark: 1 }], { messages: 500 });
  await orphan(`a${number}`, number);
  await moveMarks(bench.db, [{ chunkId: chunk!.chunkId!, token: chunk!.token, mark: 2 }]);
  await releaseLeases(bench.db, owner);
  await decide();
  await bench.db.query(`update carriers set prefixes = '{}' where id = 2`);
  expect((await ends({ orderId, ids: [] }))[0]).toEqual(end);
});

test('only a late delivery receipt corrects a message that ended as outcome unknown', async () => {
  const [late, failed] = [++next, ++next];
  const one = await unsure([late, failed], { lane: 1 });
  await decide();
  await orphan(`a${late}`, late);
  await orphan(`a${failed}`, failed, { status: 112 });
  expect(await decide()).toMatchObject({ adopted: 1 });
  expect(await decide()).toMatchObject({ adopted: 0 });
  expect(await ends(one)).toEqual([
    [111, 0],
    [112, 15],
  ]);
  expect((await audit(bench.db)).findings.filter(found => found.subject === `order ${one.orderId}`)).toEqual([]);
});

test("of 200 messages in doubt to 100 numbers, over two accounts, none is delivered by the other one's receipt", async () => {
  const to = Array.from({ length: 100 }, () => ++next);
  const both = await Promise.all([unsure(to, { lane: 1 }), unsure(to, { lane: 1 })]);
  for (const number of to) await orphan(`a${number}`, number);
  await Promise.all([decide(), decide(), decide()]);
  await decide();
  for (const one of both) expect((await ends(one)).every(([status]) => status === 112)).toBe(true);
});
