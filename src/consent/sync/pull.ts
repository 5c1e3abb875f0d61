// Pulls decisions that citizens made elsewhere, per account and brand, from a stored cursor. One statement stores a page and
// its cursor, and stored changes are recognised, so an interrupted pull is simply repeated. Only the registry's own sources are
// pulled: ours come back in the answers to what we send.

import { type Db, type Queryable, row, rows, run, sql } from '../../db/db.ts';
import { now } from '../../time/clock.ts';
import type { Movement } from '../registry/answer.ts';
import { registryLimits } from '../registry/client.ts';
import type { Failed } from '../registry/outcome.ts';
import { hourMs, isOver, type Sync } from './context.ts';
import { pauseBrand } from './queue.ts';

type Brand = { accountId: number; brand: number; after: string | null; currentAt: Date };

/** The registry keeps changes for seven days and shows them after an hour. */
const windowMs = 167 * hourMs;
const brandsMax = 100;
// Pages of one brand in a row, so that the others get their turn.
const pagesMax = 20;
const refusedPauseMs = 10 * 60_000;
// Pulling uses at most about a third of the ten requests a second, however many brands there are.
const brandsPerSecond = 3;

const countSql = sql<{ count: number }>('consent pull count')`select count(*) as count from brands where active`;
const dueSql = sql<Brand>('consent pull due')`
  select b.account_id as "accountId", b.code as brand, c.after, coalesce(c.pulled_at, b.created_at) as "currentAt"
  from brands b left join consent_cursors c on c.account_id = b.account_id and c.brand = b.code
  where b.active and coalesce(c.pull_after, '-infinity') <= now()
  order by coalesce(c.pull_after, '-infinity') limit $1`;
const storeSql = sql<{ stored: number }>('consent pull store')`
  with stored as (
    insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date,
      transaction_id, origin, sync_state, synced_at)
    select $1, $2, u.recipient, u.recipient_type, u.type, u.status, u.source, u.consent_date, u.transaction_id, 'registry',
      'accepted', $13
    from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[]) with ordinality
      u(recipient, recipient_type, type, status, source, consent_date, transaction_id, place)
    order by u.place
    on conflict do nothing returning 1),
  moved as (
    insert into consent_cursors (account_id, brand, after, pulled_at, pull_after)
    values ($1, $2, $10, $11, now() + make_interval(secs => $12::float8 / 1000))
    on conflict (account_id, brand) do update set after = excluded.after,
      pulled_at = coalesce(excluded.pulled_at, consent_cursors.pulled_at), pull_after = excluded.pull_after)
  select count(*) as stored from stored`;
const doubtSql = sql('consent doubt')`
  insert into consent_cursors (account_id, brand, reconcile_from) values ($1, $2, $3)
  on conflict (account_id, brand) do update set reconcile_from = excluded.reconcile_from, reconcile_type = '',
    reconcile_recipient_type = '', reconcile_recipient = ''`;
const forgetSql = sql('consent pull forget')`
  update consent_cursors set after = null where account_id = $1 and brand = $2`;
const postponeSql = sql('consent pull postpone')`
  insert into consent_cursors (account_id, brand, pull_after) values ($1, $2, now() + make_interval(secs => $3::float8 / 1000))
  on conflict (account_id, brand) do update set pull_after = excluded.pull_after`;

export async function pullChanges(sync: Sync): Promise<Failed | null> {
  const { count } = (await row(sync.db, countSql))!;
  const everyMs = Math.min(hourMs, Math.max(sync.pace.pullEveryMs, (count / brandsPerSecond) * 1_000));
  for (;;) {
    const due = await rows(sync.db, dueSql, [brandsMax]);
    for (const brand of due) {
      if (isOver(sync)) return null;
      const trouble = await pullBrand(sync, brand, everyMs);
      if (trouble !== null) return trouble;
    }
    if (due.length < brandsMax) return null;
  }
}

async function pullBrand(sync: Sync, brand: Brand, everyMs: number): Promise<Failed | null> {
  if (now().getTime() - brand.currentAt.getTime() > windowMs) await doubt(sync.db, brand);
  let { after } = brand;
  for (let page = 0; page < pagesMax; page++) {
    const answer = await sync.client.changes(brand.brand, after);
    sync.onStep('changes read');
    if (answer.kind === 'refused') return refusedPull(sync, brand, after, answer.scope, answer.code);
    if (answer.kind !== 'ok') return answer;
    const entries = answer.list.length + answer.unreadable;
    const isLast = entries < registryLimits.changesMax || answer.after === after;
    sync.tally.pulled += await store(sync.db, brand, answer.list, answer.after, isLast ? everyMs : null);
    after = answer.after;
    if (isLast || isOver(sync)) return null;
  }
  return null;
}

/** `everyMs` null: there is more to pull at once, and we are not up to date yet. */
async function store(db: Db, brand: Brand, list: Movement[], after: string | null, everyMs: number | null) {
  const found = await row(db, storeSql, [
    brand.accountId,
    brand.brand,
    ...movementColumns(list),
    after,
    everyMs === null ? null : now(),
    everyMs ?? 0,
    now(),
  ]);
  return found!.stored;
}

/** Recipients with transaction ids, one array per column, as the statements that store movements expect. */
export function movementColumns(list: Movement[]): string[][] {
  const column = (pick: (movement: Movement) => string) => list.map(pick);
  return [
    column(one => (one.type === 'EPOSTA' ? one.recipient.toLowerCase() : one.recipient)),
    column(one => one.recipientType),
    column(one => one.type),
    column(one => one.status),
    column(one => one.source || 'IYS'),
    column(one => one.consentDate.toISOString()),
    column(one => one.transactionId),
  ];
}

/** Changes may have been lost, so all recipients with a stored consent must be checked (reconcile.ts). */
export async function doubt(db: Queryable, { accountId, brand }: Pick<Brand, 'accountId' | 'brand'>): Promise<void> {
  await run(db, doubtSql, [accountId, brand, now()]);
}

async function refusedPull(sync: Sync, brand: Brand, after: string | null, scope: string, code: string): Promise<null> {
  const { db, log } = sync;
  const ids = [brand.accountId, brand.brand];
  if (scope === 'subscription' || scope === 'quota') {
    await pauseBrand(db, brand.brand, code, hourMs);
    await run(db, postponeSql, [...ids, hourMs]);
    return null;
  }
  log.error({ account: brand.accountId, brand: brand.brand, code }, 'consent.pull refused');
  // The registry may have rejected the cursor: start from its oldest change and check what lies before it.
  if (after !== null) {
    await doubt(db, brand);
    await run(db, forgetSql, ids);
  }
  await run(db, postponeSql, [...ids, after === null ? refusedPauseMs : 0]);
  return null;
}
