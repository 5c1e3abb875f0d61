// Audit entries, newest first: of one account, or of all for staff.
import type { Queryable } from '../../db/db.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';

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

const micros = '(extract(epoch from at) * 1000000)::bigint';

/** Ordered by time, which entries of several databases have in common; `before`: the last entry seen. */
export async function auditRowsByTime(
  db: Queryable,
  asked: AuditAsked,
  before: { micros: number; id: number } | null,
  most: number,
): Promise<(AuditRow & { micros: number })[]> {
  const filter = filterOf({ ...asked, before: undefined });
  if (before) filter.plain(`(${micros}, id) < (${filter.place(before.micros)}, ${filter.place(before.id)})`);
  const found = await db.query(
    `select id, at, account_id as "accountId", actor, action, detail, address, ${micros} as micros from audit_entries ${filter.where}
     order by at desc, id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as (AuditRow & { micros: number })[];
}

function filterOf(asked: { [Name in keyof AuditAsked]: AuditAsked[Name] | undefined }): Conditions {
  return new Conditions()
    .add('account_id = ?', asked.accountId)
    .add('fold_turkish(actor) like fold_turkish(?)', asked.actor && likePiece(asked.actor))
    .add('action = ?', asked.action)
    .add('at >= ?', asked.from)
    .add('at < ?', asked.to)
    .add('id < ?', asked.before);
}

export async function auditRows(db: Queryable, asked: AuditAsked, most: number): Promise<AuditRow[]> {
  const filter = filterOf(asked);
  const found = await db.query(
    `select id, at, account_id as "accountId", actor, action, detail, address from audit_entries ${filter.where}
     order by id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as AuditRow[];
}
