// The delivery log of an address: posts and their answers, sending again, and test events.

import { type Queryable, row, rows, run, type Sql, sql } from '../db/db.ts';
import { shownText } from '../sealing/content.ts';
import { now } from '../time/clock.ts';
import { keyOf, notifySql } from './endpoints.ts';
import type { DeliveryState, EventKind } from './events.ts';
import type { Failure } from './failures.ts';
import { testPayload } from './payload.ts';
import { retryWindowMs } from './schedule.ts';

const deliveriesPerPage = 50;

type DeliveryFilter = {
  /** Of one address. */
  no?: number;
  state?: DeliveryState;
  orderId?: number;
  messageId?: number;
};
export type RecentDelivery = {
  /** The value of X-Peyk-Delivery. */
  id: string;
  /** The number of its address. */
  no: number;
  kind: EventKind;
  event: string;
  orderId: number | null;
  state: DeliveryState;
  /** More than one, or no body: stands for the rest of an order that was given up before it was tried. */
  events: number;
  attempts: number;
  body: string | null;
  createdAt: Date;
  lastAt: Date | null;
  /** null: not any more, or only after an earlier event of the same message. */
  nextAt: Date | null;
  timestamp: number | null;
  signature: string | null;
  answerStatus: number | null;
  answerBody: string | null;
  answerMs: number | null;
  error: Failure | null;
};

const deliveryColumns = `outbox_id || '-' || subject_id as id,
  (select e.no from webhook_endpoints e where e.account_id = d.account_id) as no, kind, event, order_id as "orderId", state, events, attempts, body, created_at as "createdAt", last_at as "lastAt",
  case when state = 'pending' and next_at < 'infinity' then next_at end as "nextAt", signed_at as timestamp, signature,
  answer_status as "answerStatus", answer_body as "answerBody", answer_ms as "answerMs", error`;
// $2: of one address, or null for all.
const keysOfAccount =
  'array(select e.account_id from webhook_endpoints e where e.owner_id = $1 and ($2::integer is null or e.no = $2))';
const deliveriesSql: Sql<RecentDelivery> = {
  name: 'webhook deliveries',
  text: `select ${deliveryColumns} from webhook_deliveries d
    where account_id = any (${keysOfAccount}) and ($3::text is null or state = $3)
      and ($4::bigint is null or order_id = $4)
      and ($5::bigint is null or (subject_id = $5 and kind in ('accepted', 'final')))
    order by outbox_id desc, subject_id desc limit $6 offset $7`,
};
const deliverySql: Sql<RecentDelivery> = {
  name: 'webhook delivery',
  text: `select ${deliveryColumns} from webhook_deliveries d
    where account_id = any (${keysOfAccount}) and outbox_id = $3 and subject_id = $4`,
};

/** Parses the value of X-Peyk-Delivery; null for anything else. */
function readDeliveryId(id: string): [outboxId: string, subjectId: string] | null {
  const [, outboxId, subjectId] = /^(\d{1,18})-(\d{1,18})$/.exec(id) ?? [];
  return outboxId === undefined ? null : [outboxId, subjectId!];
}

export async function findDelivery(db: Queryable, accountId: number, id: string): Promise<RecentDelivery | undefined> {
  const parts = readDeliveryId(id);
  const found = parts && (await row(db, deliverySql, [accountId, null, ...parts]));
  return found ? shown(found) : undefined;
}

/** Newest first, 50 a page, pages from 1. Only a sample of the successes is kept. */
export async function recentDeliveries(
  db: Queryable,
  accountId: number,
  filter: DeliveryFilter,
  page: number,
): Promise<RecentDelivery[]> {
  const { no = null, state = null, orderId = null, messageId = null } = filter;
  const offset = (page - 1) * deliveriesPerPage;
  const values = [accountId, no, state, orderId, messageId, deliveriesPerPage, offset];
  return (await rows(db, deliveriesSql, values)).map(shown);
}

function shown(one: RecentDelivery): RecentDelivery {
  return { ...one, body: shownText(one.body), answerBody: shownText(one.answerBody) };
}

const resendSql = sql<{ events: number }>('webhook resend')`
  select coalesce(sum(webhook_resend(e.account_id, $3, $4, $5, $6, make_interval(secs => $7))), 0)::bigint as events
  from webhook_endpoints e where e.owner_id = $1 and ($2::integer is null or e.no = $2)`;

/** Sends one delivery again, or all that failed (since a time, of one address or of all); returns the number of events. */
export async function resend(
  db: Queryable,
  accountId: number,
  which: string | { failedSince: Date; no: number | null },
): Promise<number> {
  const parts = typeof which === 'string' ? readDeliveryId(which) : null;
  if (typeof which === 'string' && !parts) return 0;
  const { failedSince, no } = typeof which === 'string' ? { failedSince: null, no: null } : which;
  const [outboxId, subjectId] = parts ?? [null, null];
  const values = [accountId, no, outboxId, subjectId, failedSince, now(), retryWindowMs / 1000];
  const found = await row(db, resendSql, values);
  await run(db, notifySql);
  return found!.events;
}

const testIdSql = sql<{ id: number }>('webhook test id')`
  select nextval('webhook_outbox_id_seq') as id`;
// Due since 1970: before everything else, also as the next probe of a paused endpoint.
const testSql = sql('webhook test')`
  insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, next_at, expires_at, created_at)
  values ($1, $2, 0, 'test', 'test', 'pending', $3, 'epoch', $4, $5)`;
const probeNowSql = sql('webhook probe now')`
  update webhook_states set next_probe_at = $2 where account_id = $1 and next_probe_at > $2`;

/** Queues a test event (tried once) and returns its delivery id, by which its result is found. */
export async function sendTest(db: Queryable, accountId: number, no: number): Promise<string> {
  const key = await keyOf(db, accountId, no);
  const time = now();
  const { id } = (await row(db, testIdSql))!;
  const expires = new Date(time.getTime() + retryWindowMs);
  await run(db, testSql, [key, id, testPayload(id, time), expires, time]);
  await run(db, probeNowSql, [key, time]);
  await run(db, notifySql);
  return `${id}-0`;
}
