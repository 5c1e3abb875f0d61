// What people do with the webhook addresses of an account: add, change, turn off, remove, and their secrets. People name an
// address by its number within the account, the tables by its key (migrations/0070). The worker hears of a change through
// NOTIFY and otherwise sees it within a second.
import { randomBytes } from 'node:crypto';
import { type Queryable, row, run, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { checkWebhookUrl, requireWebhookUrl } from './endpoint-url.ts';

export { checkWebhookUrl } from './endpoint-url.ts';

export const endpointsMax = 10;
const secretBytes = 32;
const previousSecretMs = 24 * 60 * 60 * 1000;

/** What an address may want to be told: three about messages that were sent, and messages that came in. */
export const webhookEvents = ['accepted', 'delivered', 'undelivered', 'inbound'] as const;
export type WebhookEventName = (typeof webhookEvents)[number];
/** Of an address for which nothing was chosen. */
export const defaultEvents: readonly WebhookEventName[] = ['accepted', 'delivered', 'undelivered'];

export function eventsOf({ skipped, inbound }: { skipped: string[]; inbound: boolean }): WebhookEventName[] {
  return webhookEvents.filter(one => (one === 'inbound' ? inbound : !skipped.includes(one)));
}

function columnsOf(events: readonly WebhookEventName[]): { skipped: string[]; inbound: boolean } {
  return { skipped: defaultEvents.filter(one => !events.includes(one)), inbound: events.includes('inbound') };
}

export type EndpointRefusalCode = 'duplicate' | 'full' | 'unknown';
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
const forgiveSql = sql('webhook forgive')`
  insert into webhook_states (account_id) values ($1)
  on conflict (account_id) do update set state = 'healthy', reason = null, answer_status = null, failures = 0,
    failing_since = null, probes = 0, next_probe_at = null`;
const hastenSql = sql('webhook hasten')`
  update webhook_deliveries set next_at = $2 where account_id = $1 and state = 'pending' and next_at > $2 and next_at < 'infinity'`;

/** Tried at once whatever happened before. */
async function forgive(db: Queryable, key: number): Promise<void> {
  await run(db, forgiveSql, [key]);
  await run(db, hastenSql, [key, now()]);
}

const keySql = sql<{ key: number }>('webhook key')`
  select account_id as key from webhook_endpoints where owner_id = $1 and no = $2`;

/** The first address goes by its account, whether it is there or not. */
export async function keyOf(db: Queryable, accountId: number, no: number): Promise<number> {
  if (no === 1) return accountId;
  const found = await row(db, keySql, [accountId, no]);
  if (!found) throw new EndpointRefusal('unknown');
  return found.key;
}

const addSql = sql<{ no: number | null; refusal: EndpointRefusalCode | null }>('webhook add')`
  select no, refusal from webhook_add($1, $2, $3, $4, $5)`;

/** Returns the number of the new address. */
export async function addEndpoint(
  db: Queryable,
  accountId: number,
  given: { url: string; events?: readonly WebhookEventName[] },
  allowPrivate: boolean,
): Promise<number> {
  const url = requireWebhookUrl(given.url, allowPrivate);
  const { skipped, inbound } = columnsOf(given.events ?? defaultEvents);
  const { no, refusal } = (await row(db, addSql, [accountId, url, skipped, inbound, endpointsMax]))!;
  if (no === null) throw new EndpointRefusal(refusal!);
  await forgive(db, await keyOf(db, accountId, no));
  await run(db, notifySql);
  return no;
}

export type EndpointChange = { url?: string; events?: readonly WebhookEventName[]; enabled?: boolean };

const duplicateSql = sql<{ no: number }>('webhook duplicate')`
  select no from webhook_endpoints where owner_id = $1 and $2 in (url, off_url) and no <> $3`;
// Its URL stands in one of two places: a program of before, which knows nothing of off, sees none.
const changeSql = sql<{ key: number }>('webhook change')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1),
  wish as (
    select account_id as key, coalesce($3, nullif(url, ''), off_url) as url, coalesce($4, off_url = '' or url <> '') as enabled
    from webhook_endpoints where owner_id = $1 and no = $2)
  update webhook_endpoints e set url = case when w.enabled then w.url else '' end, off_url = case when w.enabled then '' else w.url end,
    skipped = coalesce($5, skipped), inbound = coalesce($6, inbound), changed_at = now()
  from wish w where e.account_id = w.key returning w.key`;

/** A new address, or the same one saved again, is tried at once. Events count for what happens from now on. */
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
  if (url !== null || change.enabled) await forgive(db, changed.key);
  await run(db, notifySql);
}

const removeSql = sql<{ removed: boolean }>('webhook remove')`select webhook_remove($1, $2) as removed`;

/** With everything that waits for it, its secret and its log. */
export async function removeEndpoint(db: Queryable, accountId: number, no: number): Promise<void> {
  if (!(await row(db, removeSql, [accountId, no]))!.removed) throw new EndpointRefusal('unknown');
  await run(db, notifySql);
}

const furtherSql = sql<{ no: number }>('webhook further')`
  select no from webhook_endpoints where of_account = $1 and owner_id = $1 limit 1`;
const urlSql = sql('webhook url')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into webhook_endpoints (account_id, url) values ($1, $2)
  on conflict (account_id) do update set url = excluded.url, off_url = '', changed_at = now()`;

/** The first address of an account. '' = no webhook at all, so an account with further ones must remove them by number. */
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
  await forgive(db, accountId);
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
// A first address can have one before it has a URL; a further one is there or was removed.
const firstSecretSql = sql<{ secret: Buffer }>('webhook first secret')`
  insert into webhook_endpoints as e (account_id, secret)
  select $1::bigint, $2::bytea where $1 > 0 or exists (select 1 from webhook_endpoints x where x.account_id = $1)
  on conflict (account_id) do update set secret = coalesce(e.secret, excluded.secret)
  returning secret`;
const rotateSql = sql('webhook rotate')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $4)
  update webhook_endpoints set previous_secret = secret, previous_until = $3, secret = $2, changed_at = now()
  where account_id = $1`;

/** The secret in hex, as it is used for signing. */
export async function secretOfKey(db: Queryable, sealing: SecretKey, key: number): Promise<string> {
  const known = (await row(db, secretSql, [key]))?.secret;
  const fresh = randomBytes(secretBytes).toString('hex');
  // Two first calls at once: one of them stores, both return what was stored.
  const stored = known ?? (await row(db, firstSecretSql, [key, seal(sealing, fresh)]))?.secret;
  if (!stored) throw new EndpointRefusal('unknown');
  return unseal(sealing, stored);
}

/** A new secret; the previous one signs along for 24 hours. */
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
