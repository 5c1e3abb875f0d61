// Spans of an order's trace: each submit with its answer, and its receipt, for the first messages of an order. Spans are gathered in
// memory and exported once a second, when the trace of the order is read. A receipt that comes to another process, or after a
// restart, has no span.

import { normaliseMessageId } from '../carriers/message-ids.ts';
import type { Db } from '../db/db.ts';
import { keepNewest } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { tracesOf } from '../orders/traces.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import type { Span } from '../tracing/otlp.ts';
import { newSpanId } from '../tracing/trace-context.ts';
import { exportSpan } from '../tracing/tracer.ts';
import type { Flight } from './flight.ts';
import type { Link } from './links/link.ts';

const perOrder = 20;
const ordersKept = 10_000;
const pendingMax = 5_000;
const awaitedMax = 20_000;
const exportMs = 1_000;
/** After this time an order without a stored trace counts as not traced. */
const patienceMs = 5_000;

type Noted = { orderId: number; notedMs: number; span: Omit<Span, 'traceId'> };
type Awaited = { orderId: number; messageId: number; spanId: string; answeredMs: number };

export class DispatchTraces {
  readonly #db: Db;
  readonly #noted = new Map<number, number>();
  readonly #awaited = new Map<string, Awaited>();
  #pending: Noted[] = [];
  readonly #loop: Loop;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#loop = startLoop('traces', log, async () => {
      await this.flush();
      return exportMs;
    });
  }

  accepted(link: Link<Flight>, flight: Flight, messageId: string): void {
    const spanId = this.#submit(link, flight, undefined);
    if (spanId === null) return;
    const { run, index } = flight;
    const id = normaliseMessageId(messageId, link.carrier.answerIdFormat);
    const awaited = { orderId: run.orderOf(index).id, messageId: run.facts.ids[index]!, spanId, answeredMs: nowMs() };
    keepNewest(this.#awaited, `${link.carrier.id} ${id}`, awaited, awaitedMax);
  }

  failed(link: Link<Flight>, flight: Flight, words: string): void {
    this.#submit(link, flight, words);
  }

  /** A final receipt. */
  reported(carrierId: number, id: string, status: number): void {
    const name = `${carrierId} ${id}`;
    const found = this.#awaited.get(name);
    if (!found) return;
    this.#awaited.delete(name);
    this.#note(found.orderId, {
      spanId: newSpanId(),
      parentSpanId: found.spanId,
      name: 'receipt',
      kind: 'consumer',
      startMs: found.answeredMs,
      endMs: nowMs(),
      attributes: { 'peyk.order': found.orderId, 'peyk.message': found.messageId, 'peyk.status': status },
    });
  }

  async flush(): Promise<void> {
    const batch = this.#pending.splice(0);
    if (batch.length === 0) return;
    const found = await tracesOf(this.#db, [...new Set(batch.map(one => one.orderId))]).catch(error => {
      this.#pending.unshift(...batch);
      throw error;
    });
    for (const one of batch) {
      const trace = found.get(one.orderId);
      if (trace)
        exportSpan({ ...one.span, parentSpanId: one.span.parentSpanId ?? trace.spanId, traceId: trace.traceId });
      else if (monotonicMs() - one.notedMs < patienceMs) this.#pending.push(one);
    }
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.flush().catch(() => {});
  }

  #submit(link: Link<Flight>, flight: Flight, error: string | undefined): string | null {
    const { facts } = flight.run;
    const orderId = flight.run.orderOf(flight.index).id;
    const before = this.#noted.get(orderId) ?? 0;
    if (before >= perOrder) return null;
    keepNewest(this.#noted, orderId, before + 1, ordersKept);
    const spanId = newSpanId();
    const endMs = nowMs();
    this.#note(orderId, {
      spanId,
      name: `submit ${link.carrier.name}`,
      kind: 'client',
      startMs: endMs - (monotonicMs() - flight.writtenMs),
      endMs,
      attributes: {
        'peyk.order': orderId,
        'peyk.message': facts.ids[flight.index]!,
        'peyk.carrier': link.carrier.name,
        'peyk.part': flight.part + 1,
        'peyk.parts': flight.parts,
        'peyk.attempt': facts.attempt + 1,
      },
      error,
    });
    return spanId;
  }

  #note(orderId: number, span: Noted['span']): void {
    if (this.#pending.length < pendingMax) this.#pending.push({ orderId, notedMs: monotonicMs(), span });
  }
}
