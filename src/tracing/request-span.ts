// Exports a request over HTTP or SMPP as a span, and stores the trace with its orders.
import { nowMs } from '../time/clock.ts';
import { type Begun, exportSpan } from './tracer.ts';

/** `code`: the status code of the answer, as it is over HTTP. */
type AnsweredRequest = { name: string; seconds: number; code: number; orderIds: number[] };
type OrderTraces = { add(orderId: number, trace: Begun): void };

export function exportRequest(
  traces: OrderTraces | undefined,
  trace: Begun,
  { name, seconds, code, orderIds }: AnsweredRequest,
): void {
  for (const id of orderIds) traces?.add(id, trace);
  const endMs = nowMs();
  exportSpan({
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
