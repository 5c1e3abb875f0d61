// Which values of the W3C Trace Context header are accepted.
import { expect, test } from 'vitest';
import { newSpanId, newTraceId, readTraceparent, writeTraceparent } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a traceparent is read with its flag, also of a later version with more fields', () => {
  expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
  expect(readTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false });
  expect(readTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true });
});

test.each([
  undefined,
  '',
  'abc',
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
])('%s is not believed', text => {
  expect(readTraceparent(text)).toBeNull();
});

test('what is written is read again', () => {
  const context = { traceId: newTraceId(), spanId: newSpanId() };
  expect(readTraceparent(writeTraceparent(context))).toEqual({ ...context, sampled: true });
});
