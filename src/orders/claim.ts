// Taking work and giving it back: the statements by which dispatchers lease chunks. The rules are in claim_chunks_4.
import { int8s } from '../db/arrays.ts';
import { arrayLiteral, type Queryable, row, rows, run, sql } from '../db/db.ts';

export type ClaimedChunk = {
  chunkId: number | null;
  token: number;
  accountId: number;
  orderId: number;
  kind: 0 | 1 | 2;
  attempt: number;
  rate: number;
  sender: string;
  senderOk: boolean;
  consentList: string | null;
  sendAt: Date;
  /** When its messages were written at the latest, and how long ago that is by the database's clock. */
  markedAt: Date;
  /** Positions that may be written before the mark must be moved. */
  mark: number;
  ageMs: number;
  recheck: boolean;
  firstMessageId: number;
  ids: number[] | null;
  numbers: number[] | null;
  textNos: number[] | null;
  text: string;
  encoding: number;
  waitMs: number | null;
  /** The account has other chunks that are due. */
  more: boolean | null;
  /** Several orders of one message share it; orders and messages have consecutive ids, and each its text. */
  shared: boolean;
  texts: string[] | null;
  encodings: number[] | null;
};

const claimSql = sql<ClaimedChunk>('claim chunks')`
  select chunk_id as "chunkId", token, account_id as "accountId", order_id as "orderId", kind, attempt, rate, sender,
    sender_ok as "senderOk", consent_list as "consentList", send_at as "sendAt", marked_at as "markedAt", mark, age_ms as "ageMs", recheck,
    first_message_id as "firstMessageId", ids, numbers,
    text_nos as "textNos", text, encoding, wait_ms as "waitMs", more, shared, texts, encodings
  from claim_chunks_4($1, $2, $3, $4, $5, $6, $7, true)`;

export type ClaimLimits = { messages: number; holdMs: number };
/** `mark`: how far its first chunk may be written at once; `backMs`: only what became due within so long is looked for; null: everything. */
export type AskedAccount = { id: number; mark: number; backMs?: number | null };

export function claimChunks(
  db: Queryable,
  owner: number,
  lane: 0 | 1,
  accounts: AskedAccount[],
  limits: ClaimLimits,
): Promise<ClaimedChunk[]> {
  const ids = arrayLiteral(accounts.map(one => one.id));
  const marks = arrayLiteral(accounts.map(one => one.mark));
  const backMs = accounts.map(one => one.backMs ?? null);
  return rows(db, claimSql, [owner, lane, ids, marks, backMs, limits.messages, limits.holdMs]);
}

// A loose scan of the index: two probes per account with ready work, one for each rank, however many chunks it has.
const readySql = sql<AccountWithWork>('accounts with work')`
  with recursive r as (
    (select k.account_id from chunks k where k.lane = $1 and k.lease_owner is null and not k.quarantined
      order by k.account_id limit 1)
    union all
    select (select k.account_id from chunks k where k.lane = $1 and k.lease_owner is null and not k.quarantined
      and k.account_id > r.account_id order by k.account_id limit 1)
    from r where r.account_id is not null)
  select r.account_id as "accountId", o.oldest as "oldestMs" from r cross join lateral (
    select (extract(epoch from now() - min(p.due_at)) * 1000)::bigint as oldest
    from generate_series(0, 1) g(rank) cross join lateral (
      select k.due_at from chunks k where k.lane = $1 and k.lease_owner is null and not k.quarantined
        and k.account_id = r.account_id and k.rank = g.rank::smallint and k.due_at <= now() order by k.due_at limit 1) p) o
  where r.account_id is not null and o.oldest is not null
  limit 20000`;

/** `oldestMs`: how long the oldest of it has been due. */
export type AccountWithWork = { accountId: number; oldestMs: number };

export function accountsWithWork(db: Queryable, lane: 0 | 1): Promise<AccountWithWork[]> {
  return rows(db, readySql, [lane]);
}

const markSql = sql<{ id: number }>('chunk marks')`
  update chunks k set mark = m.mark, marked_at = now() from (
    select c.order_id, c.id, c.account_id, u.mark from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
    join chunks c on c.id = u.id and c.lease_owner is not null and c.lease_token = u.token order by c.id for update of c) m
  where k.order_id = m.order_id and k.id = m.id and k.account_id = m.account_id returning k.id`;

export type Mark = { chunkId: number; token: number; mark: number };

const heldSql = sql<{ id: number }>('chunk marks held')`
  select c.id from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
  join chunks c on c.id = u.id and c.lease_token = u.token and c.mark >= u.mark`;

/** Those of these chunks that are stored under our lease and as far as we were told. */
export async function heldMarks(db: Queryable, marks: Mark[]): Promise<Set<number>> {
  if (marks.length === 0) return new Set();
  const columns = [marks.map(one => one.chunkId), marks.map(one => one.token), marks.map(one => one.mark)];
  return new Set((await rows(db, heldSql, columns)).map(one => one.id));
}

/** Moves the marks before their messages are written; returns the chunks that are still ours. */
export async function moveMarks(db: Queryable, marks: Mark[]): Promise<Set<number>> {
  const columns = [marks.map(one => one.chunkId), marks.map(one => one.token), marks.map(one => one.mark)];
  return new Set((await rows(db, markSql, columns)).map(one => one.id));
}

const forgottenSql = sql('chunk forgotten')`
  update chunks k set lease_owner = null, lease_token = null, mark = 0 from (
    select c.order_id, c.id, c.account_id from chunks c where c.lease_owner = $1 and c.lane = $2 and not (c.id = any ($3))
    order by c.id for update) m
  where k.order_id = m.order_id and k.id = m.id and k.account_id = m.account_id`;

/**
 * After a claim whose answer was lost: leases of ours that we know nothing of go back untouched, since nothing of them
 * can have been written.
 */
export function returnForgotten(db: Queryable, owner: number, lane: 0 | 1, known: Iterable<number>): Promise<number> {
  return run(db, forgottenSql, [owner, lane, arrayLiteral(known)]);
}

const standingSql = sql<{ accountId: number; sender: string; active: boolean; senderOk: boolean }>('chunk standing')`
  select u.account_id as "accountId", u.sender, a.status = 'active'
    and not exists (select 1 from account_fences f where f.account_id = a.id) as active, s.ok as "senderOk"
  from unnest($1::bigint[], $2::text[]) u(account_id, sender) join accounts a on a.id = u.account_id
  cross join lateral sender_stands_1(u.account_id, u.sender) s`;

/** Whether these accounts may still send under these senders. */
export function standingOf(db: Queryable, pairs: { accountId: number; sender: string }[]) {
  return rows(db, standingSql, [arrayLiteral(pairs.map(one => one.accountId)), pairs.map(one => one.sender)]);
}

const openSql = sql<{ id: number }>('chunk open')`
  select id from messages where account_id = $1 and id = any ($2) and status = 110`;
const lockOpenSql = sql<{ id: number }>('chunk lock open')`
  select id from messages where account_id = $1 and id = any ($2) and status = 110 order by id for update`;

/** Which of these messages have not come to their end; locked, they do not for as long as the transaction lasts. */
export async function stillOpen(
  db: Queryable,
  accountId: number,
  ids: number[],
  lock: 'read' | 'lock',
): Promise<Set<number>> {
  const statement = lock === 'lock' ? lockOpenSql : openSql;
  return new Set((await rows(db, statement, [accountId, int8s(ids)])).map(one => one.id));
}

const textsSql = sql<{ no: number; text: string; encoding: number }>('chunk texts')`
  select no, text, encoding from order_texts where order_id = $1 and account_id = $2 and no between $3 and $4`;

export function chunkTexts(db: Queryable, orderId: number, accountId: number, from: number, to: number) {
  return rows(db, textsSql, [orderId, accountId, from, to]);
}

const blockedSql = sql<{ reasons: number[] }>(
  'chunk blocked',
)`select blocked_reasons_1($1, $2, $3)::bigint[] as reasons`;

/** For each number: 0, or why it may not be written to (any more). */
export async function blockedReasons(
  db: Queryable,
  accountId: number,
  numbers: number[],
  list: string | null,
): Promise<number[]> {
  return (await row(db, blockedSql, [accountId, int8s(numbers), list]))!.reasons;
}

const returnSql = sql('chunk return')`
  update chunks k set lease_owner = null, lease_token = null, mark = m.mark from (
    select c.order_id, c.id, c.account_id, u.mark from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
    join chunks c on c.id = u.id and c.lease_owner is not null and c.lease_token = u.token order by c.id for update of c) m
  where k.order_id = m.order_id and k.id = m.id and k.account_id = m.account_id`;

/** Gives chunks back on a clean stop: what lies before the mark has its answer. */
export async function returnChunks(db: Queryable, chunks: Mark[]): Promise<void> {
  await run(db, returnSql, [chunks.map(one => one.chunkId), chunks.map(one => one.token), chunks.map(one => one.mark)]);
}

const quarantineSql = sql('chunk quarantine')`select quarantine_chunk_1($1, $2, $3, $4)`;

/**
 * Nobody leases this chunk any more; its order's end (validity plus grace) closes what is in it. What lies before the mark
 * was written and becomes unsure like after any lost lease. One that several orders share becomes one for each of them.
 */
export async function quarantineChunk(db: Queryable, { chunkId, token, mark }: Mark, holdMs: number): Promise<void> {
  await run(db, quarantineSql, [chunkId, token, mark, holdMs]);
}

const resentSql = sql('order resent')`update orders set resent = resent + $3 where id = $1 and account_id = $2`;

export async function countResent(db: Queryable, orderId: number, accountId: number, count: number): Promise<void> {
  await run(db, resentSql, [orderId, accountId, count]);
}

const againSql = sql<{ id: number }>('chunk again')`
  update chunks set mark = count where order_id = $1 and account_id = $2 and id = $3 and lease_token = $4 returning id`;

/**
 * An unsure chunk is about to be sent once more: lost from now on it was lost twice. false: it is no longer ours. Apart from the
 * decision, which may wait for messages: who holds the chunk meanwhile keeps others from taking it over.
 */
export async function markAgain(db: Queryable, chunk: ClaimedChunk): Promise<boolean> {
  const { orderId, accountId, chunkId, token } = chunk;
  return (await rows(db, againSql, [orderId, accountId, chunkId, token])).length > 0;
}
