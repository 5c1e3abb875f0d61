// Messages whose submit was never answered: the link or the process died in between, and they may be on the air. After a
// pause they are resolved: a late answer or a receipt that fits only one of them tells the truth; for the rest the rule of
// the lane decides. Transactional: once more while that can still be of use. Campaign: never twice, the credit goes back.

import { nowMs } from '../clock.ts';
import { arrayLiteral, type Db, rows, sql, transaction } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type ClaimedChunk, countResent } from '../orders/claim.ts';

const usefulMs = 60_000;

const answeredSql = sql<{ id: number }>('unsure answered')`
  select s.message_id as id from submissions s where s.message_id = any ($1)
  group by s.message_id having count(distinct s.part) >= max(s.parts)`;
// Receipts nobody asked for, from the numbers in question: only where one receipt meets one message.
const adoptSql = sql<{ id: number; status: number; reason: number }>('unsure adopt')`
  with candidate as (
    select u.id, u.number from unnest($1::bigint[], $2::bigint[]) u(id, number)
    where u.number in (select n from unnest($2::bigint[]) n group by n having count(*) = 1)),
  fitting as (
    select r.id as receipt, c.id, r.status, r.reason, count(*) over (partition by c.id) as n
    from receipts r join candidate c on c.number = r.number where r.received_at >= $3),
  gone as (delete from receipts r using fitting f where r.id = f.receipt and f.n = 1)
  select id, status, reason from fitting where n = 1`;

export type UnsureFate = { resend: Set<number>; settled: { id: number; status: number; reason: number }[] };

/** What becomes of each message of an unsure chunk. Messages in neither set have had their answer after all. */
export async function resolveUnsure(
  db: Db,
  chunk: ClaimedChunk,
  lane: 0 | 1,
  rule: 'lane' | 'resend' | 'fail',
  holdMs: number,
  log: Log,
): Promise<UnsureFate> {
  const ids = chunk.ids ?? [];
  const fate: UnsureFate = { resend: new Set(), settled: [] };
  if (ids.length === 0) return fate;
  await transaction(db, async tx => {
    const answered = new Set((await rows(tx, answeredSql, [arrayLiteral(ids)])).map(one => one.id));
    const lostAt = new Date(chunk.dueAt.getTime() - holdMs);
    const open = ids.map((id, i) => ({ id, number: chunk.numbers![i]! })).filter(one => !answered.has(one.id));
    const adopted = await rows(tx, adoptSql, [
      arrayLiteral(open.map(one => one.id)),
      arrayLiteral(open.map(one => one.number)),
      new Date(lostAt.getTime() - usefulMs),
    ]);
    fate.settled.push(...adopted);
    const known = new Set(adopted.map(one => one.id));
    const rest = open.filter(one => !known.has(one.id)).map(one => one.id);
    if (mayResend(chunk, lane, rule, nowMs() - lostAt.getTime(), holdMs)) for (const id of rest) fate.resend.add(id);
    else for (const id of rest) fate.settled.push({ id, status: 112, reason: 15 });
    if (fate.resend.size) await countResent(tx, chunk.orderId, chunk.accountId, fate.resend.size);
  });
  log.warn(
    {
      order: chunk.orderId,
      account: chunk.accountId,
      unsure: ids.length,
      resent: fate.resend.size,
      settled: fate.settled.length,
    },
    'unanswered submits resolved',
  );
  return fate;
}

function mayResend(
  chunk: ClaimedChunk,
  lane: 0 | 1,
  rule: 'lane' | 'resend' | 'fail',
  ageMs: number,
  holdMs: number,
): boolean {
  if (rule === 'fail' || chunk.attempt > 0) return false;
  if (rule === 'resend') return true;
  return lane === 0 && ageMs <= usefulMs + holdMs;
}
