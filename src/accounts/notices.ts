// Notices to an account's people about decisions on it. They are written in the transaction of the decision, shown in the
// panel's bell, and sent to the owner's phone by a separate loop (notices/notice-watch.ts).
import { type Queryable, rows, rowsOf, run, runOf, sql } from '../db/db.ts';

const noticeKinds = [
  'subscription.approved',
  'subscription.rejected',
  'sender.approved',
  'sender.rejected',
  'documents.asked',
  'account.suspended',
  'account.active',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];
/** `name`: the sender ID. */
type NoticeDetail = { name?: string; reason?: string; applicationId?: number };
type Notice = { id: number; kind: NoticeKind; detail: NoticeDetail; createdAt: Date; isNew: boolean };

const shownMax = 10;

const insertSql = sql('notice insert')`insert into account_notices (account_id, kind, detail) values ($1, $2, $3)`;

export async function recordNotice(
  tx: Queryable,
  accountId: number,
  kind: NoticeKind,
  detail: NoticeDetail = {},
): Promise<void> {
  await run(tx, insertSql, [accountId, kind, JSON.stringify(detail)]);
}

const shownSql = sql<Notice>('notices shown')`
  select n.id, n.kind, n.detail, n.created_at as "createdAt", n.id > m.notices_seen as "isNew"
  from account_notices n join memberships m on m.account_id = n.account_id and m.user_id = $2
  where n.account_id = $1 and n.created_at > $3 order by n.id desc limit $4`;
const shownMs = 30 * 86_400_000;

/** The member's notices of the last thirty days, newest first. */
export function noticesFor(db: Queryable, accountId: number, userId: number, now: Date): Promise<Notice[]> {
  return rows(db, shownSql, [accountId, userId, new Date(now.getTime() - shownMs), shownMax]);
}

export type PendingNotice = Omit<Notice, 'isNew'> & { accountId: number; accountName: string };
export const pendingNotices = rowsOf<PendingNotice>('notices pending')`
  select n.id, n.kind, n.detail, n.created_at as "createdAt", n.account_id as "accountId", a.name as "accountName"
  from account_notices n join accounts a on a.id = n.account_id where n.told_at is null order by n.id limit 100`;

export const markNoticeSent = runOf<[id: number]>('notice sent')`
  update account_notices set told_at = now() where id = $1`;
