// Metrics that the first process of a node reads from the database. However often they are scraped, the statements run once in
// two seconds, in each cell that the node serves. A statement that takes too long is left out, and its metric is reported as
// missing.

import { readDatabaseClock } from '../../db/database-clock.ts';
import { type Db, row, rows, sql } from '../../db/db.ts';
import { inTime } from '../../loops/in-time.ts';
import { type Counted, countedHere, forgetMetric, gauge } from '../metrics.ts';
import type { MetricName } from '../table.ts';
import { laneDepths } from './queue-depth.ts';

export const laneNames = ['transactional', 'campaign'] as const;

const keptMs = 2_000;
const readMaxMs = 2_000;
/** Longer queues are reported as "at least" this number. */
const countedMax = 50_000;

const carriersSql = sql<{ carrier: string; links: number }>('metrics carriers')`
  select name as carrier, case when paused then 0 else least(coalesce(share, binds), binds) end as links from carriers`;

// A retry counts from the time it is due, because it may have been postponed on purpose.
const webhooksSql = sql<{ backlog: number; oldest: number; failing: number; paused: number }>('metrics webhooks')`
  with waiting as (
    (select account_id, coalesce(message_count, cardinality(message_ids), 1) - done as events, created_at as due
      from webhook_outbox where parked_at is null limit $1)
    union all (select account_id, 1, next_at from webhook_deliveries where state = 'pending' limit $1))
  select coalesce(sum(w.events), 0)::float8 as backlog,
    coalesce(greatest(0, extract(epoch from now() - min(w.due) filter (where coalesce(s.state, 'healthy') = 'healthy'))), 0)::float8 as oldest,
    (select count(*) from webhook_states where state = 'failing')::float8 as failing,
    (select count(*) from webhook_states where state = 'paused')::float8 as paused
  from waiting w left join webhook_states s on s.account_id = w.account_id`;

const registrySql = sql<{ waiting: number; lag: number; trouble: number }>('metrics registry')`
  select count(*)::float8 as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as lag,
    coalesce((select (trouble is not null)::integer from consent_sync), 0)::float8 as trouble
  from (select created_at from consent_records c where sync_state in ('queued', 'sent') limit $1) r`;

// The oldest receipt of a customer who is bound: an absent customer is not a fault of this installation.
const smppSql = sql<{ backlog: number; oldest: number; bans: number }>('metrics smpp')`
  select (select count(*) from (select 1 from smpp_outbox limit $1) o)::float8 as backlog,
    coalesce(greatest(0, extract(epoch from now() - (select min(o.due_at)
      from smpp_nodes n join smpp_binds b on b.node_id = n.id and b.kind <> 'transmitter'
      cross join lateral (
        select due_at from smpp_outbox where user_id = b.user_id and node_id is null order by due_at limit 1) o
      where n.beat_at > now() - interval '10 seconds'))), 0)::float8 as oldest,
    (select count(*) from smpp_bans where banned_until > now())::float8 as bans`;

const databaseSql = sql<{ bytes: number; oldest: number; sessions: number; most: number; held: number }>(
  'metrics database',
)`
  select pg_database_size(current_database())::float8 as bytes, coalesce(a.oldest, 0)::float8 as oldest, a.sessions::float8 as sessions,
    current_setting('max_connections')::float8 as most, (select count(*) from dispatch_hold)::float8 as held
  from (select count(*) filter (where backend_type = 'client backend') as sessions,
      max(extract(epoch from now() - xact_start)) filter (where datname = current_database()
        and backend_type in ('client backend', 'walsender') and pid <> pg_backend_pid()) as oldest
    from pg_stat_activity) a`;

const tablesSql = sql<{ table: string; live: number; dead: number; bytes: number }>('metrics tables')`
  select case when s.schemaname = current_schema() then s.relname else regexp_replace(s.relname, '_[0-9]+$', '') end as table,
    s.n_live_tup::float8 as live, s.n_dead_tup::float8 as dead, pg_total_relation_size(s.relid)::float8 as bytes
  from pg_stat_user_tables s where s.schemaname = current_schema()
    or exists (select 1 from pg_trigger t where t.tgrelid = s.relid and t.tgfoid = to_regproc('refuse_moved_1'))`;

// Replication slots of this database; src/backup names them. Before the first backup, the age is that of the failure.
const backupSql = sql<{ age: number | null; behind: number | null; backlog: number; damaged: boolean }>(
  'metrics backup',
)`
  select extract(epoch from now() - coalesce(base_at, trouble_since))::float8 as age,
    extract(epoch from now() - coalesce(reached_at, trouble_since))::float8 as behind,
    coalesce((select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) from pg_replication_slots
      where starts_with(slot_name::text, 'peyk_backup_' || (select oid from pg_database where datname = current_database()) || '_')), 0)::float8 as backlog
    , damage is not null as damaged
  from backup_state`;

type Value = { name: MetricName; labels?: Record<string, string>; value: number };

async function readAll(db: Db): Promise<Value[]> {
  const lanes = await laneDepths(db);
  const carriers = await rows(db, carriersSql);
  const webhooks = (await row(db, webhooksSql, [countedMax]))!;
  const registry = (await row(db, registrySql, [countedMax]))!;
  const smpp = (await row(db, smppSql, [countedMax]))!;
  const database = (await row(db, databaseSql))!;
  const tables = await rows(db, tablesSql);
  const backup = await row(db, backupSql);
  const clock = await readDatabaseClock(db);
  return [
    ...laneNames.flatMap((lane, i): Value[] => {
      const known = lanes.find(one => one.lane === i);
      return [
        { name: 'peyk_queue_messages', labels: { lane }, value: known?.messages ?? 0 },
        { name: 'peyk_queue_oldest_seconds', labels: { lane }, value: known?.oldestSeconds ?? 0 },
        { name: 'peyk_queue_quarantined_chunks', labels: { lane }, value: known?.quarantined ?? 0 },
      ];
    }),
    { name: 'peyk_dispatch_held', value: database.held },
    ...carriers.map(({ carrier, links }): Value => ({ name: 'peyk_links_wanted', labels: { carrier }, value: links })),
    { name: 'peyk_webhook_backlog', value: webhooks.backlog },
    { name: 'peyk_webhook_oldest_seconds', value: webhooks.oldest },
    { name: 'peyk_webhook_addresses_failing', labels: { state: 'failing' }, value: webhooks.failing },
    { name: 'peyk_webhook_addresses_failing', labels: { state: 'paused' }, value: webhooks.paused },
    { name: 'peyk_smpp_backlog', value: smpp.backlog },
    { name: 'peyk_smpp_oldest_seconds', value: smpp.oldest },
    { name: 'peyk_smpp_bans', value: smpp.bans },
    { name: 'peyk_registry_waiting', value: registry.waiting },
    { name: 'peyk_registry_lag_seconds', value: registry.lag },
    { name: 'peyk_registry_trouble', value: registry.trouble },
    { name: 'peyk_database_bytes', value: database.bytes },
    { name: 'peyk_database_oldest_transaction_seconds', value: database.oldest },
    { name: 'peyk_database_connections', value: database.sessions },
    { name: 'peyk_database_connections_max', value: database.most },
    ...tables.flatMap(({ table, live, dead, bytes }): Value[] => [
      { name: 'peyk_table_rows', labels: { table }, value: live },
      { name: 'peyk_table_dead_rows', labels: { table }, value: dead },
      { name: 'peyk_table_bytes', labels: { table }, value: bytes },
    ]),
    { name: 'peyk_clock_ahead_seconds', value: clock.aheadMs / 1_000 },
    ...(backup ? [{ name: 'peyk_backup_backlog_bytes', value: backup.backlog } as const] : []),
    ...(backup ? [{ name: 'peyk_backup_damaged', value: Number(backup.damaged) } as const] : []),
    ...(backup?.age != null ? [{ name: 'peyk_backup_age_seconds', value: backup.age } as const] : []),
    ...(backup?.behind != null ? [{ name: 'peyk_backup_behind_seconds', value: backup.behind } as const] : []),
  ];
}

/** The metrics of the first process with those of the databases. `places`: the home cell first, then the other served cells. */
export function databaseMetricsOf(places: () => [cell: number, Db][]): () => Promise<Counted> {
  let reading: Promise<void> | undefined;
  const published = new Set<MetricName>();
  const refresh = async () => {
    const answers = await Promise.all(
      places().map(async ([cell, db]) => {
        const values = await inTime(readAll(db), readMaxMs).catch(() => 'late' as const);
        return { cell: String(cell), values: values === 'late' ? null : values };
      }),
    );
    for (const name of published) forgetMetric(name);
    const set = ({ name, labels, value }: Value, cell: string) => {
      published.add(name);
      gauge(name).set({ ...labels, cell }, value);
    };
    for (const { cell, values } of answers) {
      set({ name: 'peyk_database_answers', value: values ? 1 : 0 }, cell);
      for (const one of values ?? []) set(one, cell);
    }
  };
  return async () => {
    reading ??= refresh().finally(() => setTimeout(() => (reading = undefined), keptMs).unref());
    await reading;
    return countedHere();
  };
}
