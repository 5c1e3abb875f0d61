// Submits without an answer: who is sent once more, who is believed, who is given up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../audit/invariants.ts';
import { silentLog } from '../../log.ts';
import { type ClaimedChunk, claimChunks } from '../../orders/claim.ts';
import { registerDispatcher, releaseLeases } from '../../orders/dispatcher-lease.ts';
import { adoptLate, correctLate } from '../../orders/doubts.ts';
import { RecordBatch, storeRecords } from '../../orders/record.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { resolveUnsure, type UnsureRule } from './unsure.ts';

let bench: DispatchBench;
let texts = 0;

beforeAll(async () => {
  bench = await dispatchBench();
  for (const name of ['first', 'second']) await bench.scripted(name);
});
afterAll(() => bench.close());

const rule = (members: Partial<UnsureRule> = {}): UnsureRule => ({
  lane: 0,
  rule: () => 'lane',
  holdMs: 1_000,
  ...members,
});

/** An unsure chunk of an order to these numbers: leased, written so long ago over this carrier (null: a process died). */
async function unsure(
  numbers: number[],
  { ageMs = 1_500, attempt = 0, carrier = 1 }: { ageMs?: number; attempt?: number; carrier?: number | null } = {},
  text = `Belirsiz ${++texts}`,
): Promise<ClaimedChunk> {
  const orderId = await bench.accept(await sender(), text, numbers);
  const found = await bench.messages(orderId);
  const ids = found.map(one => one.id);
  const writtenAt = new Date(Date.now() - ageMs);
  const { rows } = await bench.db.query(
    `update chunks set kind = 2, ids = $2, carrier_id = $3, marked_at = $4, lease_owner = 1, lease_token = 7,
       written_at = case when $3::integer is not null then array_fill($4::timestamptz, array[cardinality($2::bigint[])]) end
     where first_message_id = $1 returning id, account_id as account`,
    [ids[0], ids, carrier, writtenAt],
  );
  const { id: chunkId, account: accountId } = rows[0];
  const chunk = { chunkId, token: 7, accountId, facts: [{ id: orderId }], kind: 2, attempt, ids, ageMs };
  return { ...chunk, numbers: found.map(one => one.number), markedAt: writtenAt } as unknown as ClaimedChunk;
}

/** Every order is of another account: none of this stops at the border between them. */
const sender = () => bench.account();

async function resentOf(chunk: ClaimedChunk): Promise<number> {
  return (await bench.db.query('select resent from orders where id = $1', [chunk.facts![0]!.id])).rows[0]
    .resent as number;
}

const ends = async (chunk: ClaimedChunk) =>
  (await bench.messages(chunk.facts![0]!.id)).map(one => [one.status, one.reason]);

test('a fresh transactional message is sent once more, and counted', async () => {
  const chunk = await unsure([5_550_000_001, 5_550_000_002]);
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(new Set(chunk.ids));
  expect(await resentOf(chunk)).toBe(2);
});

test('who dies before deciding has sent nothing: the next decides as if first; who dies after it was the second chance', async () => {
  const chunk = await unsure([5_550_000_005, 5_550_000_006]);
  const leased = async () => {
    const owner = await registerDispatcher(bench.db, 'test');
    await bench.db.query('update chunks set lease_owner = null, lease_token = null where id = $1', [chunk.chunkId]);
    const asked = [{ id: chunk.accountId, mark: 0 }];
    const [found] = await claimChunks(bench.db, owner, 0, asked, { messages: 500 });
    return { owner, found: found! };
  };
  const first = await leased();
  expect(first.found).toMatchObject({ kind: 2, attempt: 0 });
  await releaseLeases(bench.db, first.owner);
  const second = await leased();
  expect(second.found).toMatchObject({ kind: 2, attempt: 0 });
  expect((await resolveUnsure(bench.db, second.found, rule(), silentLog)).size).toBe(2);
  await releaseLeases(bench.db, second.owner);
  const third = await leased();
  expect(third.found).toMatchObject({ kind: 2, attempt: 1 });
  expect(await resolveUnsure(bench.db, third.found, rule(), silentLog)).toEqual(new Set());
  await releaseLeases(bench.db, third.owner);
  expect(await resentOf(chunk)).toBe(2);
});

test('one that somebody else has taken meanwhile is not sent', async () => {
  const chunk = await unsure([5_550_000_008]);
  const late = { ...chunk, token: chunk.token + 1 };
  expect(await resolveUnsure(bench.db, late, rule(), silentLog)).toEqual(new Set());
  expect(await ends(chunk)).toEqual([[110, 0]]);
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(new Set(chunk.ids));
});

test.each([
  ['of a campaign', { lane: 1 } as const, {}],
  ['older than a minute', {}, { ageMs: 62_000 }],
  ['sent twice already', {}, { attempt: 1 }],
  ['of a carrier that forbids it', { rule: () => 'fail' } as const, {}],
])('a message %s is not sent again: its outcome is unknown, its credit back', async (_name, how, members) => {
  const chunk = await unsure([5_550_000_003], members);
  expect(await resolveUnsure(bench.db, chunk, rule(how), silentLog)).toEqual(new Set());
  expect(await ends(chunk)).toEqual([[112, 15]]);
  expect(await resentOf(chunk)).toBe(0);
});

test('a carrier may want every such message again, campaigns included', async () => {
  const chunk = await unsure([5_550_000_004], { ageMs: 3_600_000 });
  const resend = await resolveUnsure(bench.db, chunk, rule({ lane: 1, rule: () => 'resend' }), silentLog);
  expect(resend.size).toBe(1);
});

test('one that was answered after all, or has ended, is left alone', async () => {
  const chunk = await unsure([5_550_000_005, 5_550_000_006, 5_550_000_007]);
  const late = new RecordBatch();
  Object.assign(late.submitted, {
    carriers: [1],
    ids: ['late'],
    accounts: [chunk.accountId],
    messages: [chunk.ids![0]!],
  });
  Object.assign(late.submitted, { part: [1], parts: [1] });
  Object.assign(late.outcomes, {
    accounts: [chunk.accountId],
    messages: [chunk.ids![1]!],
    statuses: [112],
    reasons: [12],
  });
  await storeRecords(bench.db, 0, 0, late, { after: new Date(), slackMs: 0 });
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(new Set([chunk.ids![2]]));
});

test('a receipt nobody asked for, from a number that only one of them has, is believed', async () => {
  const chunk = await unsure([5_550_000_011, 5_550_000_012, 5_550_000_013]);
  await bench.db.query(`insert into receipts (carrier_id, smsc_id, status, reason, number) values
    (1, 'orphan-1', 111, 0, 905550000011), (1, 'orphan-2', 112, 10, 905550000012),
    (1, 'twin-1', 111, 0, 905550000013), (1, 'twin-2', 111, 0, 905550000013)`);
  expect(await resolveUnsure(bench.db, chunk, rule({ lane: 1 }), silentLog)).toEqual(new Set());
  expect(await ends(chunk)).toEqual([
    [111, 0],
    [112, 10],
    [112, 15],
  ]);
  const { rows } = await bench.db.query(`select smsc_id from receipts where smsc_id like 'orphan%'`);
  expect(rows).toEqual([]);
});

test('deciding twice, after a commit whose answer was lost, changes nothing that was decided', async () => {
  const chunk = await unsure([5_550_000_021, 5_550_000_022]);
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number) values (1, 'once', 111, 0, 905550000021)`,
  );
  const first = await resolveUnsure(bench.db, chunk, rule(), silentLog);
  expect(await resolveUnsure(bench.db, chunk, rule(), silentLog)).toEqual(first);
  expect(await ends(chunk)).toEqual([
    [111, 0],
    [110, 0],
  ]);
});

test('each number follows the rule of its own carrier', async () => {
  const chunk = await unsure([5_550_000_050, 5_550_000_051]);
  const [again, never] = chunk.ids!;
  const byNumber = (number: number) => (number === 905_550_000_051 ? 'fail' : 'lane');
  expect(await resolveUnsure(bench.db, chunk, rule({ rule: byNumber }), silentLog)).toEqual(new Set([again]));
  expect((await bench.messages(chunk.facts![0]!.id)).find(one => one.id === never)).toMatchObject({
    status: 112,
    reason: 15,
  });
});

/** A receipt nobody asked for. */
async function orphan(id: string, number: number, how: { carrier?: number; status?: number; ageMs?: number } = {}) {
  await bench.db.query(
    `insert into receipts (carrier_id, smsc_id, status, reason, number, received_at)
     values ($1, $2, $3, 0, $4, now() - make_interval(secs => $5))`,
    [how.carrier ?? 1, id, how.status ?? 111, 900_000_000_000 + number, (how.ageMs ?? 0) / 1_000],
  );
}

const campaign = rule({ lane: 1 });
const resolve = (chunk: ClaimedChunk) => resolveUnsure(bench.db, chunk, campaign, silentLog);
const known = async (id: string) => (await bench.db.query('select 1 from receipts where smsc_id = $1', [id])).rowCount;
let next = 5_551_000_000;

test.each<[string, (number: number) => Promise<unknown>]>([
  ['came over another carrier', number => orphan(`a${number}`, number, { carrier: 2 })],
  ['came before the submit was written', number => orphan(`a${number}`, number, { ageMs: 3_000 })],
  [
    'may be about a message of another account, in doubt and in its pause',
    async number => {
      await unsure([number]);
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message in doubt that was given up before',
    async number => {
      await resolve(await unsure([number]));
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message in doubt that went over a carrier nobody knows',
    async number => {
      await unsure([number], { carrier: null });
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message being written now, whose answer is still to come',
    async number => {
      const orderId = await bench.accept(await sender(), `Yolda ${++texts}`, [number]);
      await bench.db.query(
        'update chunks c set lease_owner = 1, mark = 1 from orders o where o.id = $1 and o.first_message_id = c.first_message_id',
        [orderId],
      );
      await orphan(`a${number}`, number);
    },
  ],
  [
    'may be about a message that a process wrote before it died',
    async number => {
      const orderId = await bench.accept(await sender(), `Yarım ${++texts}`, [number]);
      await bench.db.query(
        'update chunks c set mark = 1 from orders o where o.id = $1 and o.first_message_id = c.first_message_id',
        [orderId],
      );
      await orphan(`a${number}`, number);
    },
  ],
  [
    'repeats one that told about another message',
    async number => {
      await settled(`a${number}`, number);
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
])('a receipt nobody asked for is not believed when it %s', async (_name, happened) => {
  const number = ++next;
  const chunk = await unsure([number]);
  await happened(number);
  await resolve(chunk);
  expect(await ends(chunk)).toEqual([[112, 15]]);
  expect(await known(`a${number}`)).toBe(1);
});

/** Another message to this number was submitted under this id, and its receipt came. */
async function settled(id: string, number: number): Promise<void> {
  const accountId = await sender();
  const [message] = await bench.messages(await bench.accept(accountId, `Önceki ${++texts}`, [number]));
  const batch = new RecordBatch();
  Object.assign(batch.submitted, { carriers: [1], ids: [id], accounts: [accountId], messages: [message!.id] });
  Object.assign(batch.submitted, { part: [1], parts: [1] });
  Object.assign(batch.receipts, { carriers: [1], ids: [id], statuses: [111], reasons: [0], numbers: [number] });
  batch.receipts.repeated.push(false);
  await storeRecords(bench.db, 0, 0, batch, { after: new Date(), slackMs: 0 });
}

test('a message to the same number that has its id and waits for its receipt is no rival', async () => {
  const number = ++next;
  const chunk = await unsure([number]);
  const accountId = await sender();
  const orderId = await bench.accept(accountId, `Bekler ${++texts}`, [number]);
  await bench.db.query(
    'update chunks c set lease_owner = 1, mark = 1 from orders o where o.id = $1 and o.first_message_id = c.first_message_id',
    [orderId],
  );
  const batch = new RecordBatch();
  const [message] = await bench.messages(orderId);
  Object.assign(batch.submitted, { carriers: [1], ids: ['has-id'], accounts: [accountId], messages: [message!.id] });
  Object.assign(batch.submitted, { part: [1], parts: [1] });
  await storeRecords(bench.db, 0, 0, batch, { after: new Date(), slackMs: 0 });
  await orphan(`a${number}`, number);
  await resolve(chunk);
  expect(await ends(chunk)).toEqual([[111, 0]]);
});

test('one receipt does not end a long message, which has one for each part', async () => {
  const number = ++next;
  const chunk = await unsure([number], {}, 'Uzun '.repeat(50));
  await orphan(`a${number}`, number);
  await resolve(chunk);
  expect(await ends(chunk)).toEqual([[112, 15]]);
});

test('after a death, where two carriers serve the number, no receipt is believed', async () => {
  const number = ++next;
  const chunk = await unsure([number], { carrier: null });
  await orphan(`a${number}`, number);
  await resolve(chunk);
  expect(await ends(chunk)).toEqual([[112, 15]]);
});

test('after a death, where only one carrier serves the number, its receipt is believed', async () => {
  const number = 5_321_000_001;
  await bench.db.query(`update carriers set prefixes = '{9055}' where id = 2`);
  const chunk = await unsure([number], { carrier: null });
  await orphan(`a${number}`, number);
  await resolve(chunk);
  await bench.db.query(`update carriers set prefixes = '{}' where id = 2`);
  expect(await ends(chunk)).toEqual([[111, 0]]);
});

test('a delivery told after the message was given up corrects it, and nothing else does', async () => {
  const [late, failed] = [++next, ++next];
  const chunk = await unsure([late, failed]);
  await resolve(chunk);
  await orphan(`a${late}`, late);
  await orphan(`a${failed}`, failed, { status: 112 });
  expect(await adoptLate(bench.db)).toBe(1);
  expect(await adoptLate(bench.db)).toBe(0);
  expect([await correctLate(bench.db), await correctLate(bench.db)]).toEqual([1, 0]);
  expect(await ends(chunk)).toEqual([
    [111, 0],
    [112, 15],
  ]);
  expect((await audit(bench.db)).findings.filter(one => one.subject === `order ${chunk.facts![0]!.id}`)).toEqual([]);
});

test("of 200 messages in doubt to 100 numbers, over two accounts, none is called delivered by the other one's receipt", async () => {
  const to = Array.from({ length: 100 }, () => ++next);
  const chunks = await Promise.all([unsure(to), unsure(to)]);
  for (const number of to) await orphan(`a${number}`, number);
  await Promise.all(chunks.map(resolve));
  await adoptLate(bench.db);
  await correctLate(bench.db);
  for (const chunk of chunks) expect((await ends(chunk)).every(([status]) => status === 112)).toBe(true);
});
