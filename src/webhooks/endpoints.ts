// What people do with the webhook addresses of an account: add, change, turn off, remove, and their secrets. People name an
// address by its number within the account, the tables by its key (migrations/0174_baseline.sql). The worker hears of a change through
// NOTIFY and otherwise sees it within a second.
import { randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, run, sql, type Tx, transaction } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { checkWebhookUrl, requireWebhookUrl } from './endpoint-url.ts';
import { defaultEvents, type WebhookEventName, webhookEvents } from './events.ts';

export { checkWebhookUrl } from './endpoint-url.ts';

export const endpointsMax = 10;
const secretBytes = 32;
const previousSecretMs = 24 * 60 * 60 * 1000;

export function eventsOf({ skipped, inbound }: { skipped: string[]; inbound: boolean }): WebhookEventName[] {
  return webhookEvents.filter(one => (one === 'inbound' ? inbound : !skipped.includes(one)));
}

function columnsOf(events: readonly WebhookEventName[]): { skipped: string[]; inbound: boolean } {
  return { skipped: defaultEvents.filter(one => !events.includes(one)), inbound: events.includes('inbound') };
}

type EndpointRefusalCode = 'duplicate' | 'full' | 'unknown';
const refusalTexts: Record<EndpointRefusalCode, string> = {
  duplicate: 'the account has this webhook address already',
  full: `an account has at most ${endpointsMax} webhook addresses`,
  unknown: 'the account has no such webhook address',
};

export class EndpointRefusal extends Error {
  readonly code: EndpointRefusalCode;
  constructor(code: EndpointRefusalCode) {
    super(refusalTexts[code]);
    this.code = code;
  }
}

export const notifySql = sql('webhook notify')`select pg_notify(channel('peyk_webhooks'), 'settings')`;
const retrySql = sql('webhook retry at once')`
  insert into webhook_states (account_id) values ($1)
  on conflict (account_id) do update set state = 'healthy', reason = null, answer_status = null, failures = 0,
    failing_since = null, probes = 0, next_probe_at = null`;
const hastenSql = sql('webhook hasten')`
  update webhook_deliveries set next_at = $2 where account_id = $1 and state = 'pending' and next_at > $2 and next_at < 'infinity'`;

/** Tried at once whatever happened before. */
async function retryAtOnce(db: Queryable, key: number): Promise<void> {
  await run(db, retrySql, [key]);
  await run(db, hastenSql, [key, now()]);
}

const keySql = sql<{ key: number }>('webhook key')`
  select account_id as key from webhook_endpoints where owner_id = $1 and no = $2`;

/** The key of the first address is its account's id, whether the address exists or not. */
export async function keyOf(db: Queryable, accountId: number, no: number): Promise<number> {
  if (no === 1) return accountId;
  const found = await row(db, keySql, [accountId, no]);
  if (!found) throw new EndpointRefusal('unknown');
  return found.key;
}

// Serialises changes of an account's addresses.
const turnSql = sql('webhook turn')`select 1 from accounts where id = $1 for no key update`;
// `free`: an address without a URL (created for its secret, or emptied by the operator); it is reused with its pending events.
const placeSql = sql<{ refusal: EndpointRefusalCode | null; free: number | null; next: number; isFirst: boolean }>(
  'webhook place',
)`
  select case when bool_or($2 in (url, off_url)) then 'duplicate'
      when count(*) filter (where url <> '' or off_url <> '') >= $3 then 'full' end as refusal,
    min(no) filter (where url = '' and off_url = '') as free, coalesce(max(no), 1) + 1 as next,
    not coalesce(bool_or(of_account is null), false) as "isFirst"
  from webhook_endpoints where owner_id = $1`;
const refillSql = sql('webhook refill')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  update webhook_endpoints set url = $3, skipped = $4, inbound = $5, changed_at = now() where owner_id = $1 and no = $2`;
const firstSql = sql('webhook first')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into webhook_endpoints (account_id, no, url, skipped, inbound) values ($1, $2, $3, $4, $5)`;
const nextSql = sql('webhook next')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into webhook_endpoints (account_id, of_account, no, url, skipped, inbound)
  values (-nextval('webhook_keys'), $1, $2, $3, $4, $5)`;

async function storeEndpoint(tx: Tx, accountId: number, url: string, columns: unknown[]): Promise<number> {
  await run(tx, turnSql, [accountId]);
  const { refusal, free, next, isFirst } = (await row(tx, placeSql, [accountId, url, endpointsMax]))!;
  if (refusal) throw new EndpointRefusal(refusal);
  const no = free ?? (isFirst ? 1 : next);
  await run(tx, free ? refillSql : isFirst ? firstSql : nextSql, [accountId, no, url, ...columns]);
  return no;
}

/** Returns the number of the new address. */
export async function addEndpoint(
  db: Db,
  accountId: number,
  given: { url: string; events?: readonly WebhookEventName[] },
  allowPrivate: boolean,
): Promise<number> {
  const url = requireWebhookUrl(given.url, allowPrivate);
  const { skipped, inbound } = columnsOf(given.events ?? defaultEvents);
  const no = await transaction(db, tx => storeEndpoint(tx, accountId, url, [skipped, inbound]));
  await retryAtOnce(db, await keyOf(db, accountId, no));
  await run(db, notifySql);
  return no;
}

export type EndpointChange = { url?: string; events?: readonly WebhookEventName[]; enabled?: boolean };

const duplicateSql = sql<{ no: number }>('webhook duplicate')`
  select no from webhook_endpoints where owner_id = $1 and $2 in (url, off_url) and no <> $3`;
// The URL is stored in one of two columns, so that an older program, which cannot disable addresses, sees none.
const changeSql = sql<{ key: number }>('webhook change')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1),
  change as (
    select account_id as key, coalesce($3, nullif(url, ''), off_url) as url, coalesce($4, off_url = '' or url <> '') as enabled
    from webhook_endpoints where owner_id = $1 and no = $2)
  update webhook_endpoints e set url = case when w.enabled then w.url else '' end, off_url = case when w.enabled then '' else w.url end,
    skipped = coalesce($5, skipped), inbound = coalesce($6, inbound), changed_at = now()
  from change w where e.account_id = w.key returning w.key`;

/** A new address, or the same one saved again, is tried at once. Changed events apply from now on. */
export async function changeEndpoint(
  db: Queryable,
  accountId: number,
  no: number,
  change: EndpointChange,
  allowPrivate: boolean,
): Promise<void> {
  const url = change.url === undefined ? null : requireWebhookUrl(change.url, allowPrivate);
  if (url && (await row(db, duplicateSql, [accountId, url, no]))) throw new EndpointRefusal('duplicate');
  const { skipped, inbound } = change.events ? columnsOf(change.events) : { skipped: null, inbound: null };
  const changed = await row(db, changeSql, [accountId, no, url, change.enabled ?? null, skipped, inbound]);
  if (!changed) throw new EndpointRefusal('unknown');
  if (url !== null || change.enabled) await retryAtOnce(db, changed.key);
  await run(db, notifySql);
}

// The state is deleted first, and with it the lease, so that a worker that serves the address records nothing more. This is the
// order in which webhook_record locks.
const removeSqls = [
  sql('webhook remove state')`delete from webhook_states where account_id = $1`,
  sql('webhook remove outbox')`delete from webhook_outbox where account_id = $1`,
  sql('webhook remove deliveries')`delete from webhook_deliveries where account_id = $1`,
];
const removeSql = sql('webhook remove')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  delete from webhook_endpoints where account_id = $2`;

/** Removes an address with its pending events, secret and log. */
export async function removeEndpoint(db: Db, accountId: number, no: number): Promise<void> {
  await transaction(db, async tx => {
    await run(tx, turnSql, [accountId]);
    const found = await row(tx, keySql, [accountId, no]);
    if (!found) throw new EndpointRefusal('unknown');
    for (const statement of removeSqls) await run(tx, statement, [found.key]);
    await run(tx, removeSql, [accountId, found.key]);
  });
  await run(db, notifySql);
}

const furtherSql = sql<{ no: number }>('webhook further')`
  select no from webhook_endpoints where of_account = $1 and owner_id = $1 limit 1`;
const urlSql = sql('webhook url')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into webhook_endpoints (account_id, url) values ($1, $2)
  on conflict (account_id) do update set url = excluded.url, off_url = '', changed_at = now()`;

/**
 * Sets the first address of an account. '' means no webhook at all, so an account with several must remove the others by
 * number.
 */
export async function setWebhookUrl(
  db: Queryable,
  accountId: number,
  url: string,
  allowPrivate: boolean,
): Promise<void> {
  const checked = checkWebhookUrl(url, allowPrivate);
  if (checked === '' && (await row(db, furtherSql, [accountId])))
    throw new Error('the account has further webhook addresses; remove them by number');
  await run(db, urlSql, [accountId, checked]);
  await retryAtOnce(db, accountId);
  await run(db, notifySql);
}

const inboundSql = sql('webhook inbound')`
  insert into webhook_endpoints (account_id, inbound) values ($1, $2)
  on conflict (account_id) do update set inbound = excluded.inbound, changed_at = now()`;

/** Of the first address. */
export async function setWebhookInbound(db: Queryable, accountId: number, on: boolean): Promise<void> {
  await run(db, inboundSql, [accountId, on]);
  await run(db, notifySql);
}

const secretSql = sql<{ secret: Buffer | null }>('webhook secret')`
  select secret from webhook_endpoints where account_id = $1`;
// The first address can have a secret before it has a URL; others exist with a URL only.
const firstSecretSql = sql<{ secret: Buffer }>('webhook first secret')`
  insert into webhook_endpoints as e (account_id, secret)
  select $1::bigint, $2::bytea where $1 > 0 or exists (select 1 from webhook_endpoints x where x.account_id = $1)
  on conflict (account_id) do update set secret = coalesce(e.secret, excluded.secret)
  returning secret`;
const rotateSql = sql('webhook rotate')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $4)
  update webhook_endpoints set previous_secret = secret, previous_until = $3, secret = $2, changed_at = now()
  where account_id = $1`;

/** The secret in hex, as used for signing. */
export async function secretOfKey(db: Queryable, sealing: SecretKey, key: number): Promise<string> {
  const known = (await row(db, secretSql, [key]))?.secret;
  const fresh = randomBytes(secretBytes).toString('hex');
  // Of two concurrent first calls one stores, and both return the stored value.
  const stored = known ?? (await row(db, firstSecretSql, [key, seal(sealing, fresh)]))?.secret;
  if (!stored) throw new EndpointRefusal('unknown');
  return unseal(sealing, stored);
}

/** Issues a new secret; the previous one also signs for 24 hours. */
export async function rotateSecret(db: Queryable, sealing: SecretKey, accountId: number, no: number): Promise<string> {
  const key = await keyOf(db, accountId, no);
  await secretOfKey(db, sealing, key);
  const fresh = randomBytes(secretBytes).toString('hex');
  const until = new Date(now().getTime() + previousSecretMs);
  await run(db, rotateSql, [key, seal(sealing, fresh), until, accountId]);
  await run(db, notifySql);
  return fresh;
}

export async function endpointSecret(
  db: Queryable,
  sealing: SecretKey,
  accountId: number,
  no: number,
): Promise<string> {
  return secretOfKey(db, sealing, await keyOf(db, accountId, no));
}
