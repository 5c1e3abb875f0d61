// Which addresses this process serves, by their keys (migrations/0070): leases on webhook_states, and the settings of the endpoints it holds.

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

const claimSql = sql<StateRow>('webhook claim')`
  select account_id, lease_token, state, reason, answer_status, failures, failing_since, probes, next_probe_at, last_success_at
  from webhook_claim_2($1, $2, $3)`;

/** Takes up to `max` more addresses that have something to post. */
export async function claim(db: Db, leaseMs: number, max: number): Promise<Stream[]> {
  // Counted from before the question, so that our deadline is never later than the server's.
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

/** `unreadable` when the secret was sealed with another key. */
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
