// What has ended of an account and changes no more, copied in pieces while the account works: messages with their last word, orders all of whose
// messages have it, entries of the ledger and of logs. A round copies what was added since the round before; what is not copied by the last
// of them goes with the parcel (parcel.ts).
import { asText, Store } from './rows.ts';
import { type Client, query, within } from './side.ts';
import { grownTables } from './tables.ts';

/** A carrier's word may still change the others: messages on their way, and those closed for lack of a receipt or an answer (14, 15). */
export const isOver = '(m.status = 111 or m.status = 112 and m.reason not in (14, 15))';
export const hasEnded = "o.state in ('finished', 'cancelled', 'failed')";

const messagesAtOnce = 4_000;
const ordersAtOnce = 4_000;

/** An order whose row is not in the new cell. */
export type OpenOrder = { id: number; first: number; last: number };
type Line = OpenOrder & { ended: boolean; at: string };
type Slice = { order: Line; first: number; last: number };

export class History {
  readonly #account: number;
  readonly #from: Client;
  readonly #to: Client;
  readonly #store: Store;
  /** Everything that had ended before is in the new cell: no transaction from before this time is open. */
  #since = '-infinity';
  readonly open = new Map<number, OpenOrder>();
  /** Of the round under way: orders with a message that is not over. */
  readonly #unfinished = new Set<number>();

  constructor(account: number, from: Client, to: Client) {
    this.#account = account;
    this.#from = from;
    this.#to = to;
    this.#store = new Store(to);
  }

  get since(): string {
    return this.#since;
  }

  /** Returns how many rows it copied. */
  async round(tell: (copied: number) => void): Promise<number> {
    const horizon = await horizonOf(this.#from);
    this.#unfinished.clear();
    let copied = 0;
    for (const { name, at } of grownTables) copied += await this.#grown(name, at);
    for (let after: Line | undefined; ; ) {
      const lines = await this.#lines(after);
      for (const slices of batches(lines)) {
        copied += await this.#batch(slices);
        tell(copied);
      }
      after = lines.at(-1);
      if (lines.length < ordersAtOnce) break;
    }
    this.#since = horizon;
    return copied;
  }

  async #grown(name: string, at: string): Promise<number> {
    let copied = 0;
    for (let after = '-1'; ; ) {
      const [found] = await query<{ rows: string | null; last: string; count: number }>(
        this.#from,
        `select ${asText('t')} as rows, max(t.id)::text as last, count(*)::int as count from (
           select * from ${name} x where x.account_id = $1 and x.id > $2 and x.${at} >= $3 order by x.id limit ${messagesAtOnce}) t`,
        [this.#account, after, this.#since],
      );
      if (found!.count === 0) return copied;
      await this.#store.put(name, found!.rows);
      after = found!.last;
      copied += found!.count;
    }
  }

  #lines(after: Line | undefined): Promise<Line[]> {
    return query<Line>(
      this.#from,
      `select o.id, o.first_message_id as first, o.first_message_id + o.total - 1 as last, ${hasEnded} as ended, o.submit_at::text as at
       from orders o where o.account_id = $1 and (o.submit_at, o.id) > ($2, $3) and (o.finished_at is null or o.finished_at >= $4)
       order by o.submit_at, o.id limit ${ordersAtOnce}`,
      [this.#account, after?.at ?? '-infinity', after?.id ?? 0, this.#since],
    );
  }

  /** Its messages, and the orders that are whole with them. */
  async #batch(slices: Slice[]): Promise<number> {
    const [first, last] = [slices.map(one => one.first), slices.map(one => one.last)];
    const [found] = await query<{ rows: string | null; open: number[] | null; count: number }>(
      this.#from,
      `select json_agg(m) filter (where is_over and coalesce(final_at, 'infinity') >= $4)::text as rows,
         array_agg(distinct order_id) filter (where not is_over) as open,
         count(*) filter (where is_over and coalesce(final_at, 'infinity') >= $4)::int as count
       from unnest($2::bigint[], $3::bigint[]) u(first, last)
       cross join lateral (select x.* from messages x where x.account_id = $1 and x.id between u.first and u.last offset 0) m
       cross join lateral (select ${isOver} as is_over) i`,
      [this.#account, first, last, this.#since],
    );
    for (const id of found!.open ?? []) this.#unfinished.add(id);
    const whole = slices.filter(
      ({ order, last }) => last === order.last && order.ended && !this.#unfinished.has(order.id),
    );
    for (const { order } of slices) this.open.set(order.id, { id: order.id, first: order.first, last: order.last });
    const orders = whole.map(one => one.order.id);
    await within(this.#to, async () => {
      await this.#messages(found!.rows);
      if (orders.length > 0) await this.#orders(orders);
    });
    for (const id of orders) this.open.delete(id);
    return found!.count;
  }

  async #messages(rows: string | null): Promise<void> {
    const fresh = await this.#store.put<{ id: number }>('messages', rows, { returning: 'id' });
    if (fresh.length === 0) return;
    const ids = fresh.map(one => one.id);
    const [found] = await query<{ rows: string | null }>(
      this.#from,
      `select ${asText('s')} as rows from submits s where s.message_id between $2 and $3 and s.message_id = any ($1)`,
      [ids, ids.reduce((a, b) => Math.min(a, b)), ids.reduce((a, b) => Math.max(a, b))],
    );
    await this.#store.put('submits', found!.rows);
  }

  async #orders(ids: number[]): Promise<void> {
    for (const [name, key] of [
      ['orders', 'id'],
      ['more_texts', 'order_id'],
      ['order_columns', 'order_id'],
    ] as const) {
      const [found] = await query<{ rows: string | null }>(
        this.#from,
        `select ${asText('t')} as rows from ${name} t where t.account_id = $1 and t.${key} = any ($2)`,
        [this.#account, ids],
      );
      await this.#store.put(name, found!.rows);
    }
    await this.#to.query(
      `insert into message_numbers (account_id, number, message_id)
       select m.account_id, m.number, m.id from orders o cross join lateral (
         select x.* from messages x where x.account_id = $1 and x.id between o.first_message_id and o.first_message_id + o.total - 1 offset 0) m
       where o.id = any ($2) and o.account_id = $1 and m.number is not null on conflict do nothing`,
      [this.#account, ids],
    );
  }
}

/** Transactions that began before it are over. */
export async function horizonOf(client: Client): Promise<string> {
  const text = `select least(clock_timestamp(), min(xact_start))::text as at from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  return (await query<{ at: string }>(client, text))[0]!.at;
}

function* batches(lines: Line[]): Generator<Slice[]> {
  let slices: Slice[] = [];
  let count = 0;
  for (const order of lines)
    for (let { first } = order; first <= order.last; ) {
      const last = Math.min(order.last, first + messagesAtOnce - count - 1);
      slices.push({ order, first, last });
      count += last - first + 1;
      first = last + 1;
      if (count < messagesAtOnce) continue;
      yield slices;
      slices = [];
      count = 0;
    }
  if (slices.length > 0) yield slices;
}
