// Loads more events: due retries, then the next slices of folded outbox rows, in one query each for all accounts of this
// process.

import { arrayLiteral, type Db, rows, type Sql, sql } from '../db/db.ts';
import { openText, shownText, Unreadable } from '../sealing/content.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import { isProbing } from './health.ts';
import { type EventRow, eventColumns, payload } from './payload.ts';
import { retryWindowMs } from './schedule.ts';
import type { Stream } from './stream.ts';

// Loaded events over all accounts, and of one account: 10,000 are about 10 MB.
const inHandMax = 10_000;
const inHandPerAccountMax = 500;
const inHandPerAccountMin = 16;
const askAgainMs = 200;
/** Single events of an account that wait for a retry; beyond that its outbox stays folded. */
export const pendingMax = 5_000;

type UnfoldRow = Omit<EventRow, 'subjectId'> & {
  accountId: number;
  total: number;
  upto: number;
  at: number | null;
  subjectId: number | null;
  held: boolean;
};

const unfoldSql: Sql<UnfoldRow> = {
  name: 'webhook unfold',
  text: `select u.account_id as "accountId", u.total, u.upto, u.at, u.held, ${eventColumns}
    from webhook_unfold($1, $2, $3, $4, $5, $6) u`,
};

type RetryRow = {
  accountId: number;
  outboxId: number;
  subjectId: number;
  kind: EventRow['kind'];
  event: string;
  orderId: number | null;
  attempts: number;
  body: string;
  createdAt: Date;
  expiresAt: Date;
};

const retriesSql = sql<RetryRow>('webhook retries')`
  select d.account_id as "accountId", d.outbox_id as "outboxId", d.subject_id as "subjectId", d.kind, d.event,
    d.order_id as "orderId", d.attempts, d.body, d.created_at as "createdAt", d.expires_at as "expiresAt"
  from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) a(account_id, most, until)
  cross join lateral (
    select * from webhook_deliveries d where d.account_id = a.account_id and d.state = 'pending' and d.next_at <= a.until
    order by d.next_at limit a.most) d`;

const farFuture = new Date('9999-01-01T00:00:00Z');

export async function refill(db: Db, streams: Stream[]): Promise<void> {
  const share = Math.floor(inHandMax / Math.max(1, streams.length));
  const budget = Math.min(inHandPerAccountMax, Math.max(inHandPerAccountMin, share));
  const timeMs = monotonicMs();
  // Only below half of the share, and not again at once after an empty result, to keep queries few.
  const asked = streams.filter(
    one => one.room(budget) > 0 && one.queued <= budget / 2 && timeMs - one.foundNothingMs > askAgainMs,
  );
  if (asked.length === 0) return;
  const before = asked.map(one => one.queued + one.folds.size);
  const byAccount = new Map(asked.map(one => [one.accountId, one]));
  await addRetries(db, byAccount, budget);
  await addFolded(db, byAccount, budget);
  for (const [i, stream] of asked.entries()) {
    if (stream.queued + stream.folds.size > before[i]!) stream.usedMs = timeMs;
    else stream.foundNothingMs = timeMs;
  }
}

async function addRetries(db: Db, streams: Map<number, Stream>, budget: number): Promise<void> {
  const time = new Date(nowMs());
  const asked = [...streams.values()];
  const found = await rows(db, retriesSql, [
    asked.map(one => one.accountId),
    // The query finds loaded events again; they are skipped.
    asked.map(one => one.retries + Math.ceil(one.room(budget) / 2)),
    asked.map(one => (isProbing(one.health) ? farFuture : time)),
  ]);
  for (const { accountId, createdAt, expiresAt, body, ...rest } of found) {
    const [createdMs, expiresMs] = [createdAt.getTime(), expiresAt.getTime()];
    streams.get(accountId)!.addRetry({ ...rest, body: openBody(body), createdMs, expiresMs, fold: null, at: 0 });
  }
}

/** The receiver of an event that was changed in the database gets a note that it is unreadable. */
function openBody(stored: string): string {
  try {
    return openText(stored);
  } catch (error) {
    if (error instanceof Unreadable) return JSON.stringify({ unreadable: true });
    throw error;
  }
}

async function addFolded(db: Db, streams: Map<number, Stream>, budget: number): Promise<void> {
  const asked = [...streams.values()].filter(one => one.room(budget) > 0);
  if (asked.length === 0) return;
  const known = asked.flatMap(one => [...one.folds.values()].map(fold => ({ accountId: one.accountId, fold })));
  const found = await rows(db, unfoldSql, [
    arrayLiteral(asked.map(one => one.accountId)),
    arrayLiteral(asked.map(one => one.room(budget))),
    pendingMax,
    arrayLiteral(known.map(one => one.accountId)),
    arrayLiteral(known.map(one => one.fold.outboxId)),
    arrayLiteral(known.map(one => one.fold.upto)),
  ]);
  for (const one of found) addRow(streams.get(one.accountId)!, one);
}

function addRow(stream: Stream, row: UnfoldRow): void {
  if (row.at === null || row.subjectId === null) return void stream.addSlice(row.outboxId, row.total, row.upto);
  if (row.kind === 'inbound' && !stream.settings?.inbound) return;
  if (row.event !== null && stream.settings?.skipped.includes(row.event)) return;
  const { outboxId, subjectId, kind, event, orderId, at } = row;
  const createdMs = row.createdAt.getTime();
  const expiresMs = createdMs + retryWindowMs;
  const body = payload({ ...row, subjectId, text: shownText(row.text) });
  const fold = stream.folds.get(outboxId)!;
  stream.add(
    { outboxId, subjectId, kind, event, orderId, body, createdMs, expiresMs, attempts: 0, fold, at },
    row.held,
  );
}
