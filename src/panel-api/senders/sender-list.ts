// Sender IDs with their last use, searched among the newest orders only: an older use does not matter.
import { type Queryable, rowsOf } from '../../db/db.ts';

type SenderRow = {
  name: string;
  state: 'applied' | 'approved' | 'rejected';
  reason: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  lastUsedAt: Date | null;
  applicationId: number | null;
};

export const senderRows = rowsOf<SenderRow, [accountId: number]>('panel senders')`
  with recent as (select sender, max(submit_at) as at from (
    select sender, submit_at from orders where account_id = $1 order by submit_at desc limit 2000) o group by sender)
  select s.name, s.state, s.reason, s.created_at as "createdAt", s.decided_at as "decidedAt", r.at as "lastUsedAt",
    (select max(p.id) from applications p where p.account_id = $1 and p.sender_name = s.name) as "applicationId"
  from senders s left join recent r on r.sender = s.name where s.account_id = $1 order by s.created_at, s.name limit 500`;

/** Approved ones, the last used first. */
export async function sendersByUse(db: Queryable, accountId: number): Promise<string[]> {
  const usedAt = (one: SenderRow) => one.lastUsedAt?.getTime() ?? 0;
  return (await senderRows(db, accountId))
    .filter(one => one.state === 'approved')
    .sort((a, b) => usedAt(b) - usedAt(a))
    .map(one => one.name);
}
