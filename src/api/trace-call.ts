// Starts the trace of an API call, or continues the caller's trace.
import { cellOfNumber } from '../cells/directory.ts';
import { exportRequest } from '../tracing/request-span.ts';
import { writeTraceparent } from '../tracing/trace-context.ts';
import type { Begun } from '../tracing/tracer.ts';
import { type Answer, type ApiServices, partsAt } from './call.ts';
import { asMembers, own } from './envelope.ts';
import type { Operation } from './operations.ts';

export function endTrace(
  services: ApiServices,
  operation: Operation,
  trace: Begun,
  seconds: number,
  answer: Answer,
): Answer {
  const orderIds = operation.name === 'send-sms' && answer.code === 200 ? ordersIn(answer) : [];
  exportRequest(partsAt(services, cellOfNumber(orderIds[0] ?? 0)).traces, trace, {
    name: operation.name,
    seconds,
    code: answer.code,
    orderIds,
  });
  return { ...answer, traceparent: writeTraceparent(trace) };
}

function ordersIn({ body }: Answer): number[] {
  const order = asMembers(own(body.response, 'order'));
  return order ? [Number(own(order, 'id'))] : [];
}
