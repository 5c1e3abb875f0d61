// Rows of an account that lives elsewhere: removed in small pieces, those of orders by the ranges of their messages. Each piece
// makes sure that the account has not come back meanwhile.
import { type Db, type Tx, transaction } from '../../db/db.ts';
import type { Fence } from './fence.ts';
import { query } from './side.ts';
import { movedTables, type Owned, ownedBy } from './tables.ts';

const ordersAtOnce = 50;
const rowsAtOnce = 5_000;

/** The numbers by which the rows of an account are found, as this database has them. */
export async function ownedIn(db: Db | Tx, account: number): Promise<Owned> {
  const [found] = await query<{ hooks: number[]; users: number[] }>(
    db,
    `select array(select w.account_id from webhook_endpoints w where w.owner_id = $1 and w.account_id <> $1 order by 1) as hooks,
      array(select u.id from smpp_users u where u.account_id = $1 order by 1) as users`,
    [account],
  );
  return { account, hooks: [account, ...found!.hooks], users: found!.users };
}

/**
 * Removes everything of an account that this database has, as long as it is fenced for this reason; whether that is done.
 * `thorough`: also messages that no order leads to, by reading their tables through.
 */
export async function removeAccount(db: Db, account: number, why: Fence, thorough = false): Promise<boolean> {
  const owned = await ownedIn(db, account);
  const pieces = [
    removeOrders,
    removeOrphans,
    ...statementsFor(owned, thorough).map(text => (tx: Tx) => removed(tx, text)),
  ];
  for (const piece of pieces)
    for (let count = 1; count > 0; ) {
      const taken = await transaction(db, async tx => ((await isFenced(tx, account, why)) ? piece(tx, account) : null));
      if (taken === null) return false;
      count = taken;
    }
  return true;
}

async function isFenced(tx: Tx, account: number, why: Fence): Promise<boolean> {
  const text = 'select 1 from account_fences where account_id = $1 and why = $2 for share';
  return (await query(tx, text, [account, why])).length > 0;
}

async function removed(tx: Tx, text: string): Promise<number> {
  return (await tx.query(text)).rowCount ?? 0;
}

/** Messages before orders, as everybody locks them. */
async function removeOrders(tx: Tx, account: number): Promise<number> {
  const orders = await query<{ id: number; first: number; total: number }>(
    tx,
    'select id, first_message_id as first, total from orders where account_id = $1 order by submit_at limit $2',
    [account, ordersAtOnce],
  );
  for (const { first, total } of orders)
    await query(tx, 'delete from messages where account_id = $1 and id between $2 and $3', [
      account,
      first,
      first + total - 1,
    ]);
  const ids = orders.map(one => one.id);
  for (const table of ['more_texts', 'order_columns'])
    await query(tx, `delete from ${table} where account_id = $1 and order_id = any ($2)`, [account, ids]);
  await query(tx, 'delete from orders where account_id = $1 and id = any ($2)', [account, ids]);
  return orders.length;
}

/** Messages of orders that retention had removed, and not yet them. */
async function removeOrphans(tx: Tx, account: number): Promise<number> {
  const gone = await query<{ first: number; total: number }>(
    tx,
    'delete from order_removals where account_id = $1 returning first_message_id as first, total',
    [account],
  );
  for (const { first, total } of gone)
    await query(tx, 'delete from messages where account_id = $1 and id between $2 and $3', [
      account,
      first,
      first + total - 1,
    ]);
  return 0;
}

const throughOrders = ['messages', 'more_texts', 'order_columns', 'orders'];

/** Those that refer to others first. */
function statementsFor(owned: Owned, thorough: boolean): string[] {
  const piece = (table: string, rows: string) =>
    `delete from ${table} where ctid = any (array(select ctid from ${table} where ${rows} limit ${rowsAtOnce}))`;
  const users = owned.users.length > 0 ? `user_id in (${owned.users.join(', ')})` : 'false';
  const moved = movedTables.filter(one => !throughOrders.includes(one.name)).toReversed();
  return [
    piece('smpp_parts', `group_id in (select id from smpp_groups where ${users})`),
    piece('smpp_groups', users),
    piece(
      'consent_batches',
      `request_id in (select r.request_id from consent_records r where r.account_id = ${owned.account} and r.sync_state = 'sent')`,
    ),
    ...(thorough ? throughOrders.map(table => `delete from ${table} where account_id = ${owned.account}`) : []),
    ...moved.map(one => piece(one.name, ownedBy(one, owned))),
    ...['api_usage', 'credential_uses'].map(table => piece(table, `account_id = ${owned.account}`)),
    piece('ledger_totals', `account_id = ${owned.account}`),
    // Copies, where it is a cell: people are at home.
    piece('memberships', `account_id = ${owned.account} and exists (select 1 from this_cell)`),
    // The home keeps it for the people who belong to the account.
    piece('accounts', `id = ${owned.account} and exists (select 1 from this_cell)`),
  ];
}
