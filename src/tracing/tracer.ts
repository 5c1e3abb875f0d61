// Traces of this process. Without OTEL_EXPORTER_OTLP_ENDPOINT tracing is off and costs one property read.
import { Exporter, type ExporterOptions, type Span } from './otlp.ts';
import { newSpanId, newTraceId, readTraceparent, type TraceContext } from './trace-context.ts';

type Tracing = { exporter: Exporter; share: number };

/** null: off. */
export const tracing: { now: Tracing | null } = { now: null };

/** `share`: the share of requests without a traceparent that are traced. A traceparent decides for its own request. */
export function startTracing(options: ExporterOptions & { share: number }): { stop(): Promise<void> } {
  const { share, ...rest } = options;
  if (options.endpoint === '') return { async stop() {} };
  const mine: Tracing = { exporter: new Exporter(rest), share };
  tracing.now = mine;
  return {
    async stop() {
      tracing.now = null;
      await mine.exporter.stop();
    },
  };
}

/** The context of a request and of its caller; null if it is not traced. */
export type Begun = TraceContext & { parentSpanId: string | undefined };

export function beginTrace(traceparent: string | undefined): Begun | null {
  if (!tracing.now) return null;
  const given = readTraceparent(traceparent);
  if (given ? !given.sampled : Math.random() >= tracing.now.share) return null;
  return { traceId: given?.traceId ?? newTraceId(), spanId: newSpanId(), parentSpanId: given?.spanId };
}

export function exportSpan(span: Span): void {
  tracing.now?.exporter.add(span);
}
