// The last step of a copy. One transaction of the old cell puts all rows that were not copied into a parcel (account_parcels) and removes the
// unfinished ones: with its commit the account has left. One transaction of the new cell stores the parcel: with its commit the account is there.
import { sqlState } from '../../db/db.ts';
import { type History, hasEnded, isOver, messageConflict, type OpenOrder } from './history.ts';
import { passNumbers } from './numbers.ts';
import { asText, Store } from './rows.ts';
import { type Client, query, within } from './side.ts';
import { appendedTables, namedTables, parcelTables, type Table, textTables } from './tables.ts';

/** Leases or transactions did not end in time: the account works on in its old cell. */
export class NotDrained extends Error {}

const rowsAtOnce = 500;
const tries = 5;
const lockStates = new Set(['55P03', '40P01']);

/** Puts rows into the parcel. `rows`: a statement that returns them, with the account as $1 and `values` as the others. */
type Keep = (name: string, rows: string, values?: unknown[], each?: number) => Promise<unknown>;

const keeper = (from: Client, account: number): Keep => {
  return (name, rows, values = [], each = rowsAtOnce) =>
    from.query(
      `with g as (${rows}) insert into account_parcels (account_id, name, rows)
       select $1, '${name}', ${asText('g.r')} from (select g as r, (row_number() over () - 1) / ${each} as n from g) g group by n order by n`,
      [account, ...values],
    );
};

const removal = ({ name, rows }: Table) => `delete from ${name} t where ${rows} returning t.*`;

/** `bounds`: of append-only tables, the last id when the account began to wait. */
export async function pack(
  from: Client,
  account: number,
  history: History,
  bounds: Map<string, string>,
): Promise<void> {
  for (let nth = 1; ; nth++) {
    try {
      return await within(from, () => packOnce(from, account, history, bounds));
    } catch (error) {
      if (nth === tries || !lockStates.has(sqlState(error))) throw error;
    }
  }
}

/** Lock order: docs/decisions/0008-lock-order.md. */
async function packOnce(from: Client, account: number, history: History, bounds: Map<string, string>): Promise<void> {
  await from.query("set local lock_timeout = '1500ms'");
  // Starting an order locks its row first; every message and text of an order that is still scheduled is copied.
  const scheduled = await query<{ id: number }>(
    from,
    'select id from orders where account_id = $1 and id = any ($2) and planned order by id for update',
    [account, [...history.scheduled]],
  );
  const [found] = await query<{ status: string; leased: boolean }>(
    from,
    `select a.status, exists (select 1 from chunks c where c.account_id = a.id and c.lease_owner is not null) as leased
     from accounts a where a.id = $1 for update of a`,
    [account],
  );
  if (found?.status !== 'moving') throw new NotDrained('the status of the account was changed meanwhile');
  if (found.leased) throw new NotDrained('messages of the account are still being sent to carriers');
  const keep = keeper(from, account);
  const first = parcelTables.filter(one => one.name === 'chunks' || one.name === 'unsure');
  for (const one of first) await keep(one.name, removal(one));
  await packOrders(from, account, keep, history, new Set(scheduled.map(one => one.id)));
  for (const one of parcelTables.toReversed())
    if (!first.includes(one)) await keep(one.name, removal(one), [], one.each);
  for (const { name } of appendedTables)
    await keep(name, `select * from ${name} x where x.account_id = $1 and x.id > $2`, [bounds.get(name)]);
  for (const { name, rows } of namedTables) await keep(name, `select * from ${name} t where ${rows}`);
}

async function packOrders(
  from: Client,
  account: number,
  keep: Keep,
  { open, since }: History,
  scheduled: Set<number>,
): Promise<void> {
  const all = [...open.values()].sort((a, b) => a.first - b.first);
  const begun = all.filter(one => !scheduled.has(one.id));
  const [first, last] = [begun.map(one => one.first), begun.map(one => one.last)];
  const mine = (what: string, which: string) => `select ${what} from unnest($2::bigint[], $3::bigint[]) u(first, last)
    cross join lateral (select m.* from messages m where m.account_id = $1 and m.id between u.first and u.last and ${which}) m`;
  // Waits for transactions that settle one of them; nobody changes them afterwards.
  await from.query(mine('count(*)', `not ${isOver} order by m.id for update`), [account, first, last]);
  const spans = spansOf(begun);
  for (const name of ['submits', 'part_receipts'])
    await keep(
      name,
      `delete from ${name} x using unnest($2::bigint[], $3::bigint[]) u(first, last)
       where x.message_id between u.first and u.last
         and (select true from messages m where m.id = x.message_id and m.account_id = $1 limit 1) returning x.*`,
      [spans.map(one => one.first), spans.map(one => one.last)],
    );
  const added = mine('m.*', `${isOver} and coalesce(m.final_at, 'infinity') >= $4 offset 0`);
  await keep('messages', added, [first, last, since]);
  const unfinished = mine('m.id', `not ${isOver} offset 0`);
  await keep(
    'messages',
    `delete from messages m where m.account_id = $1 and m.id = any (array(${unfinished})) returning m.*`,
    [first, last],
  );
  const byOrder = (name: string, key: string) => `delete from ${name} where account_id = $1 and ${key} = any ($2)`;
  const idsOf = (of: OpenOrder[]) => of.map(one => one.id);
  await keep('orders', `${byOrder('orders', 'id')} returning *`, [idsOf(all)]);
  for (const name of textTables) {
    await keep(name, `${byOrder(name, 'order_id')} returning *`, [idsOf(begun)], 20);
    await from.query(byOrder(name, 'order_id'), [account, [...scheduled]]);
  }
  // Their messages that stayed, which are copied, are removed by these.
  await from.query(
    `insert into order_removals (account_id, first_message_id, total)
     select $1, u.first, u.last - u.first + 1 from unnest($2::bigint[], $3::bigint[]) u(first, last) on conflict do nothing`,
    [account, all.map(one => one.first), all.map(one => one.last)],
  );
  const missed = `select 1 from orders o where o.account_id = $1 and o.submit_at > now() - interval '1 hour' and not ${hasEnded} limit 1`;
  if ((await query(from, missed, [account])).length > 0) throw new NotDrained('an order was accepted meanwhile');
}

const gapMax = 5_000;

/** Merges ranges that are close together: submits have an index by ranges alone. */
function spansOf(orders: OpenOrder[]): { first: number; last: number }[] {
  const spans: { first: number; last: number }[] = [];
  for (const { first, last } of orders) {
    const before = spans.at(-1);
    if (before && first - before.last < gapMax) before.last = Math.max(before.last, last);
    else spans.push({ first, last });
  }
  return spans;
}

export async function hasParcel(from: Client, account: number): Promise<boolean> {
  return (await query(from, 'select 1 from account_parcels where account_id = $1 limit 1', [account])).length > 0;
}

// Submits before messages: those of messages that ended before were copied with them.
const stored: Pick<Table, 'name' | 'conflict'>[] = [
  ...namedTables,
  ...parcelTables,
  ...['orders', ...textTables, 'submits'].map(name => ({ name })),
  { name: 'messages', conflict: messageConflict },
  { name: 'part_receipts' },
  ...appendedTables,
];

/** Does nothing where the account is in the new cell already. */
export async function unpack(from: Client, to: Client, account: number, status: string): Promise<void> {
  if ((await query(to, 'select 1 from balances where account_id = $1', [account])).length > 0) return;
  await within(to, async () => {
    // Locks out checkpoint_ledger: sums over the entries copied so far are not complete.
    await to.query('select 1 from ledger_progress for update');
    for (const table of ['ledger_totals', 'ledger_checkpoints'])
      await to.query(`delete from ${table} where account_id = $1`, [account]);
    await store(from, to, account);
    await to.query('update accounts set status = $2 where id = $1', [account, status]);
    await to.query(
      `insert into ledger_totals (account_id, sms, entries, through_id)
       select $1, coalesce(sum(l.sms), 0), count(*), coalesce(max(l.id), 0) from ledger_entries l where l.account_id = $1`,
      [account],
    );
    // Numbers of large orders are indexed once the orders have ended: settling does it for open ones.
    await to.query(
      `insert into number_queue select o.id, o.account_id, o.first_message_id, o.total from orders o
       where o.account_id = $1 and o.id = any ($2) and ${hasEnded} on conflict do nothing`,
      [account, await ordersIn(from, account)],
    );
    await to.query(
      `update webhook_states s set lease_token = null, lease_until = now() from webhook_endpoints e
       where e.owner_id = $1 and s.account_id = e.account_id and s.lease_token is not null`,
      [account],
    );
    await to.query(
      `update smpp_outbox set node_id = null where node_id is not null and user_id in (select u.id from smpp_users u where u.account_id = $1)`,
      [account],
    );
    await passNumbers(to, account);
    await to.query("select pg_notify(channel('peyk_dispatch'), $1)", [`0:${account} 1:${account}`]);
  });
}

async function ordersIn(from: Client, account: number): Promise<number[]> {
  const text = `select array_agg((o->>'id')::bigint) as ids from account_parcels p, json_array_elements(p.rows::json) o
    where p.account_id = $1 and p.name = 'orders'`;
  return (await query<{ ids: number[] | null }>(from, text, [account]))[0]!.ids ?? [];
}

async function store(from: Client, to: Client, account: number): Promise<void> {
  const place = new Store(to);
  for (const { name, conflict: usual } of stored) {
    const where =
      name === 'submits'
        ? `not exists (select 1 from messages m where m.id = t.message_id and m.account_id = ${account} and m.status <> 110)`
        : 'true';
    const conflict = name === 'accounts' ? await replacing(place) : usual;
    for (let no = 0; ; ) {
      const [piece] = await query<{ no: number; rows: string }>(
        from,
        'select no, rows from account_parcels where account_id = $1 and name = $2 and no > $3 order by no limit 1',
        [account, name, no],
      );
      if (!piece) break;
      await place.put(name, piece.rows, { where, conflict });
      no = piece.no;
    }
  }
}

/** The home has the account already. Its version (`stamp`) must differ from any that a process cached during an earlier stay. */
async function replacing(place: Store): Promise<string> {
  const columns = (await place.columns('accounts')).split(', ').filter(one => one !== 'id' && one !== 'stamp');
  return `(id) do update set stamp = greatest(accounts.stamp, excluded.stamp) + 1, ${columns.map(one => `${one} = excluded.${one}`).join(', ')}`;
}

/** Rows that were written in the old cell while the account left (like a blacklisted number) follow it. */
export async function sweep(from: Client, to: Client, account: number): Promise<void> {
  await from.query('delete from account_parcels where account_id = $1', [account]);
  await within(from, async () => {
    for (const one of parcelTables.toReversed()) await keeper(from, account)(one.name, removal(one), [], one.each);
  });
  await within(to, () => store(from, to, account));
  await from.query('delete from account_parcels where account_id = $1', [account]);
}
