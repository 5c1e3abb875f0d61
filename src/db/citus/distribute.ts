// Makes a schema a distributed schema of a Citus cluster: one server has all its tables, and the cluster moves them together.

import { type Place, placesOf } from '../../settings/database-places.ts';
import { type Db, row, rows, sql, transaction } from '../db.ts';
import { troubleAt } from '../probe.ts';
import { statementLimits } from '../statement-limits.ts';

const installedSql = sql<{ citus: string | null; schema: string | null }>('citus installed')`
  select (select extversion from pg_extension where extname = 'citus') as citus, current_schema() as schema`;
const coordinatorSql = sql<{ coordinator: boolean; may: boolean; workers: number }>('citus coordinator')`
  select citus_is_coordinator() as coordinator, has_function_privilege('citus_schema_distribute(regnamespace)', 'execute') as may,
    (select count(*)::int from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards) as workers`;

const oldest = 12;

/** Why the schema cannot be distributed, for the operator; null: it can. */
export async function whyNotDistribute(db: Db): Promise<string | null> {
  const { citus, schema } = (await row(db, installedSql))!;
  if (!citus) return 'there is no Citus in that database: CREATE EXTENSION citus, on all servers of the cluster';
  if (Number.parseInt(citus, 10) < oldest) return `Citus ${citus} has no distributed schemas: 12 or newer is needed`;
  if (schema === 'public') return 'the schema public cannot be distributed: name another one, like ?schema=cell_1';
  const { coordinator, may, workers } = (await row(db, coordinatorSql))!;
  if (!coordinator) return 'that is a worker: give the address of the coordinator';
  if (!may) return 'the role of that address may not call citus_schema_distribute: GRANT EXECUTE on it';
  return workers === 0 ? 'no server of the cluster takes tables: SELECT citus_add_node(…)' : null;
}

const serversSql = sql<Place>('citus servers')`
  select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and isactive order by groupid`;

/** The servers that refuse our login or a schema of ours, with the error of each: any of them may get the schema. */
export async function serversThatRefuse(db: Db, address: string): Promise<string[]> {
  const { url, hosts = new Map<string, string>() } = placesOf(`${address}&citus=on`);
  const servers = await rows(db, serversSql);
  const troubles = await Promise.all(
    servers.map(async ({ host, port }) => {
      const place = { host: hosts.get(host) ?? host, port };
      const trouble = await troubleAt({ connectionString: url }, place);
      return trouble === null ? [] : [`server ${place.host}:${port} of the cluster: ${trouble}`];
    }),
  );
  return troubles.flat();
}

// The cluster moves a schema by logical replication, which needs a replica identity for each table.
const keylessSql = sql<{ table: string }>('tables without a key')`
  select quote_ident(c.relname) as "table" from pg_class c
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relreplident = 'd'
    and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`;

/** The way back is a copy. */
export async function distributeSchema(db: Db, schema: string): Promise<void> {
  await transaction(
    db,
    async tx => {
      for (const { table } of await rows(tx, keylessSql)) await tx.query(`alter table ${table} replica identity full`);
      await tx.query('select citus_schema_distribute($1)', [schema]);
    },
    statementLimits.audit,
  );
}
