// Rows of an account that no longer change, copied in pieces while the account works: messages with their final status, orders all of whose
// messages are final, messages and texts of scheduled orders, entries of the ledger and of logs. A round copies what was added since the round
// before; what the last round did not copy goes with the parcel (parcel.ts).
import { asText, Store } from './rows.ts';
import { type Client, query, within } from './side.ts';
import { appendedTables, textTables } from './tables.ts';

/** A receipt may still change other messages: those in flight, and those closed without a receipt or an answer (14, 15). */
export const isOver = '(m.status = 111 or m.status = 112 and m.reason not in (14, 15))';
export const hasEnded = "o.state in ('finished', 'cancelled', 'failed')";

/** A message that was copied before it ended. */
export const messageConflict = `(id, account_id) do update set status = excluded.status, reason = excluded.reason, final_at = excluded.final_at
  where (messages.status, messages.reason) <> (excluded.status, excluded.reason)`;

const messagesAtOnce = 4_000;
const ordersAtOnce = 4_000;

/** An order whose row is not in the new cell. */
export type OpenOrder = { id: number; first: number; last: number };
type Line = OpenOrder & { ended: boolean; scheduled: boolean; at: string };
type Slice = { order: Line; first: number; last: number };

export class History {
  readonly #account: number;
  readonly #from: Client;
  readonly #to: Client;
  readonly #store: Store;
  /** The new cell has all rows that ended before this time: no transaction from before it is open. */
  since = '-infinity';
  /** Of append-only tables: the newest row that was copied. */
  readonly #last = new Map<string, number>();
  readonly open = new Map<number, OpenOrder>();
  /** Orders whose messages and texts were copied while the order was scheduled. */
  readonly scheduled = new Set<number>();
  /** Of the round under way: orders with a message that is not over. */
  readonly #unfinished = new Set<number>();

  constructor(account: number, from: Client, to: Client) {
    this.#account = account;
    this.#from = from;
    this.#to = to;
    this.#store = new Store(to);
  }

  /** Returns how many rows it copied. */
  async round(report: (copied: number) => void): Promise<number> {
    const horizon = await horizonOf(this.#from);
    this.#unfinished.clear();
    let copied = 0;
    for (const { name, at } of appendedTables) copied += await this.#appended(name, at);
    for (let after: Line | undefined; ; ) {
      const lines = await this.#lines(after);
      for (const one of lines) this.open.set(one.id, { id: one.id, first: one.first, last: one.last });
      for (const slices of batches(lines.filter(one => !(one.scheduled && this.scheduled.has(one.id))))) {
        copied += await this.#batch(slices);
        report(copied);
      }
      after = lines.at(-1);
      if (lines.length < ordersAtOnce) break;
    }
    this.since = horizon;
    return copied;
  }

  /** Rows since the round before by their time; a row with an old time, like an assigned message from a phone, by its id. */
  async #appended(name: string, at: string): Promise<number> {
    const known = this.#last.get(name) ?? -1;
    let copied = 0;
    for (let after = -1; ; ) {
      const [found] = await query<{ rows: string | null; last: number; count: number }>(
        this.#from,
        `select ${asText('t')} as rows, max(t.id) as last, count(*)::int as count from (
           select * from ${name} x where x.account_id = $1 and x.id > $2 and (x.${at} >= $3 or x.id > $4) order by x.id limit ${messagesAtOnce}) t`,
        [this.#account, after, this.since, known],
      );
      if (found!.count === 0) return copied;
      await this.#store.put(name, found!.rows);
      after = found!.last;
      this.#last.set(name, Math.max(known, after));
      copied += found!.count;
    }
  }

  #lines(after: Line | undefined): Promise<Line[]> {
    return query<Line>(
      this.#from,
      `select o.id, o.first_message_id as first, o.first_message_id + o.total - 1 as last, ${hasEnded} as ended, o.planned as scheduled, o.submit_at::text as at
       from orders o where o.account_id = $1 and (o.submit_at, o.id) > ($2, $3) and (o.finished_at is null or o.finished_at >= $4)
       order by o.submit_at, o.id limit ${ordersAtOnce}`,
      [this.#account, after?.at ?? '-infinity', after?.id ?? 0, this.since],
    );
  }

  /** The messages of these slices, and the orders that are complete with them. */
  async #batch(slices: Slice[]): Promise<number> {
    const [found] = await query<{ rows: string | null; open: number[] | null; count: number }>(
      this.#from,
      `select json_agg(m) filter (where is_new)::text as rows, array_agg(distinct order_id) filter (where not is_over) as open,
         count(*) filter (where is_new)::int as count
       from unnest($2::bigint[], $3::bigint[], $5::boolean[]) u(first, last, scheduled)
       cross join lateral (select x.* from messages x where x.account_id = $1 and x.id between u.first and u.last offset 0) m
       cross join lateral (select ${isOver} as is_over) i
       cross join lateral (select (is_over or u.scheduled) and coalesce(final_at, 'infinity') >= $4 as is_new) n`,
      [
        this.#account,
        slices.map(one => one.first),
        slices.map(one => one.last),
        this.since,
        slices.map(one => one.order.scheduled),
      ],
    );
    for (const id of found!.open ?? []) this.#unfinished.add(id);
    const complete = slices.filter(one => one.last === one.order.last).map(one => one.order);
    const scheduled = complete.filter(one => one.scheduled).map(one => one.id);
    const ended = complete.filter(one => one.ended && !this.#unfinished.has(one.id)).map(one => one.id);
    await within(this.#to, async () => {
      await this.#messages(found!.rows);
      await this.#copy([...ended, ...scheduled], 'order_id', textTables);
      await this.#orders(ended);
    });
    for (const id of scheduled) this.scheduled.add(id);
    for (const id of ended) this.open.delete(id);
    return found!.count;
  }

  async #messages(rows: string | null): Promise<void> {
    const stored = await this.#store.put<{ id: number; status: number }>('messages', rows, {
      conflict: messageConflict,
      returning: 'id, status',
    });
    const ids = stored.filter(one => one.status !== 110).map(one => one.id);
    if (ids.length === 0) return;
    // By the range alone: the index by message would be searched once for each of a list of ids.
    await this.#copyRows(
      'submits',
      '(select * from submits x where x.message_id between $2 and $3 offset 0) t where t.message_id = any ($1)',
      [ids, ids.reduce((a, b) => Math.min(a, b)), ids.reduce((a, b) => Math.max(a, b))],
    );
  }

  async #copy(ids: number[], key: string, names: string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const name of names)
      await this.#copyRows(name, `${name} t where t.account_id = $1 and t.${key} = any ($2)`, [this.#account, ids]);
  }

  /** `from`: what follows FROM, with the rows as `t`. */
  async #copyRows(name: string, from: string, values: unknown[]): Promise<void> {
    const text = `select ${asText('t')} as rows from ${from}`;
    const [found] = await query<{ rows: string | null }>(this.#from, text, values);
    await this.#store.put(name, found!.rows);
  }

  async #orders(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#copy(ids, 'id', ['orders']);
    await this.#to.query(
      `insert into message_numbers (account_id, number, message_id)
       select m.account_id, m.number, m.id from orders o cross join lateral (
         select x.* from messages x where x.account_id = $1 and x.id between o.first_message_id and o.first_message_id + o.total - 1 offset 0) m
       where o.id = any ($2) and o.account_id = $1 and m.number is not null on conflict do nothing`,
      [this.#account, ids],
    );
  }
}

/**
 * Transactions that began before it are over. The margin is for a transaction that has begun and is not shown yet: a busy machine can
 * interrupt its process between the two.
 */
async function horizonOf(client: Client): Promise<string> {
  const text = `select (least(statement_timestamp(), min(xact_start)) - interval '1 second')::text as at from pg_stat_activity
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
