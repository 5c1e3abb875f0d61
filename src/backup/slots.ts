// The replication slot of a chain: the server keeps its log until it is archived, and one process at a time may read it. Base backups
// contain no slots, so a restored server begins a chain of its own, and so does a standby that took over.
import { randomBytes } from 'node:crypto';
import { type Queryable, row, rows, run, sql } from '../db/db.ts';

export type Slot = {
  name: string;
  chain: string;
  isActive: boolean;
  /** The server removed log that was not archived yet. */
  isLost: boolean;
  lsn: string | null;
  /** Size of the log that the server keeps for it. */
  backlogBytes: number;
};

const beginning = 'peyk_backup_';

// The name contains the database: two installations on one server have different slots.
const slotsSql = sql<Slot>('backup slots')`
  select s.slot_name::text as name, split_part(s.slot_name, '_', 4) as chain, s.active as "isActive",
    s.wal_status is not distinct from 'lost' as "isLost", s.restart_lsn::text as lsn,
    coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn), 0)::float8 as "backlogBytes"
  from pg_replication_slots s
  where s.slot_type = 'physical' and starts_with(s.slot_name::text, 'peyk_backup_' || (select oid from pg_database where datname = current_database()) || '_')
  order by s.slot_name`;
const makeSql = sql<{ lsn: string }>('backup slot make')`
  select lsn::text as lsn from pg_create_physical_replication_slot($1::name, true)`;
const dropSql = sql('backup slot drop')`
  select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active`;
const oidSql = sql<{ oid: string }>('backup database oid')`
  select oid::text as oid from pg_database where datname = current_database()`;

export function listSlots(db: Queryable): Promise<Slot[]> {
  return rows(db, slotsSql);
}

export async function makeSlot(db: Queryable): Promise<Slot> {
  const { oid } = (await row(db, oidSql))!;
  const chain = randomBytes(6).toString('hex');
  const name = `${beginning}${oid}_${chain}`;
  const { lsn } = (await row(db, makeSql, [name]))!;
  return { name, chain, isActive: false, isLost: false, lsn, backlogBytes: 0 };
}

/** A slot in use stays. */
export async function dropSlot(db: Queryable, name: string): Promise<void> {
  await run(db, dropSql, [name]);
}
