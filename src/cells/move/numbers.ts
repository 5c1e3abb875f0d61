// Numbers in the new cell go on behind those that came: rows of an account are told in the order of their numbers, and a number
// is given once. Only where rows are known by account and number: other numbers belong to the cell that gave them, and every cell
// gives its own (src/cells/add-cell.ts).
import type { Client } from './side.ts';
import { grownTables, takenTables } from './tables.ts';

/** Their key is the account and a number that the database gives. A test holds the list against the schema. */
export const numbered =
  'account_notices chunks consent_records exports identity_checks inbound_messages ledger_entries send_drafts webhook_outbox'.split(
    ' ',
  );

export async function passNumbers(to: Client, account: number): Promise<void> {
  for (const { name, rows } of [...takenTables, ...grownTables].filter(one => numbered.includes(one.name)))
    await to.query(
      `select setval('${name}_id_seq', m.last) from (select max(t.id) as last from ${name} t where ${rows}) m
       where m.last > coalesce(pg_sequence_last_value('${name}_id_seq'), 0)`,
      [account],
    );
}
