// Lists over all accounts, for staff.
import { type Db, type Queryable, row, rowsOf, sql } from '../../db/db.ts';
import { noTraffic } from '../../reports/sums.ts';
import { traffic } from '../../reports/traffic.ts';
import type { Failure } from '../../webhooks/failures.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';

export type AccountRow = {
  id: number;
  name: string;
  status: 'active' | 'suspended';
  sms: number;
  amount: string;
  rate: number;
  owner: string | null;
  createdAt: Date;
  lastOrderAt: Date | null;
};
type AccountsAsked = { id?: number; search?: string; status?: string; before?: number };

/** Without the platform's own account (accounts/platform-account.ts). */
const isCustomer = `a.id::text <> coalesce((select value from installation where name = 'platform-account'), '')`;

/** Search by id, name, e-mail address or mobile number of a user, beginning of a key, address on a list. */
export async function accountRows(db: Queryable, asked: AccountsAsked, most: number): Promise<AccountRow[]> {
  const filter = new Conditions()
    .add('a.id = ?', asked.id)
    .add('a.status = ?', asked.status)
    .add('a.id < ?', asked.before);
  if (asked.id === undefined) filter.plain(isCustomer);
  if (asked.search !== undefined) {
    const exact = filter.place(asked.search);
    const piece = filter.place(likePiece(asked.search));
    const start = filter.place(`${asked.search.replace(/[\\%_]/g, '\\$&')}%`);
    filter.plain(`(a.id::text = ${exact} or fold_turkish(a.name) like fold_turkish(${piece})
      or ${exact} = any (a.api_ips) or ${exact} = any (a.panel_ips)
      or exists (select 1 from credentials c where c.account_id = a.id and length(${exact}) >= 4 and c.key like ${start})
      or exists (select 1 from memberships m join users u on u.id = m.user_id where m.account_id = a.id
        and (u.email like lower(${piece}) or (length(${exact}) >= 7 and u.mobile::text like ${piece}))))`);
  }
  const found = await db.query(
    `select a.id, a.name, replace(a.status, 'moving', 'active') as status, b.sms, b.amount, a.rate, a.created_at as "createdAt",
       (select u.email from memberships m join users u on u.id = m.user_id where m.account_id = a.id and m.role = 'owner'
         order by m.created_at, u.id limit 1) as owner,
       (select max(o.submit_at) from orders o where o.account_id = a.id) as "lastOrderAt"
     from accounts a join balances b on b.account_id = a.id ${filter.where} order by a.id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as AccountRow[];
}

const sumsSql = {
  name: 'staff account sums',
  text: `select count(*) filter (where status = 'active') as active, count(*) filter (where status <> 'active') as suspended
    from accounts a where ${isCustomer}`,
};

export async function accountSums(db: Queryable) {
  return (await row<{ active: number; suspended: number }>(db, sumsSql))!;
}

/** As the account's own reports count it. */
export async function trafficOfAccount(db: Db, accountId: number, since: Date, now: Date) {
  const { cuts, isComplete } = await traffic(db, accountId, { from: since, to: now }, now, [
    { grain: 'all', by: null },
  ]);
  const { orders, total, delivered, undelivered } = cuts[0]?.[0] ?? noTraffic;
  return { orders, total, delivered, undelivered, isComplete };
}

type UserRow = {
  userId: number;
  email: string;
  name: string;
  staff: boolean;
  hasTotp: boolean;
  accounts: { id: number; name: string; role: string }[];
  lastSeenAt: Date | null;
};

export async function userRows(
  db: Queryable,
  asked: { search?: string; before?: number },
  most: number,
): Promise<UserRow[]> {
  const filter = new Conditions()
    .add(
      '(u.email like lower(?) or fold_turkish(u.name) like fold_turkish(?))',
      asked.search && likePiece(asked.search),
    )
    .add('u.id < ?', asked.before);
  const found = await db.query(
    `select u.id as "userId", u.email, u.name, u.staff, u.totp_secret is not null as "hasTotp",
       coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'role', m.role) order by a.id)
         from memberships m join accounts a on a.id = m.account_id where m.user_id = u.id), '[]') as accounts,
       (select max(s.seen_at) from sessions s where s.user_id = u.id) as "lastSeenAt"
     from users u ${filter.where} order by u.id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as UserRow[];
}

type FailingRow = {
  id: number;
  accountId: number;
  accountName: string;
  url: string;
  state: 'failing' | 'paused';
  reason: Failure | null;
  answerStatus: number | null;
  failures: number;
  failingSince: Date | null;
  nextProbeAt: Date | null;
};
export const failingWebhooks = rowsOf<FailingRow>('staff failing webhooks')`
  select e.no as id, e.owner_id as "accountId", a.name as "accountName", e.url, s.state, s.reason, s.answer_status as "answerStatus", s.failures,
    s.failing_since as "failingSince", s.next_probe_at as "nextProbeAt"
  from webhook_states s join webhook_endpoints e on e.account_id = s.account_id
  join accounts a on a.id = e.owner_id
  where s.state <> 'healthy' and e.url <> ''
  order by s.failing_since limit 200`;

const syncSql = sql<{ answeredAt: Date | null; trouble: string | null; troubleAt: Date | null }>('staff registry')`
  select answered_at as "answeredAt", trouble, trouble_at as "troubleAt" from consent_sync`;
const queuedSql = sql<{ queued: number; sent: number }>('staff registry queue')`
  select count(*) filter (where sync_state = 'queued') as queued, count(*) filter (where sync_state = 'sent') as sent
  from (select sync_state from consent_records c where sync_state in ('queued', 'sent') limit 200000) r`;
const refusedSql = sql<{ count: number }>('staff registry refused')`
  select count(*) as count from (select sync_state, synced_at, account_id from consent_records order by id desc limit 200000) r
  where sync_state = 'refused' and synced_at >= $1`;

export async function registrySums(db: Queryable, refusedSince: Date) {
  const sync = (await row(db, syncSql))!;
  const queue = (await row(db, queuedSql))!;
  return { ...sync, ...queue, refused: (await row(db, refusedSql, [refusedSince]))!.count };
}

export const brandRows = rowsOf<{
  accountId: number;
  accountName: string;
  brand: number;
  waiting: number;
  pulledAt: Date | null;
  code: string | null;
  since: Date | null;
}>('staff brands')`
  select b.account_id as "accountId", a.name as "accountName", b.code as brand, c.pulled_at as "pulledAt", p.code,
    p.paused_at as since, (select count(*) from (select 1 from consent_records r where r.account_id = b.account_id
      and r.brand = b.code and r.sync_state in ('queued', 'sent') limit 10000) w) as waiting
  from brands b join accounts a on a.id = b.account_id
  left join consent_cursors c on c.account_id = b.account_id and c.brand = b.code
  left join consent_pauses p on p.brand = b.code and p.paused_until > now()
  where b.active
  order by waiting desc, b.account_id limit 200`;

const receiptsSql = sql<{ count: number; since: Date | null }>('staff unmatched receipts')`
  select (select count(*) from (select 1 from receipts limit 100000) r) as count,
    (select received_at from receipts order by id limit 1) as since`;

export async function unmatchedReceipts(db: Queryable): Promise<{ count: number; since: Date | null }> {
  return (await row(db, receiptsSql))!;
}
