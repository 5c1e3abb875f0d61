// Several processes accept and several dispatch, one dispatcher dies every few seconds, and receipts arrive early, twice and at the other
// node. The test calls the database functions directly, thousands of messages a second, and compares stored ends with the copies that the
// carriers got. `npm run chaos -- --stress 60` runs for a minute.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AcceptQueue } from '../../src/accept/accept-queue.ts';
import type { AcceptRequest } from '../../src/accept/accept-request.ts';
import { openAccount } from '../../src/accounts/open.ts';
import { audit } from '../../src/audit/invariants.ts';
import { grantCredit } from '../../src/balance/ledger.ts';
import { type Db, openPool } from '../../src/db/db.ts';
import { silentLog } from '../../src/log.ts';
import { matchUnmatchedReceipts, resolveReceipts, type Walk } from '../../src/receipts/resolve.ts';
import { now } from '../../src/time/clock.ts';
import { testPlace } from '../support/database/citus.ts';
import type { TestPlace } from '../support/database/database.ts';
import { wait } from '../support/run/wait.ts';
import { randomFrom } from './nemesis.ts';
import { StressDispatcher, type StressParts } from './stress-dispatcher.ts';
import { numbersEach, prefixes, Wire } from './stress-wire.ts';

const seconds = Number(process.env['PEYK_STRESS_SECONDS'] ?? 4);
const seed = Number(process.env['PEYK_CHAOS_SEED'] ?? Math.floor(Math.random() * 1e9));
const random = randomFrom(seed);
const below = (most: number) => Math.floor(random() * most);
const holdMs = 700;
const [rich, poor] = [1_000_000_000, 3_000];
const [acceptors, dispatchers, together] = [3, 3, 16];
const long = 'uzun';
/** Each account has every so many numbers on its blacklist. */
const blacklistEach = 97;
const numbersMax = 10_000;
const someNumber = () => prefixes[below(2)]! * numbersEach + below(numbersMax);

let place: TestPlace;
let accounts: number[];
const granted = new Map<number, number>();
const answered = new Map<number, { account: number; numbers: number[] }>();
const codes: Record<number, number> = {};
const opened: Db[] = [];
const wire = new Wire(random);

const pool = (max: number) => {
  const db = openPool(place.connection, { max, name: 'stress', onError: () => {} });
  opened.push(db);
  return db;
};

beforeAll(async () => {
  place = await testPlace();
  const db = place.pool;
  await db.query(
    `insert into carriers (name, host, port, system_id, password, prefixes)
     select 'stress-' || p, '127.0.0.1', 1, 'x', '', array[p] from unnest($1::text[]) p`,
    [prefixes],
  );
  accounts = [];
  for (let i = 0; i < 6; i++) {
    const { id } = await openAccount(db, `Yük ${i}`);
    await grantCredit(db, id, i < 2 ? poor : rich, 'test', 'test');
    granted.set(id, await balanceOf(id));
    accounts.push(id);
  }
  await db.query('update accounts set rate = 100000 where id = any ($1)', [accounts]);
  await db.query(
    `insert into blacklist_entries (account_id, number)
     select $1, n from generate_series($2::bigint, $2::bigint + $3, $4) n`,
    [accounts[3], prefixes[0]! * numbersEach, numbersMax, blacklistEach],
  );
  await db.query(`insert into webhook_endpoints (account_id, url) values ($1, 'https://example.com/')`, [accounts[4]]);
});

afterAll(async () => {
  for (const one of opened) await one.end();
  await place?.close();
});

async function balanceOf(account: number): Promise<number> {
  return (await place.pool.query('select sms from balances where account_id = $1', [account])).rows[0].sms as number;
}

let fingerprints = 0n;

function someOrder(): AcceptRequest {
  const account = accounts[below(accounts.length)]!;
  const count = random() < 0.1 ? 1 + below(150) : 1;
  const numbers = [...new Set(Array.from({ length: count }, someNumber))];
  const isLong = random() < 0.1;
  const isKeyed = random() < 0.1;
  const key = below(300);
  const text = { text: isLong ? long : 'kısa', encoding: 'gsm7', units: 10, parts: isLong ? 2 : 1 } as const;
  // Sometimes a repeated order, which the duplicate rule refuses.
  const fingerprint = random() < 0.1 ? BigInt(-1 - below(100)) : ++fingerprints;
  const at = now();
  return {
    ...{
      accountId: account,
      sender: 'PEYK',
      lane: random() < 0.2 ? 1 : 0,
      consentList: null,
      given: { source: 'api' },
    },
    ...{
      submitAt: at,
      sendAt: null,
      rate: 100_000,
      stamp: 0,
      texts: [text],
      repeatable: true,
    },
    recipients: { numbers, textNos: null, badAt: [], badTexts: [], fingerprint },
    idempotency: isKeyed ? { key: `k${key}`, bodyDigest: Buffer.from(`d${below(2)}`) } : null,
  };
}

async function accept(queue: AcceptQueue, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const request = someOrder();
    const answer = await queue
      .accept(request)
      .catch(error => ({ code: Number(error.code) || 503, orderId: 0, replayed: false }));
    codes[answer.code] = (codes[answer.code] ?? 0) + 1;
    if (answer.code === 200 && !answer.replayed)
      answered.set(answer.orderId, { account: request.accountId, numbers: request.recipients.numbers });
  }
}

async function resolveUntil(over: () => boolean): Promise<void> {
  const walk: Walk = { below: null };
  while (!over()) {
    await resolveReceipts(place.pool, holdMs, silentLog, walk);
    await pause(100);
  }
}

const count = async (text: string) => Number((await place.pool.query(text)).rows[0].n);

/** No chunk to send, no receipt in transit, no doubt to decide. */
async function isQuiet(): Promise<boolean> {
  if (!wire.isEmpty) return false;
  return (
    (await count(
      `select (select count(*) from chunks) + (select count(*) from unsure where decide_at is not null) + (select count(*) from receipt_inbox) as n`,
    )) === 0
  );
}

type Stored = { id: number; order_id: number; number: string; lane: number; status: number; reason: number };
const mayBeEither = [14, 15];

function wrong({ id, lane, status, reason }: Stored): string | null {
  const copies = wire.copies.get(id) ?? [];
  const reached = copies.some(one => one.fate === 'delivered');
  if (copies.length > (lane === 1 ? 1 : 2)) return `${copies.length} on the air`;
  if (reason === 2 && copies.length > 0) return 'sent although blacklisted';
  if (status === 111 && !reached) return 'false delivered';
  if (status === 112 && reached && !mayBeEither.includes(reason)) return 'false undelivered';
  // A copy without a receipt: the message waits for it.
  if (status === 110 && !copies.some(one => one.answered && one.fate === 'swallowed')) return 'never ended';
  return null;
}

test('while dispatchers die no accepted message is lost, sent too often or reported falsely, and the ledger is exact', async () => {
  let [over, deaths] = [false, 0];
  const parts: StressParts = {
    ...{ db: pool(2 * dispatchers), wire, accounts, random, holdMs },
    partsOf: ({ text }) => (text.includes(long) ? 2 : 1),
  };
  const dispatch = async () => {
    while (!over) {
      await new StressDispatcher(parts, 500 + below(2_000)).run();
      deaths++;
    }
  };
  const [sending, resolving] = [
    Promise.all(Array.from({ length: dispatchers }, dispatch)),
    Promise.all([resolveUntil(() => over), resolveUntil(() => over)]),
  ];
  const untilMs = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: acceptors }, () => {
      const queue = new AcceptQueue(pool(3), 3_600_000);
      return Promise.all(Array.from({ length: together }, () => accept(queue, untilMs)));
    }),
  );
  await wait('all to be quiet', isQuiet, 120_000 + seconds * 5_000);
  over = true;
  await Promise.all([sending, resolving]);
  await wait('receipts of the last dispatchers to be settled', async () => {
    await resolveReceipts(place.pool, holdMs, silentLog);
    return await isQuiet();
  });
  const walk: Walk = { below: null };
  await wait('all unmatched receipts to be read', async () => {
    await matchUnmatchedReceipts(place.pool, walk);
    return walk.below === null;
  });

  const { rows } = await place.pool.query(
    `select m.id, m.order_id, m.number::text as number, o.lane, m.status, m.reason from messages m join orders o on o.id = m.order_id`,
  );
  const stored = rows as Stored[];
  const unknown = stored.filter(one => one.reason === 15);
  const never = unknown.filter(one => !wire.copies.has(one.id));
  console.log(
    `PEYK_CHAOS_SEED=${seed}: ${JSON.stringify(codes)}, ${deaths} deaths, ${stored.length} messages, ${unknown.length} outcome unknown, of them never written ${never.length}`,
  );
  expect(
    stored.map(one => [wrong(one), one]).filter(([what]) => what !== null),
    `seed ${seed}`,
  ).toEqual([]);
  const ofOrder = new Map<number, number[]>();
  for (const one of stored) ofOrder.set(one.order_id, [...(ofOrder.get(one.order_id) ?? []), Number(one.number)]);
  for (const [id, { numbers }] of answered) expect(ofOrder.get(id)?.sort()).toEqual(numbers.sort());
  expect(ofOrder.size, 'orders that nobody was answered').toBe(answered.size);
  expect(await moneyIsWrong()).toEqual([]);
  expect(await wrongEvents()).toEqual([]);
  expect(await audit(place.pool)).toEqual({ ok: true, findings: [] });
  expect(deaths).toBeGreaterThan(dispatchers);
  expect(codes[200]).toBeGreaterThan(100);
});

async function moneyIsWrong(): Promise<unknown[]> {
  const { rows } = await place.pool.query(
    `select b.account_id as id, b.sms, coalesce(sum(m.credits) filter (where m.status in (110, 111)), 0)::bigint as due
     from balances b left join messages m on m.account_id = b.account_id where b.account_id = any ($1) group by 1, 2`,
    [accounts],
  );
  return rows.filter(one => one.sms < 0 || granted.get(one.id)! - one.sms !== Number(one.due));
}

/** The account with a webhook gets one event for each end, and another one for a correction. */
async function wrongEvents(): Promise<unknown[]> {
  const { rows } = await place.pool.query(
    `select m.id, m.status, count(t.id) as times from messages m left join (
       select unnest(message_ids) as id from webhook_outbox where kind = 'final' and account_id = $1) t on t.id = m.id
     where m.account_id = $1 and m.reason <> 2 group by 1, 2`,
    [accounts[4]],
  );
  return rows.filter(one =>
    one.status === 110 ? one.times > 0 : one.times < 1 || one.times > (one.status === 111 ? 2 : 1),
  );
}
