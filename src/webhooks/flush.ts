// Records the results of posts for all accounts of this process in one call: progress of folded rows, failures, kept successes,
// health, and the renewal of leases.

import { arrayLiteral, type Db, row, sql } from '../db/db.ts';
import { isPoison, setAside } from '../db/poison.ts';
import { setAsideTotal } from '../metrics/metrics.ts';
import { sealText } from '../sealing/content.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import { type Fold, type Result, type Stream, settledTo } from './stream.ts';

const recordSql = sql<{ ours: number[] }>('webhook record')`
  select webhook_record($1, $2, $3, $4, $5, $6, $7) as ours`;

type Batch = {
  stream: Stream;
  results: Result[];
  folds: { fold: Fold; done: number }[];
  release: boolean;
  recovered: boolean;
};

/** Records results and renews the leases of `streams`, releases those in `leaving`; returns those whose lease was lost before. */
export async function flush(db: Db, leaseMs: number, streams: Stream[], leaving: Set<Stream>): Promise<Stream[]> {
  const askedMs = monotonicMs();
  const batches = streams.map(stream => capture(stream, leaving.has(stream)));
  try {
    const deliveries = batches.flatMap(one => one.results.map(two => deliveryRecord(one.stream.accountId, two)));
    const ours = new Set(await recordOrHalve(db, deliveries, record));
    for (const batch of batches) if (ours.has(batch.stream.accountId)) confirm(batch, askedMs, leaseMs);
    return streams.filter(one => !ours.has(one.accountId));
  } catch (error) {
    for (const { stream, results, recovered } of batches) {
      stream.restore(results);
      stream.recovered ||= recovered;
    }
    throw error;
  }

  /** The last piece records the progress of rows and releases leases. */
  async function record(deliveries: object[], isLast: boolean): Promise<number[]> {
    const folds = isLast
      ? batches.flatMap(({ folds, stream }) => folds.map(one => ({ ...one, accountId: stream.accountId })))
      : [];
    const states = batches.map(one => streamRecord(isLast ? one : { ...one, release: false }));
    const answer = await row(db, recordSql, [
      new Date(nowMs()),
      leaseMs,
      JSON.stringify(states),
      arrayLiteral(folds.map(one => one.accountId)),
      arrayLiteral(folds.map(one => one.fold.outboxId)),
      arrayLiteral(folds.map(one => (one.done === one.fold.total ? -1 : one.done))),
      JSON.stringify(deliveries),
    ]);
    return answer!.ours;
  }
}

type Recorded = (deliveries: object[], isLast: boolean) => Promise<number[]>;

/** Sets aside a single result that the database refuses and records the others. Transient errors are thrown. */
async function recordOrHalve(db: Db, deliveries: object[], record: Recorded, isLast = true): Promise<number[]> {
  try {
    return await record(deliveries, isLast);
  } catch (error) {
    if (!isPoison(error) || deliveries.length === 0) throw error;
    if (deliveries.length === 1) {
      await setAside(db, 'webhook result', deliveries[0], error as Error);
      setAsideTotal.inc();
      return await record([], isLast);
    }
    const half = deliveries.length >> 1;
    await recordOrHalve(db, deliveries.slice(0, half), record, false);
    return await recordOrHalve(db, deliveries.slice(half), record, isLast);
  }
}

function capture(stream: Stream, release: boolean): Batch {
  const folds: Batch['folds'] = [];
  for (const fold of stream.folds.values()) {
    const done = settledTo(fold);
    if (done > fold.stored) folds.push({ fold, done });
  }
  const { recovered } = stream;
  stream.recovered = false;
  return { stream, results: stream.capture(), folds, release, recovered };
}

function confirm({ stream, results, folds }: Batch, askedMs: number, leaseMs: number): void {
  stream.deadlineMs = askedMs + leaseMs;
  stream.renewedMs = askedMs;
  stream.recorded(results, folds);
}

function streamRecord({ stream, release, recovered }: Batch): object {
  const { health } = stream;
  return {
    account: stream.accountId,
    token: stream.token,
    state: health.state,
    reason: health.reason,
    answer_status: health.answerStatus,
    failures: health.failures,
    failing_since: time(health.failingSinceMs),
    probes: health.probes,
    next_probe_at: time(health.nextProbeMs),
    last_success_at: time(health.lastSuccessMs),
    release,
    recovered,
  };
}

function deliveryRecord(account: number, { event, outcome, signed, ...result }: Result): object {
  return {
    account,
    outbox: event.outboxId,
    subject: event.subjectId,
    kind: event.kind,
    event: event.event,
    order: event.orderId,
    state: result.state,
    attempts: result.attempts,
    body: sealText(event.body),
    next_at: time(result.nextMs),
    expires_at: time(event.expiresMs),
    created_at: time(event.createdMs),
    last_at: time(result.atMs),
    signed_at: signed?.atSeconds ?? null,
    signature: signed?.signature ?? null,
    answer_status: outcome?.status ?? null,
    // The one character that PostgreSQL's text cannot hold.
    answer_body: outcome ? sealText(outcome.answer.replaceAll('\0', '')) : null,
    answer_ms: outcome?.ms ?? null,
    error: outcome?.failure ?? null,
  };
}

function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
