// Removes the rows of an account from a cell where it does not live, in small pieces: an incomplete copy, or rows that
// the account left behind.
import { home } from '../directory.ts';
import { type Client, query, within } from './side.ts';
import { appendedTables, namedTables, parcelTables, textTables } from './tables.ts';

const rowsAtOnce = 5_000;

/** `partly`: the cell from which an interrupted copy brought messages without their orders. */
export async function clear(client: Client, account: number, cell: number, partly?: Client): Promise<void> {
  if (partly) await removeCopied(client, account, partly);
  const removed = async (text: string) => (await client.query(text, [account])).rowCount ?? 0;
  // Their messages are removed by remove_orders, as by retention.
  while ((await within(client, () => removed(ordersText))) > 0);
  const left = 'select 1 from order_removals where account_id = $1 limit 1';
  while ((await query(client, left, [account])).length > 0)
    await client.query(`select remove_orders('-infinity', ${rowsAtOnce}, '0')`);
  const rest = [...parcelTables.toReversed(), ...namedTables.filter(one => one.name !== 'accounts')];
  for (const { name, rows } of rest) await removed(`delete from ${name} t where ${rows}`);
  const piece = (name: string, key: string) => `delete from ${name} where account_id = $1 and ${key} <= (
    select max(t.${key}) from (select ${key} from ${name} where account_id = $1 order by ${key} limit ${rowsAtOnce}) t)`;
  for (const { name } of appendedTables) while ((await removed(piece(name, 'id'))) > 0);
  while ((await removed(piece('message_numbers', 'number'))) > 0);
  for (const name of ['ledger_totals', 'account_parcels']) await removed(`delete from ${name} where account_id = $1`);
  // The home keeps the account for its people.
  if (cell === home) return;
  await removed('delete from memberships where account_id = $1');
  await removed('delete from accounts where id = $1');
}

const ordersText = `
  with old as (select o.id from orders o where o.account_id = $1 order by o.submit_at limit 1000),
  texts as (delete from more_texts t where t.account_id = $1 and t.order_id = any (array(select id from old))),
  columns as (delete from order_columns c where c.account_id = $1 and c.order_id = any (array(select id from old))),
  gone as (
    delete from orders o where o.account_id = $1 and o.id = any (array(select id from old))
    returning o.account_id, o.first_message_id, o.total)
  insert into order_removals select account_id, first_message_id, total from gone on conflict do nothing`;

async function removeCopied(client: Client, account: number, from: Client): Promise<void> {
  type Line = { id: number; at: string; first: number; last: number };
  for (let after: Line | undefined; ; ) {
    const orders: Line[] = await query(
      from,
      `select o.id, o.submit_at::text as at, o.first_message_id as first, o.first_message_id + o.total - 1 as last from orders o
       where o.account_id = $1 and (o.submit_at, o.id) > ($2, $3) order by o.submit_at, o.id limit 1000`,
      [account, after?.at ?? '-infinity', after?.id ?? 0],
    );
    if (orders.length === 0) return;
    await client.query(
      `delete from messages m where m.account_id = $1 and m.id = any (array(
         select x.id from unnest($2::bigint[], $3::bigint[]) u(first, last)
         cross join lateral (select y.id from messages y where y.account_id = $1 and y.id between u.first and u.last offset 0) x))`,
      [account, orders.map(one => one.first), orders.map(one => one.last)],
    );
    const ids = orders.map(one => one.id);
    for (const name of textTables)
      await client.query(`delete from ${name} where account_id = $1 and order_id = any ($2)`, [account, ids]);
    after = orders.at(-1);
  }
}
