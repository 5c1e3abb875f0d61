// State of the synchronisation: what is due, which process works, and what people need to know. The running program also stores
// the address of its simulator here, so that commands find it without a setting.
import { type Db, type Queryable, row, rows, run, runOf, sql } from '../../db/db.ts';
import { reasonOf } from '../registry/codes.ts';
import type { Failed } from '../registry/outcome.ts';

type BrandSync = {
  brand: number;
  /** Records pending for the registry; counting stops at 10,000. */
  waiting: number;
  /** Citizens' decisions are known up to this time; null before the first pull. */
  pulledAt: Date | null;
  isReconciling: boolean;
  pause: { code: string; reason: string; since: Date } | null;
};
type ConsentSyncState = {
  answeredAt: Date | null;
  trouble: { code: string; since: Date } | null;
  brands: BrandSync[];
};

const dueSql = sql<{ due: boolean }>('consent sync due')`
  select exists (select 1 from consent_batches where ask_after <= now())
    or exists (select 1 from brands b left join consent_pauses p on p.brand = b.code and p.paused_until > now()
      where p.brand is null
        and exists (select 1 from consent_records r
        where r.brand = b.code and r.sync_state = 'queued' and r.sync_after <= now()))
    or exists (select 1 from brands b left join consent_cursors c on c.account_id = b.account_id and c.brand = b.code
      where b.active and coalesce(c.pull_after, '-infinity') <= now())
    or exists (select 1 from consent_cursors c where c.reconcile_from is not null
      and not exists (select 1 from consent_pauses p where p.brand = c.brand and p.paused_until > now())) as due`;
/** Everything that waits for a retry is tried now; only the registry's own delay of results is respected. */
export const makeAllDue = runOf('consent sync now')`
  with queue as (update consent_records set sync_after = now() where sync_state = 'queued' and sync_after > now()),
  pauses as (delete from consent_pauses)
  update consent_cursors set pull_after = now() where pull_after > now()`;
const wantSql = sql('consent sync want')`update consent_sync set wanted = true`;
const wantedSql = sql<{ wanted: boolean }>('consent sync wanted')`
  update consent_sync set wanted = false where wanted returning true as wanted`;
const nextAskSql = sql<{ inMs: number | null }>('consent next result')`
  select (extract(epoch from min(ask_after) - clock_timestamp()) * 1000)::float8 as "inMs" from consent_batches`;
export const announceRegistry = runOf<[url: string | null]>('consent sync announce')`
  update consent_sync set registry_url = $1, seen_at = now()`;
const announcedSql = sql<{ url: string }>('consent sync announced')`
  select registry_url as url from consent_sync where registry_url is not null and seen_at > now() - interval '2 minutes'`;
const noteSql = sql('consent sync note')`
  update consent_sync set answered_at = case when $1::text is null then now() else answered_at end, trouble = $1,
    trouble_at = case when $1::text is null then null else coalesce(trouble_at, now()) end`;
const stateSql = sql<{ answeredAt: Date | null; code: string | null; since: Date }>('consent sync state')`
  select answered_at as "answeredAt", trouble as code, trouble_at as since from consent_sync`;
const brandsSql = sql<Omit<BrandSync, 'pause'> & { code: string | null; since: Date }>('consent sync brands')`
  select b.code as brand, (select count(*) from (select 1 from consent_records r where r.brand = b.code
      and r.sync_state in ('queued', 'sent') and r.account_id = b.account_id limit 10000) w) as waiting,
    c.pulled_at as "pulledAt", c.reconcile_from is not null as "isReconciling", p.code, p.paused_at as since
  from brands b left join consent_cursors c on c.account_id = b.account_id and c.brand = b.code
  left join consent_pauses p on p.brand = b.code and p.paused_until > now()
  where b.account_id = $1 and b.active order by b.created_at, b.code`;

export async function isAnythingDue(db: Db): Promise<boolean> {
  return (await row(db, dueSql))!.due;
}

/** On a person's request: everything is due, and a worker that pauses after an error tries again within a second. */
export async function askForSync(db: Db): Promise<void> {
  await makeAllDue(db);
  await run(db, wantSql);
}

/** Whether a person asked since the last check. */
export async function takeSyncRequest(db: Db): Promise<boolean> {
  return (await row(db, wantedSql)) !== undefined;
}

/** Time until the next result may be asked for; null if no batch is in flight. */
export async function nextAskMs(db: Db): Promise<number | null> {
  return (await row(db, nextAskSql))!.inMs;
}

export async function announcedRegistry(db: Db): Promise<string> {
  return (await row(db, announcedSql))?.url ?? '';
}

export async function noteOutcome(db: Db, trouble: Failed | null): Promise<void> {
  await run(db, noteSql, [trouble && troubleCode(trouble)]);
}

export function troubleCode(trouble: Failed): string {
  return trouble.kind === 'later' || trouble.kind === 'refused' ? trouble.code : trouble.kind;
}

/** The registry's last complaint; null if it answers well. */
export async function registryTrouble(db: Queryable): Promise<{ code: string; since: Date } | null> {
  const state = await row(db, stateSql);
  return state && state.code !== null ? { code: state.code, since: state.since } : null;
}

/** For the panel: the age of our data, and why records wait. */
export async function consentSyncState(db: Queryable, accountId: number): Promise<ConsentSyncState> {
  const state = (await row(db, stateSql))!;
  const brands = await rows(db, brandsSql, [accountId]);
  return {
    answeredAt: state.answeredAt,
    trouble: state.code === null ? null : { code: state.code, since: state.since },
    brands: brands.map(({ code, since, ...brand }) => ({
      ...brand,
      pause: code === null ? null : { code, reason: reasonOf(code), since },
    })),
  };
}
