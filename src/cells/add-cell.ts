// Makes a database a cell: checks it, migrates it, gives it a range of ids of its own, and adds it to the directory.
import { distributeSchema, serversThatRefuse, whyNotDistribute } from '../db/citus/distribute.ts';
import { type Connection, citusOf, type Db, row, run, schemaOf, sql, transaction, withPool } from '../db/db.ts';
import { migrate, migrationsApart } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { addCell, announceCells, becomeCell, CellFault, membershipOf, numbersOfCell } from './directory.ts';

type Look = {
  version: number;
  text: string;
  name: string;
  tables: number;
  ours: boolean;
  knowsCells: boolean;
  readOnly: boolean;
};

// `name`: identifies the server and the database, whatever the address.
export const lookSql = sql<Look>('cell look')`
  select current_setting('server_version_num')::int as version, current_setting('server_version') as text,
    (select s.system_identifier || '/' || d.oid || case current_schema() when 'public' then '' else '/' || coalesce(current_schema(), '?') end
      from pg_control_system() s, pg_database d where d.datname = current_database()) as name,
    (select count(*)::int from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')) as tables,
    to_regclass('schema_migrations') is not null as ours, to_regclass('this_cell') is not null as "knowsCells",
    current_setting('transaction_read_only') = 'on' as "readOnly"`;
const usedSql = sql<{ used: boolean }>('cell used')`
  select exists (select 1 from accounts) or exists (select 1 from users) or exists (select 1 from cells) as used`;

const versionMin = 150_000;

/** Returns the number of the cell. `citus`: a schema of a cluster; the address is that of its coordinator. */
export async function makeCell(
  homeDb: Db,
  address: string,
  { key, weight, log, citus = false }: { key: SecretKey; weight: number; log: Log; citus?: boolean },
): Promise<number> {
  const atHome = await membershipOf(homeDb);
  if (atHome) throw new CellFault(`this database is itself cell ${atHome.id} of another one: add cells at their home`);
  const connection: Connection = { connectionString: address };
  return withPool(connection, 'peyk cell add', async db => {
    const homeName = (await row(homeDb, lookSql))!.name;
    await requireUsable(db, homeName);
    const whyNot = citus ? await whyNotDistribute(db) : null;
    if (whyNot) throw new CellFault(whyNot);
    // Before anything is changed: the cluster may place the schema on any of its servers.
    const refusing = citus ? await serversThatRefuse(db, address) : [];
    if (refusing.length > 0) throw new CellFault(refusing.join('; '));
    const isNew = citus && (await row(db, schemaSql)) === undefined;
    const stored = citus ? `${address}&citus=on` : address;
    try {
      await migrate(connection, log);
      if (citus) await distributeSchema(db, schemaOf(connection)!);
      return await enter(homeDb, db, { key, weight, address: stored, homeName });
    } catch (error) {
      if (isNew) await dropNew(db, stored).catch(() => {});
      throw error;
    }
  });
}

const schemaSql = sql('cell schema')`select from pg_namespace where nspname = current_setting('search_path')`;

/** Drops the schema that this command made, unless it is a cell: where only the answer of the commit was lost. */
async function dropNew(db: Db, address: string): Promise<void> {
  if ((await row(db, lookSql))!.knowsCells && (await membershipOf(db))) return;
  const { holder, schema } = citusOf({ connectionString: address })!;
  await holder.dropPrepared(true).catch(() => {});
  await db.query(`drop schema if exists ${schema} cascade`);
}

async function requireUsable(db: Db, homeName: string): Promise<void> {
  const { version, text, name, tables, ours, knowsCells, readOnly } = (await row(db, lookSql))!;
  if (version < versionMin) throw new CellFault(`PostgreSQL ${text} is too old: a cell needs 15 or newer`);
  if (name === homeName) throw new CellFault('that is the home itself: give the address of another database');
  if (readOnly) throw new CellFault('that server only reads: a standby cannot be a cell, its primary can');
  if (tables > 0 && !ours)
    throw new CellFault('there are tables of something else in that database: give an empty one');
  if (!ours) return;
  if ((await migrationsApart(db)).unknown.length > 0)
    throw new CellFault('a newer version of Peyk was in that database');
  if (!knowsCells) throw new CellFault('an older version of Peyk was in that database: give an empty one');
  const member = await membershipOf(db);
  if (member)
    throw new CellFault(
      member.home === homeName ? `it is cell ${member.id} already` : `it is cell ${member.id} of another home`,
    );
  if ((await row(db, usedSql))!.used)
    throw new CellFault('there are accounts, people or cells in that database: it is a home of its own');
}

type Entering = { key: SecretKey; weight: number; address: string; homeName: string };

/**
 * The cell is added to the directory once it is ready. If that fails, also at the commit, the database stops being a
 * cell.
 */
async function enter(homeDb: Db, db: Db, { key, weight, address, homeName }: Entering): Promise<number> {
  let entered: number | undefined;
  try {
    return await transaction(homeDb, async tx => {
      const id = await addCell(tx, key, address, weight);
      await transaction(db, async there => {
        await becomeCell(there, id, homeName);
        await run(there, numbersSql, [id * numbersOfCell]);
      });
      entered = id;
      await citusOf({ connectionString: address })?.holder.prepareAgain();
      await announceCells(tx);
      return id;
    });
  } catch (error) {
    // The cell is listed if only the answer of the commit was lost.
    if (entered !== undefined && !(await isListed(homeDb, entered))) await run(db, leaveSql).catch(() => {});
    throw error;
  }
}

const leaveSql = sql('cell leave')`delete from this_cell`;
const listedSql = sql('cell listed')`select 1 from cells where id = $1`;

function isListed(homeDb: Db, id: number): Promise<boolean> {
  return row(homeDb, listedSql, [id]).then(
    found => found !== undefined,
    () => true,
  );
}

// Rows keep their ids when an account moves, so two cells never give the same id.
const numbersSql = sql('cell numbers')`
  select setval(s.name::regclass, $1::bigint) from (
    select unnest(array['order_ids', 'message_ids', 'webhook_keys']) as name union all
    select pg_get_serial_sequence(format('%I', t.relname), a.attname)
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> '' and a.atttypid = 'bigint'::regtype
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relname <> 'accounts'
      and exists (select 1 from pg_attribute o where o.attrelid = t.oid
        and (o.attname = 'account_id' or o.attname = 'user_id' and t.relname like 'smpp%'))) s`;
