// What people do with their webhook: set it, see how it is doing, look at deliveries, send again, try it out. The
// worker hears of a change through NOTIFY and otherwise sees it within a second.
import { randomBytes } from 'node:crypto';
import { now } from '../clock.ts';
import { type Queryable, row, rows, run, type Sql, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../secrets.ts';
import { checkWebhookUrl } from './endpoint-url.ts';
import { type Failure, failureTexts } from './failures.ts';
import { testPayload } from './payload.ts';
import { retryWindowMs } from './schedule.ts';

export { checkWebhookUrl } from './endpoint-url.ts';

const secretBytes = 32;
const previousSecretMs = 24 * 60 * 60 * 1000;
const deliveriesPerPage = 50;
const waitingRowsMax = 10_000;

const notifySql = sql('webhook notify')`select pg_notify('peyk_webhooks', 'settings')`;
const urlSql = sql('webhook url')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into webhook_endpoints (account_id, url) values ($1, $2)
  on conflict (account_id) do update set url = excluded.url, changed_at = now()`;
const forgiveSql = sql('webhook forgive')`
  insert into webhook_states (account_id) values ($1)
  on conflict (account_id) do update set state = 'healthy', reason = null, answer_status = null, failures = 0, failing_since = null, probes = 0,
    next_probe_at = null`;
const hastenSql = sql('webhook hasten')`
  update webhook_deliveries set next_at = $2 where account_id = $1 and state = 'pending' and next_at > $2 and next_at < 'infinity'`;

/** '' = no webhook. A new address, or the same one saved again, is tried at once whatever happened before. */
export async function setWebhookUrl(
  db: Queryable,
  accountId: number,
  url: string,
  allowPrivate: boolean,
): Promise<void> {
  const checked = checkWebhookUrl(url, allowPrivate);
  await run(db, urlSql, [accountId, checked]);
  await run(db, forgiveSql, [accountId]);
  await run(db, hastenSql, [accountId, now()]);
  await run(db, notifySql);
}

const inboundSql = sql('webhook inbound')`
  insert into webhook_endpoints (account_id, inbound) values ($1, $2)
  on conflict (account_id) do update set inbound = excluded.inbound, changed_at = now()`;

export async function setWebhookInbound(db: Queryable, accountId: number, on: boolean): Promise<void> {
  await run(db, inboundSql, [accountId, on]);
  await run(db, notifySql);
}

/** Of messages; inbound ones have a switch of their own. */
export const messageEvents = ['accepted', 'delivered', 'undelivered'] as const;
export type MessageEvent = (typeof messageEvents)[number];

const eventsSql = sql('webhook events')`
  insert into webhook_endpoints (account_id, skipped) values ($1, $2)
  on conflict (account_id) do update set skipped = excluded.skipped, changed_at = now()`;

/** Which events of messages are posted; it counts for what is posted from now on. */
export async function setWebhookEvents(db: Queryable, accountId: number, wanted: MessageEvent[]): Promise<void> {
  await run(db, eventsSql, [accountId, messageEvents.filter(one => !wanted.includes(one))]);
  await run(db, notifySql);
}

const secretSql = sql<{ secret: Buffer | null }>('webhook secret')`
  select secret from webhook_endpoints where account_id = $1`;
const firstSecretSql = sql<{ secret: Buffer }>('webhook first secret')`
  insert into webhook_endpoints as e (account_id, secret) values ($1, $2)
  on conflict (account_id) do update set secret = coalesce(e.secret, excluded.secret)
  returning secret`;
const rotateSql = sql('webhook rotate')`
  insert into webhook_endpoints as e (account_id, secret) values ($1, $2)
  on conflict (account_id) do update set previous_secret = e.secret, previous_until = $3, secret = excluded.secret,
    changed_at = now()`;

/** The secret in hex, as it is used for signing. After a rotation the previous one signs too for 24 hours. */
export async function webhookSecret(
  db: Queryable,
  key: SecretKey,
  accountId: number,
  rotate: boolean,
): Promise<string> {
  const fresh = randomBytes(secretBytes).toString('hex');
  if (rotate) {
    const until = new Date(now().getTime() + previousSecretMs);
    await run(db, rotateSql, [accountId, seal(key, fresh), until]);
    await run(db, notifySql);
    return fresh;
  }
  const known = (await row(db, secretSql, [accountId]))?.secret;
  // Two first calls at once: one of them stores, both return what was stored.
  const stored = known ?? (await row(db, firstSecretSql, [accountId, seal(key, fresh)]))!.secret;
  return unseal(key, stored);
}

export type EndpointState = {
  url: string;
  inbound: boolean;
  skipped: string[];
  state: 'healthy' | 'failing' | 'paused';
  reason: Failure | null;
  /** The HTTP code with which it fails. */
  answerStatus: number | null;
  failures: number;
  failingSince: Date | null;
  nextProbeAt: Date | null;
  lastSuccessAt: Date | null;
  hasSecret: boolean;
  previousSecretUntil: Date | null;
  /** Events not tried yet (counted over the first 10,000 rows), waiting for a retry, and given up. */
  waiting: number;
  pending: number;
  givenUp: number;
};

const stateSql = sql<EndpointState>('webhook state')`
  select e.url, e.inbound, e.skipped, coalesce(s.state, 'healthy') as state, s.reason, s.answer_status as "answerStatus", coalesce(s.failures, 0) as failures,
    s.failing_since as "failingSince", s.next_probe_at as "nextProbeAt", s.last_success_at as "lastSuccessAt",
    e.secret is not null as "hasSecret", e.previous_until as "previousSecretUntil",
    (select coalesce(sum(o.left), 0)::bigint from (
      select coalesce(o.message_count, cardinality(o.message_ids), 1) - o.done as left from webhook_outbox o
      where o.account_id = e.account_id and o.parked_at is null order by o.id limit $2) o) as waiting,
    (select count(*) from webhook_deliveries d where d.account_id = e.account_id and d.state = 'pending') as pending,
    (select coalesce(sum(d.events), 0)::bigint from webhook_deliveries d
      where d.account_id = e.account_id and d.state = 'given-up') as "givenUp"
  from webhook_endpoints e left join webhook_states s on s.account_id = e.account_id where e.account_id = $1`;

/** null when the account never had a webhook. `reasonText(state.reason)` is the sentence for people. */
export async function endpointState(db: Queryable, accountId: number): Promise<EndpointState | null> {
  return (await row(db, stateSql, [accountId, waitingRowsMax])) ?? null;
}

/** With the HTTP code where one was the failure: "Adres 2xx dışında bir kodla yanıt verdi (HTTP 503)". */
export function reasonText(reason: Failure | null, status: number | null = null): { tr: string; en: string } | null {
  if (!reason) return null;
  const { tr, en } = failureTexts[reason];
  const code = status !== null && (reason === 'status' || reason === 'redirect') ? ` (HTTP ${status})` : '';
  return { tr: `${tr}${code}`, en: `${en}${code}` };
}

/** What has not reached the address yet, tried or not: one figure, wherever it is shown. */
export function undelivered(state: Pick<EndpointState, 'waiting' | 'pending'>): number {
  return state.waiting + state.pending;
}

export type DeliveryFilter = { state?: 'pending' | 'delivered' | 'given-up'; orderId?: number; messageId?: number };
export type RecentDelivery = {
  /** What X-Peyk-Delivery says. */
  id: string;
  kind: 'accepted' | 'final' | 'inbound' | 'test';
  event: string;
  orderId: number | null;
  state: 'pending' | 'delivered' | 'given-up';
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

const deliveryColumns = `outbox_id || '-' || subject_id as id, kind, event, order_id as "orderId", state, events, attempts, body,
  created_at as "createdAt", last_at as "lastAt",
  case when state = 'pending' and next_at < 'infinity' then next_at end as "nextAt", signed_at as timestamp, signature,
  answer_status as "answerStatus", answer_body as "answerBody", answer_ms as "answerMs", error`;
const deliveriesSql: Sql<RecentDelivery> = {
  name: 'webhook deliveries',
  text: `select ${deliveryColumns} from webhook_deliveries
    where account_id = $1 and ($2::text is null or state = $2) and ($3::bigint is null or order_id = $3)
      and ($4::bigint is null or (subject_id = $4 and kind in ('accepted', 'final')))
    order by outbox_id desc, subject_id desc limit $5 offset $6`,
};
const deliverySql: Sql<RecentDelivery> = {
  name: 'webhook delivery',
  text: `select ${deliveryColumns} from webhook_deliveries where account_id = $1 and outbox_id = $2 and subject_id = $3`,
};

/** What X-Peyk-Delivery says, taken apart; null for anything else. */
function readDeliveryId(id: string): [outboxId: string, subjectId: string] | null {
  const [, outboxId, subjectId] = /^(\d{1,18})-(\d{1,18})$/.exec(id) ?? [];
  return outboxId === undefined ? null : [outboxId, subjectId!];
}

export async function findDelivery(db: Queryable, accountId: number, id: string): Promise<RecentDelivery | undefined> {
  const parts = readDeliveryId(id);
  return parts ? row(db, deliverySql, [accountId, ...parts]) : undefined;
}

/** Newest first, 50 a page, pages from 1. Of the successes only a sample is kept. */
export async function recentDeliveries(
  db: Queryable,
  accountId: number,
  filter: DeliveryFilter,
  page: number,
): Promise<RecentDelivery[]> {
  const { state = null, orderId = null, messageId = null } = filter;
  const offset = (page - 1) * deliveriesPerPage;
  return rows(db, deliveriesSql, [accountId, state, orderId, messageId, deliveriesPerPage, offset]);
}

const resendSql = sql<{ events: number }>('webhook resend')`
  select webhook_resend_1($1, $2, $3, $4, $5, make_interval(secs => $6)) as events`;

/** Sends one delivery again, or all that failed (since a time); returns the number of events. */
export async function resend(db: Queryable, accountId: number, which: string, since = new Date(0)): Promise<number> {
  const parts = readDeliveryId(which);
  if (which !== 'failed' && !parts) return 0;
  const [outboxId, subjectId] = parts ?? [null, null];
  const found = await row(db, resendSql, [accountId, outboxId, subjectId, since, now(), retryWindowMs / 1000]);
  await run(db, notifySql);
  return found!.events;
}

const testIdSql = sql<{ id: number }>('webhook test id')`
  select nextval(pg_get_serial_sequence('webhook_outbox', 'id')) as id`;
// Due since 1970: ahead of everything else, also as the next probe of a paused endpoint.
const testSql = sql('webhook test')`
  insert into webhook_deliveries (account_id, outbox_id, subject_id, kind, event, state, body, next_at, expires_at, created_at)
  values ($1, $2, 0, 'test', 'test', 'pending', $3, 'epoch', $4, $5)`;
const probeNowSql = sql('webhook probe now')`
  update webhook_states set next_probe_at = $2 where account_id = $1 and next_probe_at > $2`;

/** Queues a test event (tried once) and returns its delivery id, by which its result is found. */
export async function sendTest(db: Queryable, accountId: number): Promise<string> {
  const time = now();
  const { id } = (await row(db, testIdSql))!;
  const expires = new Date(time.getTime() + retryWindowMs);
  await run(db, testSql, [accountId, id, testPayload(id, time), expires, time]);
  await run(db, probeNowSql, [accountId, time]);
  await run(db, notifySql);
  return `${id}-0`;
}
