// Messages whose submit was never answered: the link or the process died in between, and they may be on the air. After a
// pause they are resolved: a late answer or a receipt that fits only one of them tells the truth; for the rest the rule of
// the lane decides. Transactional: once more while that can still be of use. Campaign: never twice, the credit goes back.
import { arrayLiteral, type Db, type Queryable, rows, sql, transaction } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { type ClaimedChunk, countResent, markAgain, stillOpen } from '../../orders/claim.ts';
import { adoptReceipts, enterDoubts } from '../../orders/doubts.ts';
import { settleLeftReceipts } from '../../orders/inbox.ts';
import { settleMessages } from '../../orders/record.ts';

/** A one-time code older than this helps nobody; a second copy of it even less. */
const usefulMs = 60_000;

const answeredSql = sql<{ id: number }>('unsure answered')`
  select s.message_id as id from submitted_1((select min(i) from unnest($1::bigint[]) i), (select max(i) from unnest($1::bigint[]) i)) s
  where s.message_id = any ($1)
  group by s.message_id having count(distinct s.part) >= max(s.parts)`;

/** `rule`: what the carrier of a number says. */
export type UnsureRule = { lane: 0 | 1; rule(number: number): 'lane' | 'resend' | 'fail'; holdMs: number };

/**
 * Decides about each message of an unsure chunk, and stores the ends it decides on. Returns those to send once more; all
 * others have come to their end, or have had their answer after all. May be repeated after a lost COMMIT answer.
 */
export async function resolveUnsure(db: Db, chunk: ClaimedChunk, rule: UnsureRule, log: Log): Promise<Set<number>> {
  const ids = chunk.ids ?? [];
  if (ids.length === 0) return new Set();
  // Whoever wrote them may have acknowledged their receipts and died.
  await settleLeftReceipts(db);
  const { resend, adopted, ended } = await transaction(db, tx => decide(tx, chunk, ids, rule));
  const { accountId: account } = chunk;
  log.warn({ account, unsure: ids.length, resent: resend.size, adopted, ended }, 'unanswered submits resolved');
  return resend.size === 0 || (await markAgain(db, chunk)) ? resend : new Set();
}

async function decide(tx: Queryable, chunk: ClaimedChunk, ids: number[], rule: UnsureRule) {
  const open = await stillOpen(tx, chunk.accountId, ids, 'read');
  const answered = new Set((await rows(tx, answeredSql, [arrayLiteral(ids)])).map(one => one.id));
  const unknown = ids
    .map((id, i) => ({ id, number: chunk.numbers![i]! }))
    .filter(one => open.has(one.id) && !answered.has(one.id));
  const unknownIds = unknown.map(one => one.id);
  await enterDoubts(tx, chunk, unknownIds);
  const told = await adoptReceipts(tx, unknownIds);
  const known = new Set(told.map(one => one.id));
  // Receipts before messages, the order before the balance: docs/decisions/0008-lock-order.md.
  const locked = await stillOpen(tx, chunk.accountId, unknownIds, 'lock');
  const rest = unknown.filter(one => locked.has(one.id) && !known.has(one.id));
  const resend = new Set(rest.filter(one => mayResend(chunk, rule, one.number)).map(one => one.id));
  const ended = rest.filter(one => !resend.has(one.id)).map(({ id }) => ({ id, status: 112, reason: 15 }));
  if (resend.size > 0) await countResent(tx, chunk.accountId, [...resend]);
  await settleMessages(tx, chunk.accountId, [...told, ...ended]);
  return { resend, adopted: told.length, ended: ended.length };
}

function mayResend(chunk: ClaimedChunk, { lane, rule, holdMs }: UnsureRule, number: number): boolean {
  const wish = rule(number);
  if (wish === 'fail' || chunk.attempt > 0) return false;
  if (wish === 'resend') return true;
  return lane === 0 && chunk.ageMs <= usefulMs + holdMs;
}
