// A request as the first span of its trace, or one in its caller's; an order it brings remembers the trace.
import { type Answer, type ApiServices, partsAt } from '../api/call.ts';
import { asMembers, own } from '../api/envelope.ts';
import type { Operation } from '../api/operations.ts';
import { cellOfNumber } from '../cells/directory.ts';
import { nowMs } from '../clock.ts';
import { writeTraceparent } from '../tracing/trace-context.ts';
import { type Begun, tell } from '../tracing/tracer.ts';

export function endTrace(
  services: ApiServices,
  operation: Operation,
  trace: Begun,
  seconds: number,
  answer: Answer,
): Answer {
  const orderId = operation.name === 'send-sms' && answer.code === 200 ? orderIn(answer) : null;
  if (orderId !== null) partsAt(services, cellOfNumber(orderId)).traces?.add(orderId, trace);
  const endMs = nowMs();
  tell({
    ...trace,
    name: operation.name,
    kind: 'server',
    startMs: endMs - seconds * 1_000,
    endMs,
    attributes: {
      'http.response.status_code': answer.code,
      'peyk.operation': operation.name,
      ...(orderId === null ? {} : { 'peyk.order': orderId }),
    },
    error: answer.code === 503 ? 'failed' : undefined,
  });
  return { ...answer, traceparent: writeTraceparent(trace) };
}

function orderIn({ body }: Answer): number | null {
  const order = asMembers(own(body.response, 'order'));
  return order ? Number(own(order, 'id')) : null;
}
