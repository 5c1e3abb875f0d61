// Stores the trace of each order, if traces are exported: in batches four times a second, outside of acceptance. The dispatcher
// reads it when it exports its own span, which is later.
import { type Db, rows, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { TraceContext } from '../tracing/trace-context.ts';

const flushMs = 250;
const waitingMax = 10_000;
const flushesPerSweep = 1_000;
const keptDays = 3;

// The order of a repeated request keeps the trace of the first one.
const insertSql = sql('order traces insert')`
  insert into order_traces (order_id, trace_id, span_id)
  select o, t::uuid, decode(s, 'hex') from unnest($1::bigint[], $2::text[], $3::text[]) u(o, t, s) order by o on conflict do nothing`;
const sweepSql = sql('order traces sweep')`
  delete from order_traces where at < now() - make_interval(days => $1)`;
const readSql = sql<{ orderId: number; traceId: string; spanId: string }>('order traces')`
  select order_id as "orderId", replace(trace_id::text, '-', '') as "traceId", encode(span_id, 'hex') as "spanId"
  from order_traces where order_id = any ($1::bigint[])`;

export class OrderTraces {
  readonly #db: Db;
  readonly #log: Log;
  #waiting: { orderId: number; trace: TraceContext }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushes = 0;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  add(orderId: number, trace: TraceContext): void {
    if (this.#waiting.length >= waitingMax) return;
    this.#waiting.push({ orderId, trace });
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    try {
      await run(this.#db, insertSql, [
        batch.map(one => one.orderId),
        batch.map(one => one.trace.traceId),
        batch.map(one => one.trace.spanId),
      ]);
      if (this.#flushes++ % flushesPerSweep === 0) await run(this.#db, sweepSql, [keptDays]);
    } catch (error) {
      this.#log.warn({ error: (error as Error).message, orders: batch.length }, 'traces of orders not stored');
    }
  }
}

export async function tracesOf(db: Db, orderIds: number[]): Promise<Map<number, TraceContext>> {
  const found = await rows(db, readSql, [orderIds]);
  return new Map(found.map(({ orderId, ...trace }) => [orderId, trace]));
}
