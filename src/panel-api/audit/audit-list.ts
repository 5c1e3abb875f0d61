// Audit entries, newest first: of one account, or of all for staff.
import type { Queryable } from '../../db/db.ts';
import { Conditions, likePiece } from '../conditions.ts';

export type AuditRow = {
  id: number;
  at: Date;
  accountId: number | null;
  actor: string;
  action: string;
  detail: Record<string, unknown>;
  address: string | null;
};
export type AuditAsked = {
  accountId?: number;
  actor?: string;
  action?: string;
  from?: Date;
  to?: Date;
  before?: number;
};

export async function auditRows(db: Queryable, asked: AuditAsked, most: number): Promise<AuditRow[]> {
  const filter = new Conditions()
    .add('account_id = ?', asked.accountId)
    .add('fold_turkish(actor) like fold_turkish(?)', asked.actor && likePiece(asked.actor))
    .add('action = ?', asked.action)
    .add('at >= ?', asked.from)
    .add('at < ?', asked.to)
    .add('id < ?', asked.before);
  const found = await db.query(
    `select id, at, account_id as "accountId", actor, action, detail, address from audit_entries ${filter.where}
     order by id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as AuditRow[];
}
