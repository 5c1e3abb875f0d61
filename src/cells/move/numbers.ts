// Sequences of the new cell continue after the ids that came with the account. Only of tables whose key is account and id: all other ids are
// unique over the cells (src/cells/add-cell.ts).
import type { Client } from './side.ts';
import { appendedTables, parcelTables } from './tables.ts';

/** Compared with the schema by a test. */
export const numbered =
  'account_notices chunks consent_records exports identity_checks inbound_messages ledger_entries send_drafts webhook_outbox'.split(
    ' ',
  );

export async function passNumbers(to: Client, account: number): Promise<void> {
  for (const { name, rows } of [...parcelTables, ...appendedTables].filter(one => numbered.includes(one.name)))
    await to.query(
      `select setval('${name}_id_seq', m.last) from (select max(t.id) as last from ${name} t where ${rows}) m
       where m.last > coalesce(pg_sequence_last_value('${name}_id_seq'), 0)`,
      [account],
    );
}
