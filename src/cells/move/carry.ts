// The few rows that are written in the new cell by hand, while the account waits (carriedTables).
import { type Db, type Tx, transaction } from '../../db/db.ts';
import { query } from './side.ts';
import { carriedTables } from './tables.ts';

/** Submits of its messages: a row of them does not say whose it is. */
export async function carrySubmits(source: Db, target: Db, account: number): Promise<void> {
  for (let day = 0; day < 12; day++) {
    const [found] = await query<{ rows: string }>(
      source,
      `select coalesce(jsonb_agg(s), '[]')::text as rows from submits s
       where s.day = $2 and exists (select 1 from messages m where m.id = s.message_id and m.account_id = $1)`,
      [account, day],
    );
    await query(target, 'insert into submits select * from jsonb_populate_recordset(null::submits, $1::jsonb)', [
      found!.rows,
    ]);
  }
}

export async function carryRows(source: Db, target: Db, account: number): Promise<void> {
  await transaction(target, async tx => {
    await tx.query("select set_config('peyk.mover', 'on', true)");
    for (const { name, rows, key, meet } of carriedTables) {
      const [found] = await query<{ rows: string }>(
        source,
        `select coalesce(jsonb_agg(t), '[]')::text as rows from ${name} t where ${rows}`,
        [account],
      );
      if (found!.rows === '[]') continue;
      const meeting = meet ?? `update set ${await replaced(tx, name, key)}`;
      await query(
        tx,
        `insert into ${name} overriding system value select * from jsonb_populate_recordset(null::${name}, $1::jsonb)
         on conflict (${key}) do ${meeting}`,
        [found!.rows],
      );
    }
  });
}

async function replaced(tx: Tx, table: string, key: string): Promise<string> {
  const columns = await query<{ name: string }>(
    tx,
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> $2 order by attnum`,
    [table, key],
  );
  // What a node remembers of an account from an earlier stay must not count again.
  const value = (name: string) => (name === 'stamp' ? `greatest(${table}.stamp, excluded.stamp)` : `excluded.${name}`);
  return columns.map(({ name }) => `${name} = ${value(name)}`).join(', ');
}
