// Prepares a server of a Citus cluster: the program works on a distributed schema there as on ordinary PostgreSQL. Citus stores the rows of
// `cell.orders` in an ordinary table of that server, `cell.orders_102076`. A statement on `cell.orders` is planned twice and goes through the
// executor of Citus, which costs three times as much, and much of our SQL is refused. So a second schema, on this server only, has a view of each
// such table under its original name. A statement on the view is a statement on the table.
//
// Citus does not see these statements, so a trigger on each table keeps its rules: it takes the lock that the executor would take, for which a
// move of the schema waits, and refuses writes when the schema has moved, with the error of a read-only server. After a move Citus drops the old
// tables, and the views with them.
import { sha256 } from '../../sealing/digest.ts';
import pg from '../driver.ts';
import { migrationFiles } from '../migration-files.ts';
import { probeMs } from '../statement-limits.ts';
import type { Coordinator, Holding } from './coordinator.ts';
import { hintsOf } from './hints.ts';
import { hereOf, numbersOf, searchPathOf } from './names.ts';
import { reachedNumbers } from './numbers.ts';
import { readObjects, type SchemaObjects } from './schema-objects.ts';

type Order = { coordinator: Coordinator; schema: string; config: pg.ClientConfig; holding: Holding };

/** Tables whose `ctid` some statement uses: a view has it only as a column. */
export const knownByPlace = new Set([
  'balances',
  'chunks',
  'dispatch_clocks',
  'dispatchers',
  'idempotency_keys',
  'smpp_outbox',
]);

const lockMs = 2_000;
const triesMax = 15;
const passingStates = new Set(['55P03', '40P01']);
/** Columns of a view, the result of a function: they cannot be replaced. */
const otherStates = new Set(['42P16', '42P13']);
class OtherObjects extends Error {}

/** Runs once for a server and a version of the schema. */
export async function prepare(order: Order): Promise<void> {
  const applied = await order.coordinator.ask<{ name: string }>('select name from schema_migrations', []);
  if (migrationFiles().some(file => !applied.some(one => one.name === file.name)))
    throw new Error(`the schema ${order.schema} is not migrated: peyk migrate`);
  const objects = await readObjects(order.coordinator, order.schema);
  const client = await connect(order);
  let afresh = false;
  try {
    for (let tries = 1; ; tries++)
      try {
        return await inTransaction(client, order, objects, afresh);
      } catch (error) {
        const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
        const isOther = error instanceof OtherObjects || otherStates.has(state);
        if (tries >= triesMax || !(passingStates.has(state) || (isOther && !afresh))) throw error;
        afresh ||= isOther;
      }
  } finally {
    await client.end().catch(() => {});
  }
}

/** For migrations that drop columns: the views depend on them. */
export async function dropPrepared(order: Order, whole: boolean): Promise<void> {
  const client = await connect(order);
  try {
    await client.query('set citus.enable_ddl_propagation = off');
    for (const name of [hereOf(order.schema), ...(whole ? [numbersOf(order.schema)] : [])])
      await client.query(`drop schema if exists ${name} cascade`);
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect({ config, holding }: Order): Promise<pg.Client> {
  const client = new pg.Client({ ...config, application_name: 'peyk prepare', connectionTimeoutMillis: probeMs });
  Object.assign(client, { host: holding.host, port: holding.port });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** `afresh`: everything is dropped first. Otherwise objects are replaced, so that statements of running nodes find them. */
async function inTransaction(client: pg.Client, order: Order, objects: SchemaObjects, afresh: boolean): Promise<void> {
  const { schema } = order;
  const digest = sha256([...statementsFor(order, objects, '')].join(';')).toString('hex');
  await client.query(`begin; set local lock_timeout = ${lockMs}; set local citus.enable_ddl_propagation = off;
    set local check_function_bodies = off; set local search_path = ${searchPathOf(schema)}`);
  try {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 7036))', [schema]);
    if (!(await isPrepared(client, schema, digest, objects))) {
      const reached = await reachedNumbers(client, order, objects);
      const known = afresh ? undefined : await knownViews(client, schema);
      for (const text of statementsFor(order, objects, digest, known))
        await client.query(known ? text.replace(/^create (?=view|function)/, 'create or replace ') : text);
      if (known) await refuseOthers(client, schema, objects);
      for (const text of reached) await client.query(text);
      await client.query(homeText);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function isPrepared(client: pg.Client, schema: string, digest: string, { tables, views }: SchemaObjects) {
  const { rows } = await client.query(
    `select obj_description(to_regnamespace($1), 'pg_namespace') as digest,
      (select count(*)::int from pg_class where relkind = 'v' and relnamespace = to_regnamespace($1)) as views`,
    [hereOf(schema)],
  );
  return rows[0].digest === digest && rows[0].views === tables.length + views.length;
}

/** What a view shows: the table behind it, its columns. */
type Known = ReadonlyMap<string, string>;

const shown = (table: string, columns: string[]) => `${table} ${columns.join()}`;

/** undefined: there is no such schema yet. */
async function knownViews(client: pg.Client, schema: string): Promise<Known | undefined> {
  const { rows } = await client.query<{ name: string; table: string; columns: string[] }>(
    `select v.relname as name, t.relname as "table",
       array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = v.oid and a.attnum > 0 order by a.attnum) as columns
     from pg_namespace n left join pg_class v on v.relnamespace = n.oid and v.relkind = 'v' left join pg_class t on t.oid = (
       select d.refobjid from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
       where r.ev_class = v.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid limit 1)
     where n.nspname = $1`,
    [hereOf(schema)],
  );
  return rows.length === 0 ? undefined : new Map(rows.map(one => [one.name, shown(one.table, one.columns)]));
}

/** Throws where something is there besides these objects: a function of another name or with other parameters. */
async function refuseOthers(
  client: pg.Client,
  schema: string,
  { tables, views, functions }: SchemaObjects,
): Promise<void> {
  const { rows } = await client.query<{ views: number; functions: number }>(
    `select (select count(*)::int from pg_class where relkind = 'v' and relnamespace = n.oid) as views,
       (select count(*)::int from pg_proc where pronamespace = n.oid) as functions from pg_namespace n where n.nspname = $1`,
    [hereOf(schema)],
  );
  const [found] = rows;
  if (found!.views !== tables.length + views.length || found!.functions !== functions.length + 1)
    throw new OtherObjects();
}

/** The cluster moved the schema: no reason to hold dispatch (recognise_home) or to let ids jump (jump_ids). */
const homeText = `update data_home set system = (select s.system_identifier from pg_control_system() s),
  timeline = ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint,
  database_oid = (select d.oid from pg_database d where d.datname = current_database()), jumped_for = null, at = now()`;

/** `known`: views that are there. The digest is of all statements, and of the same ones in each release that makes the same objects. */
function* statementsFor(
  { schema, holding }: Order,
  objects: SchemaObjects,
  digest: string,
  known?: Known,
): Generator<string> {
  const here = hereOf(schema);
  if (!known) {
    yield `drop schema if exists ${here} cascade`;
    yield `create schema ${here}`;
  }
  yield `create schema if not exists ${numbersOf(schema)}`;
  for (const { name, increment } of objects.sequences) {
    yield `create sequence if not exists ${numbersOf(schema)}.${name} owned by none`;
    yield `alter sequence ${numbersOf(schema)}.${name} increment by ${increment}`;
  }
  yield guardText(schema, holding);
  for (const { name, shard, columns } of objects.tables) {
    const all = knownByPlace.has(name) ? [...columns, 'ctid'] : columns;
    if (known?.get(name) === shown(shard, all)) continue;
    yield `create view ${here}.${name} as select ${all.join(', ')} from ${schema}.${shard}`;
    if (known?.has(name)) continue;
    yield `create trigger peyk_moved before insert or update or delete on ${schema}.${shard}
      for each statement execute function ${here}.refuse_moved_1()`;
  }
  for (const { table, column, what, value } of hintsOf()) {
    const found = objects.tables.find(one => one.name === table && one.columns.includes(column));
    if (found) yield `alter table ${schema}.${found.shard} alter column ${column} set ${what} ${value}`;
  }
  for (const { table, column, sequence } of objects.numbered.filter(one => !known?.has(one.table)))
    yield `alter view ${here}.${table} alter column ${column} set default nextval('${numbersOf(schema)}.${sequence}')`;
  for (const { name, text } of objects.views) yield `create view ${here}.${name} as ${text}`;
  yield* objects.functions;
  yield `comment on schema ${here} is '${digest}'`;
}

// Once in a transaction. 5: a share lock, as Citus takes for a statement that writes; a move takes an exclusive one.
function guardText(schema: string, { group, shard }: Holding): string {
  return `create function ${hereOf(schema)}.refuse_moved_1() returns trigger language plpgsql as $guard$
    begin
      if current_setting('peyk.here', true) = '${schema}' then return null; end if;
      perform lock_shard_metadata(5, array[${shard}]);
      if not exists (select 1 from pg_dist_placement p where p.shardid = ${shard} and p.groupid = ${group}) then
        raise exception 'the schema ${schema} has moved to another server' using errcode = 'read_only_sql_transaction';
      end if;
      perform set_config('peyk.here', '${schema}', true);
      return null;
    end $guard$`;
}
