// Which addresses this process serves, by their keys (migrations/0174_baseline.sql): leases on webhook_states, and the settings of the endpoints it holds.

import { type Db, rows, sql } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { unseal } from '../sealing/secrets.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import { secretOfKey } from './endpoints.ts';
import type { Failure } from './failures.ts';
import { type Settings, Stream } from './stream.ts';

type StateRow = {
  account_id: number;
  lease_token: number;
  state: 'healthy' | 'failing' | 'paused';
  reason: Failure | null;
  answer_status: number | null;
  failures: number;
  failing_since: Date | null;
  probes: number;
  next_probe_at: Date | null;
  last_success_at: Date | null;
};

// The address that waited longest comes first. Any process may take an expired lease. Leases use the server's clock; $1 is the
// program's clock, which decides what is due.
const claimSql = sql<StateRow>('webhook claim')`
  insert into webhook_states as s (account_id, lease_token, lease_until)
  select c.account_id, nextval('lease_tokens'), now() + make_interval(secs => $2::float8 / 1000.0)
  from (
    select e.account_id from webhook_endpoints e left join webhook_states h on h.account_id = e.account_id
    where e.url <> ''
      and (h.lease_until is null or h.lease_until <= now())
      and (h.next_probe_at is null or h.next_probe_at <= $1::timestamptz)
      and (exists (select 1 from webhook_outbox o where o.account_id = e.account_id and o.parked_at is null)
        or exists (select 1 from webhook_deliveries d where d.account_id = e.account_id and d.state = 'pending'
          and d.next_at <= case when h.next_probe_at is null then $1::timestamptz else '9999-01-01' end))
    order by h.lease_until nulls first limit $3) c
  on conflict (account_id) do update set lease_token = excluded.lease_token, lease_until = excluded.lease_until
    where s.lease_until is null or s.lease_until <= now()
  returning s.account_id, s.lease_token, s.state, s.reason, s.answer_status, s.failures, s.failing_since, s.probes, s.next_probe_at,
    s.last_success_at`;

/** Takes up to `max` more addresses that have something to post. */
export async function claim(db: Db, leaseMs: number, max: number): Promise<Stream[]> {
  // Counted from before the query, so that our deadline is never later than the server's.
  const askedMs = monotonicMs();
  const claimed = await rows(db, claimSql, [new Date(nowMs()), leaseMs, max]);
  return claimed.map(one => {
    const health = {
      state: one.state,
      reason: one.reason,
      answerStatus: one.answer_status,
      failures: one.failures,
      failingSinceMs: one.failing_since?.getTime() ?? null,
      probes: one.probes,
      nextProbeMs: one.next_probe_at?.getTime() ?? null,
      lastSuccessMs: one.last_success_at?.getTime() ?? null,
    };
    const stream = new Stream(one.account_id, one.lease_token, askedMs + leaseMs, askedMs, health);
    stream.renewedMs = askedMs;
    return stream;
  });
}

type EndpointRow = {
  account_id: number;
  url: string;
  inbound: boolean;
  skipped: string[];
  secret: Buffer | null;
  previous_secret: Buffer | null;
  previous_until: Date | null;
};

const endpointsSql = sql<EndpointRow>('webhook endpoints')`
  select account_id, url, inbound, skipped, secret, previous_secret, previous_until from webhook_endpoints
  where account_id = any ($1::bigint[])`;

/** `unreadable` if the secret was sealed with another key. */
export async function endpointSettings(
  db: Db,
  key: SecretKey,
  accountIds: number[],
): Promise<Map<number, Settings | 'unreadable'>> {
  const found = new Map<number, Settings | 'unreadable'>();
  for (const one of await rows(db, endpointsSql, [accountIds]))
    found.set(one.account_id, await readSettings(db, key, one));
  return found;
}

async function readSettings(db: Db, key: SecretKey, one: EndpointRow): Promise<Settings | 'unreadable'> {
  try {
    const secret = one.secret ? unseal(key, one.secret) : await secretOfKey(db, key, one.account_id);
    const previous = one.previous_secret && unseal(key, one.previous_secret);
    return {
      url: one.url,
      inbound: one.inbound,
      skipped: one.skipped,
      secret,
      previous,
      previousUntilMs: one.previous_until?.getTime() ?? 0,
    };
  } catch {
    return 'unreadable';
  }
}
