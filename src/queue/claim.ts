// The statements by which dispatchers lease chunks and give them back. The rules are in sql/claim.sql.
import { int8s } from '../db/arrays.ts';
import { arrayLiteral, type Queryable, row, rows, run, sql } from '../db/db.ts';
import { borrowedMs, burstLeast, burstMs } from './account-pace.ts';
import { smallChunk } from './chunk-size.ts';

/** The facts of an order that sending needs; `more`: its further texts, as far as the chunk uses them. */
export type OrderFacts = {
  id: number;
  sender: string;
  senderOk: boolean;
  list: string | null;
  sendAtMs: number;
  text: string;
  encoding: number;
  more: { no: number; text: string; encoding: number }[] | null;
};

export type ClaimedChunk = {
  chunkId: number | null;
  token: number;
  accountId: number;
  /** 0 for single sends and small orders. */
  rank: number;
  attempt: number;
  rate: number;
  /** Messages that may be written before the mark must be moved. */
  mark: number;
  recheck: boolean;
  firstMessageId: number;
  ids: number[] | null;
  /** For a list of ids: the position of each of `ids` in it. */
  places: number[] | null;
  numbers: number[] | null;
  /** Null: all have the first text of their order. */
  textNos: number[] | null;
  /** The order of each message; null: one order for all. */
  orders: number[] | null;
  facts: OrderFacts[] | null;
  waitMs: number | null;
  /** The account has other chunks that are due. */
  more: boolean | null;
};

const claimSql = sql<ClaimedChunk>('claim chunks')`
  select chunk_id as "chunkId", token, account_id as "accountId", rank, attempt, rate, mark,
    recheck, first_message_id as "firstMessageId", ids, places, numbers, text_nos as "textNos", orders, facts, wait_ms as "waitMs", more
  from claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** For each account: messages of small orders and of large ones. `room`: how many may be written at once. */
type ClaimLimits = { messages: number; large?: number; room?: number };
/** `mark`: how far its first chunk may be written at once. `backMs`: looks only for chunks that became due within this time; null: all. */
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
  const { messages, large = messages, room = messages } = limits;
  const pace = [smallChunk, borrowedMs, burstMs, burstLeast];
  return rows(db, claimSql, [owner, lane, ids, marks, backMs, messages, large, room, ...pace]);
}

// A loose index scan: two probes for each account with ready work, one for each rank, however many chunks it has.
const readySql = sql<AccountWithWork>('accounts with work')`
  with recursive r as (
    (select k.account_id from chunks k where k.lane = $1 and k.lease_owner is null and k.lost < 2
      order by k.account_id limit 1)
    union all
    select (select k.account_id from chunks k where k.lane = $1 and k.lease_owner is null and k.lost < 2
      and k.account_id > r.account_id order by k.account_id limit 1)
    from r where r.account_id is not null)
  select r.account_id as "accountId", o.oldest as "oldestMs" from r cross join lateral (
    select (extract(epoch from now() - min(p.due_at)) * 1000)::bigint as oldest
    from generate_series(0, 1) g(rank) cross join lateral (
      select k.due_at from chunks k where k.lane = $1 and k.lease_owner is null and k.lost < 2
        and k.account_id = r.account_id and k.rank = g.rank::smallint and k.due_at <= now() order by k.due_at limit 1) p) o
  where r.account_id is not null and o.oldest is not null
  limit 20000`;

/** `oldestMs`: how long its oldest chunk has been due. */
export type AccountWithWork = { accountId: number; oldestMs: number };

export function accountsWithWork(db: Queryable, lane: 0 | 1): Promise<AccountWithWork[]> {
  return rows(db, readySql, [lane]);
}

// A mark never goes back under a lease: a statement that was given up may still be executed, when messages beyond it are written. marked_at stays:
// messages written since then may have been reported already.
const markSql = sql<{ id: number }>('chunk marks')`
  update chunks c set mark = greatest(c.mark, h.mark) from (
    select k.account_id, k.first_message_id, k.id, u.mark from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
    join chunks k on k.id = u.id and k.lease_owner is not null and k.lease_token = u.token order by k.id for update of k) h
  where c.account_id = h.account_id and c.first_message_id = h.first_message_id and c.id = h.id returning c.id`;

export type Lease = { chunkId: number; token: number };
export type Mark = Lease & { mark: number };

export function columnsOf(marks: Mark[]): number[][] {
  return [marks.map(one => one.chunkId), marks.map(one => one.token), marks.map(one => one.mark)];
}

const heldSql = sql<{ id: number }>('chunk marks held')`
  select c.id from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
  join chunks c on c.id = u.id and c.lease_token = u.token and c.mark >= u.mark`;

/** The chunks that are stored under our lease with at least these marks. */
export async function heldMarks(db: Queryable, marks: Mark[]): Promise<Set<number>> {
  if (marks.length === 0) return new Set();
  return new Set((await rows(db, heldSql, columnsOf(marks))).map(one => one.id));
}

/** Moves the marks before their messages are written; returns the chunks that are still ours. */
export async function moveMarks(db: Queryable, marks: Mark[]): Promise<Set<number>> {
  return new Set((await rows(db, markSql, columnsOf(marks))).map(one => one.id));
}

const lostSql = sql('chunk lost')`
  update chunks k set lease_owner = null, lease_token = null, mark = 0 from (
    select c.first_message_id, c.id, c.account_id from chunks c where c.lease_owner = $1 and c.lane = $2
      and c.lease_token > $3 and c.lease_token < $4 and not (c.lease_token = any ($5))
    order by c.id for update) m
  where k.account_id = m.account_id and k.first_message_id = m.first_message_id and k.id = m.id`;

const tokenSql = sql<{ token: number }>('chunk token')`select nextval('lease_tokens') as token`;

/** A claim without an answer: its tokens are above those of the claims answered before it, and none of those answered since. */
export type LostClaim = { above: number; since: number[] };

/**
 * Gives back the leases of a claim without an answer, of which nothing can have been written. Should the database execute this statement after
 * we gave it up, what we have leased since stays ours, because its tokens are higher than the one that is drawn here.
 */
export async function returnLost(db: Queryable, owner: number, lane: 0 | 1, lost: LostClaim): Promise<number> {
  const { token } = (await row(db, tokenSql))!;
  return run(db, lostSql, [owner, lane, lost.above, token, arrayLiteral(lost.since)]);
}

const sendersSql = sql<{ accountId: number; sender: string; active: boolean; senderOk: boolean }>('chunk senders')`
  select u.account_id as "accountId", u.sender, a.status = 'active' as active, s.ok as "senderOk"
  from unnest($1::bigint[], $2::text[]) u(account_id, sender) join accounts a on a.id = u.account_id
  cross join lateral sender_stands(u.account_id, u.sender) s`;

/** Whether these accounts may still send under these senders. */
export function sendersAsOf(db: Queryable, pairs: { accountId: number; sender: string }[]) {
  return rows(db, sendersSql, [arrayLiteral(pairs.map(one => one.accountId)), pairs.map(one => one.sender)]);
}

const blockedSql = sql<{ reasons: number[] }>(
  'chunk blocked',
)`select blocked(array[$1::bigint], array[$3::text], null, $2)::bigint[] as reasons`;

/** For each number 0, or the reason why it may not be sent to. */
export async function blockedReasons(
  db: Queryable,
  accountId: number,
  numbers: number[],
  list: string | null,
): Promise<number[]> {
  return (await row(db, blockedSql, [accountId, int8s(numbers), list]))!.reasons;
}

const returnSql = sql('chunk return')`
  update chunks c set lease_owner = null, lease_token = null, mark = 0, count = c.count - h.mark, ids = c.ids[h.mark + 1:],
    first_message_id = case when c.ids is null then c.first_message_id + h.mark else coalesce(c.ids[h.mark + 1], c.first_message_id) end
  from (
    select k.account_id, k.first_message_id, k.id, u.mark from unnest($1::bigint[], $2::bigint[], $3::integer[]) u(id, token, mark)
    join chunks k on k.id = u.id and k.lease_owner is not null and k.lease_token = u.token order by k.id for update of k) h
  where c.account_id = h.account_id and c.first_message_id = h.first_message_id and c.id = h.id`;

/** Gives chunks back on a clean stop: messages before the mark have their answers, the rest waits again. */
export async function returnChunks(db: Queryable, chunks: Mark[]): Promise<void> {
  await run(db, returnSql, columnsOf(chunks));
}

const setAsideSql = sql('chunk set aside')`
  select halve_chunk(c, true) from chunks c where c.id = $1 and c.lease_owner is not null and c.lease_token = $2`;

/** Finds the bad message of a chunk that cannot be sent, and of which nothing was written, by halving it, and quarantines it. */
export async function setAsideChunk(db: Queryable, { chunkId, token }: Pick<Mark, 'chunkId' | 'token'>): Promise<void> {
  await run(db, setAsideSql, [chunkId, token]);
}
