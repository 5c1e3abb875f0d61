// A request as a span, whichever door it came by; the orders it brought remember the trace.
import { nowMs } from '../time/clock.ts';
import { type Begun, tell } from '../tracing/tracer.ts';
import type { OrderTraces } from './traces.ts';

/** `code`: as over HTTP, or what over HTTP would be answered. */
export type ToldRequest = { name: string; seconds: number; code: number; orderIds: number[] };

export function tellRequest(
  traces: OrderTraces | undefined,
  trace: Begun,
  { name, seconds, code, orderIds }: ToldRequest,
): void {
  for (const id of orderIds) traces?.add(id, trace);
  const endMs = nowMs();
  tell({
    ...trace,
    name,
    kind: 'server',
    startMs: endMs - seconds * 1_000,
    endMs,
    attributes: {
      'http.response.status_code': code,
      'peyk.operation': name,
      ...(orderIds[0] === undefined ? {} : { 'peyk.order': orderIds[0] }),
    },
    error: code === 503 ? 'failed' : undefined,
  });
}
