// Who did what, when, from where. Entries are written in the transaction of the action, if it has one.
import { type Queryable, run, sql } from '../db/db.ts';

export type AuditEntry = {
  accountId?: number | null;
  actor: string;
  action: string;
  detail?: object;
  address?: string | null;
};

const insertSql = sql('audit insert')`
  insert into audit_entries (account_id, actor, action, detail, address) values ($1, $2, $3, $4, $5)`;

export async function recordAuditEntry(db: Queryable, entry: AuditEntry): Promise<void> {
  await run(db, insertSql, [
    entry.accountId ?? null,
    entry.actor,
    entry.action,
    JSON.stringify(entry.detail ?? {}),
    entry.address ?? null,
  ]);
}

const personSql = sql('audit insert of a person')`
  insert into audit_entries (account_id, actor, action, detail, address)
  select m.account_id, u.email, $2, $3, $4 from users u left join memberships m on m.user_id = u.id where u.id = $1`;

/** An action on a person is written to the log of each of the person's accounts. */
export async function recordPersonAuditEntry(
  db: Queryable,
  userId: number,
  entry: Pick<AuditEntry, 'action' | 'detail' | 'address'>,
): Promise<void> {
  await run(db, personSql, [userId, entry.action, JSON.stringify(entry.detail ?? {}), entry.address ?? null]);
}
