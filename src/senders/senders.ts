// Sender IDs of an account: applied for, approved, rejected. Only approved ones may be used; APITEST until there is one.
import { type Queryable, row, rowsOf, sql } from '../db/db.ts';
import { limits } from '../limits.ts';

export const testSender = 'APITEST';

type Sender = { name: string; state: 'applied' | 'approved' | 'rejected' };

/** Whether an account with these approved sender IDs may use `sender` now. Case and blanks matter. */
export function senderUsable(approved: readonly string[], sender: unknown): sender is string {
  if (typeof sender !== 'string') return false;
  return approved.length === 0 ? sender === testSender : approved.includes(sender);
}

const decideSql = sql<Sender>('sender decide')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into senders (account_id, name, state, reason, decided_at) values ($1, $2, $3, $4, now())
  on conflict (account_id, name) do update set state = excluded.state, reason = excluded.reason, decided_at = now()
  returning name, state`;
export const listSenders = rowsOf<Sender, [accountId: number]>('sender list')`
  select name, state from senders where account_id = $1 order by name`;

export async function decideSender(
  db: Queryable,
  accountId: number,
  name: string,
  state: 'approved' | 'rejected',
  reason: string | null = null,
): Promise<Sender> {
  const problem = senderProblem(name);
  if (problem) throw new Error(problem);
  return (await row(db, decideSql, [accountId, name, state, reason]))!;
}

export function senderProblem(name: string): string | null {
  if (name.trim() === '' || name !== name.trim()) return 'a sender ID is not empty and has no blank at its ends';
  if (name.length > limits.senderLength) return `a sender ID has at most ${limits.senderLength} characters`;
  if (!/^[A-Za-z0-9 ]+$/.test(name)) return 'a sender ID has only Latin letters, digits and blanks, no Turkish letters';
  if (name === testSender) return `${testSender} is reserved`;
  return null;
}
