// Numbers in the new cell go on behind those that came: rows of an account are told in the order of their numbers, and a number
// is given once. Only where rows are known by account and number: other numbers belong to the cell that gave them, and every cell
// gives its own (src/cells/add-cell.ts).
import type { Db } from '../../db/db.ts';
import { query } from './side.ts';
import { movedTables, type Owned, ownedBy } from './tables.ts';

// Its key has the account; what is owed to a user is known by the user's number alone.
const knownAlone = 'smpp_users';

const sequencesSql = `
  select t.relname as "table", a.attname as "column", pg_get_serial_sequence(format('%I', t.relname), a.attname) as sequence
  from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> ''
  join pg_constraint k on k.conrelid = t.oid and k.contype = 'p' and a.attnum = any (k.conkey) and cardinality(k.conkey) > 1
  where t.relname = any ($1) and t.relnamespace = current_schema()::regnamespace`;

export async function passNumbers(target: Db, owned: Owned): Promise<void> {
  const tables = new Map(movedTables.filter(one => one.name !== knownAlone).map(one => [one.name, one]));
  const found = await query<{ table: string; column: string; sequence: string }>(target, sequencesSql, [
    [...tables.keys()],
  ]);
  for (const { table, column, sequence } of found) {
    const rows = ownedBy(tables.get(table)!, owned);
    await target.query(`select setval('${sequence}', m.last) from (select max(${column}) as last from ${table} where ${rows}) m
      where m.last > coalesce(pg_sequence_last_value('${sequence}'), 0)`);
  }
}
