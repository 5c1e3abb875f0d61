// Trace and span ids, and the header that carries them from program to program (W3C Trace Context, traceparent).
import { randomFillSync } from 'node:crypto';

/** Hexadecimal: 32 and 16 digits. */
export type TraceContext = { traceId: string; spanId: string };
/** Sent by a caller: its span is the parent of ours. */
type Given = TraceContext & { sampled: boolean };

const header = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nothing = /^0+$/;

/** null if it is absent or invalid; then a new trace begins. */
export function readTraceparent(text: string | undefined): Given | null {
  const found = text === undefined ? null : header.exec(text);
  if (!found || text!.startsWith('ff')) return null;
  const [, traceId, spanId, flags] = found as unknown as [string, string, string, string];
  if (nothing.test(traceId) || nothing.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}

export function newTraceId(): string {
  return random(16);
}

export function newSpanId(): string {
  return random(8);
}

// Random bytes are drawn in advance: a call for each id costs ten times as much as the id.
const stock = Buffer.alloc(4_096);
let used = stock.length;

function random(bytes: number): string {
  if (used + bytes > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += bytes;
  return stock.toString('hex', used - bytes, used);
}
