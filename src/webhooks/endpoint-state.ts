// The state of an account's webhook addresses, one by one and together.
import { type Queryable, rows, sql } from '../db/db.ts';
import { type Failure, failureTexts } from './failures.ts';

const waitingRowsMax = 10_000;

export type EndpointState = {
  /** Its number within the account. */
  no: number;
  /** Present for disabled addresses too; '' if it has none (any more). */
  url: string;
  enabled: boolean;
  inbound: boolean;
  skipped: string[];
  state: 'healthy' | 'failing' | 'paused';
  reason: Failure | null;
  /** The HTTP status of its failures. */
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

const statesSql = sql<EndpointState>('webhook states')`
  select e.no, coalesce(nullif(e.url, ''), e.off_url) as url, e.off_url = '' or e.url <> '' as enabled, e.inbound, e.skipped, coalesce(s.state, 'healthy') as state, s.reason,
    s.answer_status as "answerStatus", coalesce(s.failures, 0) as failures, s.failing_since as "failingSince",
    s.next_probe_at as "nextProbeAt", s.last_success_at as "lastSuccessAt", e.secret is not null as "hasSecret",
    e.previous_until as "previousSecretUntil",
    (select coalesce(sum(o.left), 0)::bigint from (
      select coalesce(o.message_count, cardinality(o.message_ids), 1) - o.done as left from webhook_outbox o
      where o.account_id = e.account_id and o.parked_at is null order by o.id limit $2) o) as waiting,
    d.pending, coalesce(d.given_up, 0)::bigint as "givenUp"
  from webhook_endpoints e
  left join webhook_states s on s.account_id = e.account_id
  cross join lateral (
    select count(*) filter (where d.state = 'pending') as pending, sum(d.events) filter (where d.state = 'given-up') as given_up
    from webhook_deliveries d where d.account_id = e.account_id and d.state <> 'delivered') d
  where e.owner_id = $1 order by e.no`;

/** By number; the first may have no URL. */
export function endpointStates(db: Queryable, accountId: number): Promise<EndpointState[]> {
  return rows(db, statesSql, [accountId, waitingRowsMax]);
}

/** With the HTTP status if that was the failure: "Adres 2xx dışında bir kodla yanıt verdi (HTTP 503)". */
export function reasonText(reason: Failure | null, status: number | null = null): { tr: string; en: string } | null {
  if (!reason) return null;
  const { tr, en } = failureTexts[reason];
  const code = status !== null && (reason === 'status' || reason === 'redirect') ? ` (HTTP ${status})` : '';
  return { tr: `${tr}${code}`, en: `${en}${code}` };
}

/** Events that have not reached an address yet, tried or not: the same number everywhere. */
export function undelivered(state: Pick<EndpointState, 'waiting' | 'pending'>): number {
  return state.waiting + state.pending;
}

type WebhookSummary = {
  state: 'none' | EndpointState['state'];
  reason: { tr: string; en: string } | null;
  waiting: number;
};

const worstFirst = ['paused', 'failing', 'healthy'] as const;

/** All enabled addresses as one: the worst state among them, and their pending events together. */
export function webhookSummary(states: EndpointState[]): WebhookSummary {
  const live = states.filter(one => one.enabled && one.url !== '');
  const state = worstFirst.find(word => live.some(one => one.state === word)) ?? 'none';
  const first = live.find(one => one.state === state);
  const reason = first && state !== 'healthy' ? reasonText(first.reason, first.answerStatus) : null;
  const waiting = live.reduce((sum, one) => sum + undelivered(one), 0);
  return { state, reason, waiting };
}
