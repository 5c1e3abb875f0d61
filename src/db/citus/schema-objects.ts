// Tables, sequences, functions and views of a distributed schema, read from the coordinator, where migrations make them.
import type { Coordinator } from './coordinator.ts';

type Table = { name: string; shard: string; columns: string[] };
type Numbered = { table: string; column: string; sequence: string };
type Sequence = { name: string; start: string; increment: string; last: string | null };
export type SchemaObjects = {
  tables: Table[];
  numbered: Numbered[];
  sequences: Sequence[];
  /** `create` statements whose names have no schema. */
  functions: string[];
  views: { name: string; text: string }[];
};

const tablesText = `
  select c.relname as name, c.relname || '_' || sh.shardid as shard,
    array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      order by a.attnum) as columns
  from pg_dist_schema s join pg_dist_partition p on p.colocationid = s.colocationid
  join pg_class c on c.oid = p.logicalrelid and c.relnamespace = s.schemaid
  join pg_dist_shard sh on sh.logicalrelid = p.logicalrelid
  where s.schemaid = to_regnamespace($1) order by 1`;
const numberedText = `
  select t.relname as "table", a.attname as "column", s.relname as sequence
  from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('i', 'a') and d.refobjsubid > 0
  join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and t.relkind = 'r' and s.relnamespace = to_regnamespace($1) order by 1, 2`;
const sequencesText = `
  select sequencename as name, start_value::text as start, increment_by::text as increment, last_value::text as last from pg_sequences where schemaname = $1 order by 1`;
// PostgreSQL writes the name of a function with its schema, but types without it: the connection has the schema in its search path.
const functionsText = `
  select regexp_replace(pg_get_functiondef(p.oid), '^(CREATE OR REPLACE (?:FUNCTION|PROCEDURE) )' || $1 || '\\.', '\\1') as text
  from pg_proc p where p.pronamespace = to_regnamespace($1) order by p.proname`;
const viewsText = `
  select c.relname as name, pg_get_viewdef(c.oid) as text from pg_class c
  where c.relkind = 'v' and c.relnamespace = to_regnamespace($1) order by 1`;

export async function readObjects(coordinator: Coordinator, schema: string): Promise<SchemaObjects> {
  const functions = await coordinator.ask<{ text: string }>(functionsText, [schema]);
  return {
    tables: await coordinator.ask(tablesText, [schema]),
    numbered: await coordinator.ask(numberedText, [schema]),
    sequences: await coordinator.ask(sequencesText, [schema]),
    functions: functions.map(one => one.text),
    views: await coordinator.ask(viewsText, [schema]),
  };
}
