// Keeps our consent store and the registry in step: `startConsentSync` for the running program, `syncOnce` for the operator's
// command. Both run the same rounds under the same lease, so any number of processes may run them. Nothing is kept in memory
// that a crash could lose: due work is always read from the tables.
import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { startLoop } from '../../loops/loop.ts';
import { loadSecretKey } from '../../sealing/secrets.ts';
import type { Config } from '../../settings/config.ts';
import { backoffMs } from '../../time/backoff.ts';
import { monotonicMs } from '../../time/clock.ts';
import { createRegistryClient, registryLimits } from '../registry/client.ts';
import type { Failed } from '../registry/outcome.ts';
import type { RegistryClock } from '../registry/pace.ts';
import { hourMs, type Sync, type SyncPace, type SyncStep, type SyncTally } from './context.ts';
import { type Lease, takeLease } from './lease.ts';
import { runRound } from './round.ts';
import {
  announcedRegistry,
  announceRegistry,
  isAnythingDue,
  makeAllDue,
  nextAskMs,
  noteOutcome,
  takeSyncRequest,
  troubleCode,
} from './state.ts';
import { createTokenMemory } from './token-memory.ts';

type RegistrySetting = 'URL' | 'CODE' | 'USER' | 'PASSWORD' | 'SYNC_SECONDS';
export type SyncOptions = {
  db: Db;
  config: Pick<Config, `PEYK_REGISTRY_${RegistrySetting}` | 'PEYK_DATA' | 'PEYK_SECRET_KEY'>;
  log: Log;
  /** For tests. */
  pace?: Partial<SyncPace>;
  clock?: RegistryClock;
  onStep?(step: SyncStep): void;
};

// The worker: how often it looks for new records, and how long it keeps the lease before others get a chance.
const lookEveryMs = 1_000;
const roundMs = 8_000;
const aliveEveryMs = 30_000;
// A call still unanswered this long after the stop is aborted; its record is sent again at the next start.
const stopMs = 3_000;
const outageMs = 1_000;
const outageMaxMs = 30_000;
const pauseMaxMs = 10 * 60_000;
const quietMs = 1_100;
// The command: how long it waits for the lease, works, and sleeps for a result or a busy registry.
const leaseWaitMs = 30_000;
const commandMs = 50_000;
const napMaxMs = 5_000;
const napsMax = 5;

export async function syncOnce(options: SyncOptions): Promise<SyncTally> {
  const { db, log } = options;
  const tally: SyncTally = { sent: 0, accepted: 0, refused: 0, pulled: 0 };
  const url = options.config.PEYK_REGISTRY_URL || (await announcedRegistry(db));
  if (url === '') {
    log.warn({}, 'consent.no registry: PEYK_REGISTRY_URL is empty and no running program has one');
    return tally;
  }
  if (!URL.canParse(url)) throw new Error('PEYK_REGISTRY_URL is not an address');
  const session = createSession(options, url);
  const lease = await takeLease(db, session.holder, session.pace.quietMs, leaseWaitMs);
  try {
    if (!lease) throw new Error('another process has been using the registry for 30 s; try again');
    await makeAllDue(db);
    await workOff(session.sync(lease, tally));
  } finally {
    await lease?.release();
    session.close();
  }
  return tally;
}

/** Runs rounds until nothing is due and no result is expected soon. */
async function workOff(sync: Sync): Promise<void> {
  const endMs = monotonicMs() + commandMs;
  let naps = 0;
  while (monotonicMs() < endMs && !sync.lease.isLost()) {
    const { trouble, isCut } = await runRound(sync, endMs - monotonicMs());
    await noteOutcome(sync.db, trouble);
    if (isCut) continue;
    if (trouble !== null) sync.log.warn({ trouble: troubleCode(trouble) }, 'consent.registry cannot be used');
    const napMs = trouble === null ? await nextAskMs(sync.db) : troublePauseMs(trouble, naps++);
    if (napMs === null || napMs > napMaxMs || naps > napsMax) return;
    await new Promise(resolve => setTimeout(resolve, Math.max(10, napMs)));
    if (trouble !== null) await makeAllDue(sync.db);
  }
}

export async function startConsentSync(options: SyncOptions): Promise<{ stop(): Promise<void> }> {
  const { db, log, config } = options;
  const url = config.PEYK_REGISTRY_URL;
  // A wrong address must not end a process that also does other work.
  if (url !== '' && !URL.canParse(url)) log.error({}, 'consent.no registry: PEYK_REGISTRY_URL is not an address');
  if (!URL.canParse(url)) return { stop: async () => {} };
  const session = createSession(options, url);
  let aliveMs = Number.NEGATIVE_INFINITY;
  let restUntilMs = 0;
  let failures = 0;

  async function round(): Promise<number> {
    const nowMs = monotonicMs();
    if (isLoopback(url) && nowMs >= aliveMs + aliveEveryMs) {
      await announceRegistry(db, url);
      aliveMs = nowMs;
    }
    const isWanted = await takeSyncRequest(db);
    if (nowMs < restUntilMs && !isWanted) return Math.min(restUntilMs - nowMs, lookEveryMs);
    if (!(await isAnythingDue(db))) return lookEveryMs;
    const lease = await takeLease(db, session.holder, session.pace.quietMs, 0);
    if (!lease) return lookEveryMs;
    try {
      return await underLease(lease);
    } finally {
      await lease.release();
    }
  }

  async function underLease(lease: Lease): Promise<number> {
    const tally: SyncTally = { sent: 0, accepted: 0, refused: 0, pulled: 0 };
    const { trouble, isCut } = await runRound(session.sync(lease, tally), roundMs);
    await noteOutcome(db, trouble);
    if (Object.values(tally).some(count => count > 0)) log.info(tally, 'consent.synchronised');
    if (trouble === null) {
      failures = 0;
      return isCut ? 0 : lookEveryMs;
    }
    const pauseMs = Math.min(session.pace.pauseMaxMs, troublePauseMs(trouble, failures));
    if (failures++ === 0) log.warn({ trouble: troubleCode(trouble), pauseMs }, 'consent.registry cannot be used');
    restUntilMs = monotonicMs() + pauseMs;
    return Math.min(pauseMs, lookEveryMs);
  }

  const loop = startLoop('consent sync', log, round);
  return {
    async stop() {
      session.hurry();
      const timer = setTimeout(session.close, stopMs);
      await loop.stop();
      clearTimeout(timer);
      session.close();
      if (isLoopback(url)) await announceRegistry(db, null).catch(() => {});
    },
  };
}

/** Lives as long as the worker or the command: the client with its pace and token, and our login. */
function createSession(options: SyncOptions, url: string) {
  const { db, log, config, clock, onStep = () => {} } = options;
  const { PEYK_REGISTRY_CODE: iysCode, PEYK_REGISTRY_USER: username, PEYK_REGISTRY_PASSWORD: password } = config;
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const tokenMemory = createTokenMemory(db, key, url, iysCode, username);
  const client = createRegistryClient({ baseUrl: url, iysCode, username, password, log, tokenMemory, clock });
  const pace = { ...paceFor(url, config.PEYK_REGISTRY_SYNC_SECONDS), ...options.pace };
  let stopping = false;
  return {
    holder: randomUUID(),
    pace,
    hurry: () => {
      stopping = true;
    },
    sync(lease: Lease, tally: SyncTally): Sync {
      return { db, client, log, pace, tally, lease, untilMs: 0, isStopping: () => stopping, onStep };
    },
    close: () => client.close(),
  };
}

/**
 * The registry wants 300 s before a result is asked for. An address on this machine can only be the simulator, which answers
 * sooner and forgets batches when it restarts.
 */
function paceFor(url: string, syncSeconds: number): SyncPace {
  const rest = { pullEveryMs: Math.min(syncSeconds * 1_000, hourMs), pauseMaxMs, quietMs };
  if (isLoopback(url))
    return { askAfterMs: 1_000, askAgainMs: 500, askAgainMaxMs: 60_000, giveUpMs: 10 * 60_000, ...rest };
  const askAfterMs = registryLimits.resultAfterMs;
  return { askAfterMs, askAgainMs: askAfterMs / 2, askAgainMaxMs: hourMs / 2, giveUpMs: 24 * hourMs, ...rest };
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

function troublePauseMs(trouble: Failed, failures: number): number {
  if (trouble.kind === 'later') return trouble.afterMs;
  if (trouble.kind === 'unreachable') return backoffMs(failures, outageMs, outageMaxMs);
  return 60_000;
}
