// The webhooks role: a loop that records results, claims addresses and loads events, while posts run beside it, at most 16 per
// endpoint and 1,000 in all, in turn between addresses. Any number of processes may run it: the process with the lease serves
// an address. Events that a killed process had loaded are still in the outbox.

import type { Connection, Db } from '../db/db.ts';
import { listen } from '../db/listen.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loops/loop.ts';
import { webhookPostsTotal } from '../metrics/metrics.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import { claim, endpointSettings } from './claims.ts';
import { flush } from './flush.ts';
import { createPoster, type Endpoint, type Poster } from './post.ts';
import { refill } from './refill.ts';
import { signatureHeader, standardSignature } from './signature.ts';
import type { Settings, Stream, WebhookEvent } from './stream.ts';

export type WebhookOptions = {
  db: Db;
  connection: Connection;
  key: SecretKey;
  config: Pick<Config, 'PEYK_ALLOW_PRIVATE_WEBHOOKS' | 'PEYK_LEASE_SECONDS'>;
  log: Log;
  /** For tests: another way to post. */
  poster?: Poster;
};

const postsMax = 1_000;
const accountsMax = 1_000;
const accountsPerClaim = 64;
const claimEveryMs = 250;
const settingsEveryMs = 1_000;
const idlePauseMs = 500;
/** Results wait this long for others before they are written. */
const flushAfterMs = 20;
/** An account without work is kept this long, and with it its open connections. */
const idleLeaseMs = 15_000;
const drainMaxMs = 8_000;

export async function startWebhooks(options: WebhookOptions): Promise<{ stop(): Promise<void> }> {
  const deliverer = new Deliverer(options);
  const loop = startLoop('webhooks', options.log, () => deliverer.round());
  deliverer.wake = () => loop.wake();
  const listener = listen(
    options.connection,
    'peyk_webhooks',
    options.log,
    () => deliverer.alert(),
    () => deliverer.alert(),
  );
  return {
    async stop() {
      await listener.stop();
      await deliverer.drain();
      await loop.stop();
      await deliverer.leave();
    },
  };
}

class Deliverer {
  wake: () => void = () => {};
  private readonly options: WebhookOptions;
  private readonly leaseMs: number;
  private readonly poster: Poster;
  private readonly streams = new Map<number, Stream>();
  /** Accounts that could post if fewer posts were in flight, in turn. */
  private readonly ready = new Set<Stream>();
  private posts = 0;
  private stopping = false;
  private flushTimer: NodeJS.Timeout | undefined;
  private claimedMs = Number.NEGATIVE_INFINITY;
  private settingsMs = Number.NEGATIVE_INFINITY;
  private drained: (() => void) | undefined;

  constructor(options: WebhookOptions) {
    this.options = options;
    this.leaseMs = options.config.PEYK_LEASE_SECONDS * 1_000;
    this.poster = options.poster ?? createPoster({ allowPrivate: options.config.PEYK_ALLOW_PRIVATE_WEBHOOKS });
  }

  /** Something is new: look at once, settings included. */
  alert(): void {
    this.claimedMs = Number.NEGATIVE_INFINITY;
    this.settingsMs = Number.NEGATIVE_INFINITY;
    this.wake();
  }

  // Strictly sequential: what refill reads must contain everything that flush wrote (see Stream.add, `held`).
  async round(): Promise<number> {
    await this.record();
    if (this.stopping) return idlePauseMs;
    await this.claimMore();
    await this.readSettings();
    await refill(this.options.db, [...this.streams.values()]);
    for (const stream of this.streams.values()) this.ready.add(stream);
    this.pump();
    // Slices whose messages are all gone leave something to record and nothing to post.
    return [...this.streams.values()].some(one => one.unrecorded) ? flushAfterMs : idlePauseMs;
  }

  /** Lets running posts end and starts no more. */
  async drain(): Promise<void> {
    this.stopping = true;
    if (this.posts === 0) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, drainMaxMs);
      this.drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** After the loop ended: records the last results and releases all leases. */
  async leave(): Promise<void> {
    clearTimeout(this.flushTimer);
    const all = [...this.streams.values()];
    try {
      if (all.length > 0) await flush(this.options.db, this.leaseMs, all, new Set(all));
    } catch (error) {
      this.options.log.warn({ error: (error as Error).message }, 'webhook results not recorded; events will repeat');
    }
    for (const stream of all) this.drop(stream);
  }

  private async record(): Promise<void> {
    const timeMs = monotonicMs();
    const leaving = new Set<Stream>();
    const due: Stream[] = [];
    for (const stream of this.streams.values()) {
      const idle = stream.isEmpty && timeMs - stream.usedMs > idleLeaseMs;
      if (idle || stream.isResting || (stream.settings?.url === '' && stream.inFlight === 0)) leaving.add(stream);
      if (leaving.has(stream) || stream.unrecorded || timeMs - stream.renewedMs > this.leaseMs / 3) due.push(stream);
    }
    if (due.length === 0) return;
    const lost = await flush(this.options.db, this.leaseMs, due, leaving);
    for (const stream of lost) this.options.log.warn({ account: stream.accountId }, 'webhook lease lost');
    for (const stream of [...lost, ...leaving]) this.drop(stream);
  }

  private async claimMore(): Promise<void> {
    const timeMs = monotonicMs();
    const max = Math.min(accountsPerClaim, accountsMax - this.streams.size);
    if (timeMs - this.claimedMs < claimEveryMs || max <= 0) return;
    this.claimedMs = timeMs;
    for (const stream of await claim(this.options.db, this.leaseMs, max)) {
      const before = this.streams.get(stream.accountId);
      if (before) this.drop(before);
      this.streams.set(stream.accountId, stream);
      this.settingsMs = Number.NEGATIVE_INFINITY;
    }
  }

  private async readSettings(): Promise<void> {
    const timeMs = monotonicMs();
    if (timeMs - this.settingsMs < settingsEveryMs || this.streams.size === 0) return;
    this.settingsMs = timeMs;
    const found = await endpointSettings(this.options.db, this.options.key, [...this.streams.keys()]);
    for (const stream of this.streams.values()) this.applySettings(stream, found.get(stream.accountId));
  }

  private applySettings(stream: Stream, settings: Settings | 'unreadable' | undefined): void {
    if (settings === 'unreadable') {
      this.options.log.error({ account: stream.accountId }, 'webhook secret unreadable');
      stream.pause('secret', nowMs());
      return;
    }
    const before = stream.settings;
    stream.settings = settings ?? {
      url: '',
      inbound: false,
      skipped: [],
      secret: '',
      previous: null,
      previousUntilMs: 0,
    };
    if (before?.url === stream.settings.url) return;
    // Posts in flight to the old address finish; its idle connections end by themselves.
    stream.endpoint = stream.settings.url === '' ? null : this.poster.open(stream.settings.url);
    if (before) stream.forgive();
  }

  /** One post for each account in turn, as long as there is room. */
  private pump(): void {
    if (this.stopping) return;
    const timeMs = monotonicMs();
    for (const stream of this.ready) {
      if (this.posts >= postsMax) return;
      this.ready.delete(stream);
      if (!stream.canLaunch(timeMs)) continue;
      const event = stream.take();
      if (event) void this.send(stream, stream.endpoint!, event);
      // Added while iterating, so it is visited again after the others.
      this.ready.add(stream);
    }
  }

  private async send(stream: Stream, endpoint: Endpoint, event: WebhookEvent): Promise<void> {
    this.posts++;
    const { secret, previous, previousUntilMs } = stream.settings!;
    const secrets = previous && previousUntilMs > nowMs() ? [secret, previous] : [secret];
    const atSeconds = Math.floor(nowMs() / 1000);
    const signature = signatureHeader(secrets, atSeconds, event.body);
    const id = `${event.outboxId}-${event.subjectId}`;
    const outcome = await endpoint.post(
      {
        'Content-Type': 'application/json',
        'User-Agent': 'Peyk/1',
        'X-Peyk-Timestamp': String(atSeconds),
        'X-Peyk-Signature': signature,
        'X-Peyk-Delivery': id,
        'webhook-id': id,
        'webhook-timestamp': String(atSeconds),
        'webhook-signature': standardSignature(secrets, id, atSeconds, event.body),
      },
      event.body,
    );
    this.posts--;
    webhookPostsTotal.inc({ outcome: outcome.failure === null ? 'delivered' : 'failed' });
    if (!stream.lost) {
      stream.complete(event, outcome, { atSeconds, signature }, nowMs(), endpoint === stream.endpoint);
      stream.usedMs = monotonicMs();
      this.ready.add(stream);
      this.flushSoon();
    }
    this.pump();
    if (this.posts === 0) this.drained?.();
  }

  private flushSoon(): void {
    this.flushTimer ??= setTimeout(() => {
      this.flushTimer = undefined;
      this.wake();
    }, flushAfterMs);
  }

  private drop(stream: Stream): void {
    stream.lost = true;
    stream.endpoint?.close();
    this.ready.delete(stream);
    if (this.streams.get(stream.accountId) === stream) this.streams.delete(stream.accountId);
  }
}
