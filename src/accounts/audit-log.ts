// Who did what, when, from where. Written in the transaction of the deed where there is one.
import { type Queryable, run, sql } from '../db/db.ts';

export type Deed = {
  accountId?: number | null;
  actor: string;
  action: string;
  detail?: object;
  address?: string | null;
};

const insertSql = sql('audit insert')`
  insert into audit_entries (account_id, actor, action, detail, address) values ($1, $2, $3, $4, $5)`;

export async function recordDeed(db: Queryable, deed: Deed): Promise<void> {
  await run(db, insertSql, [
    deed.accountId ?? null,
    deed.actor,
    deed.action,
    JSON.stringify(deed.detail ?? {}),
    deed.address ?? null,
  ]);
}

const personSql = sql('audit insert of a person')`
  insert into audit_entries (account_id, actor, action, detail, address)
  select m.account_id, u.email, $2, $3, $4 from users u left join memberships m on m.user_id = u.id where u.id = $1`;

/** What concerns a person rather than an account stands in the log of each of their accounts. */
export async function recordPersonDeed(
  db: Queryable,
  userId: number,
  deed: Pick<Deed, 'action' | 'detail' | 'address'>,
): Promise<void> {
  await run(db, personSql, [userId, deed.action, JSON.stringify(deed.detail ?? {}), deed.address ?? null]);
}
