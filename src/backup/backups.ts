// Backups of a node. Of all processes with this task, the one that holds a lock in the database archives the log, takes a base
// backup when the last one is old enough, and removes older ones by the keep rule.
import { setTimeout as pause } from 'node:timers/promises';
import { readTimeline } from '../db/data-home.ts';
import { type Connection, type Db, openClient, row, sql } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { nowMs } from '../time/clock.ts';
import { archiveLog } from './archiver.ts';
import { listBases } from './catalogue.ts';
import { openStore } from './open-store.ts';
import { prune } from './prune.ts';
import { dropSlot, listSlots, makeSlot, type Slot } from './slots.ts';
import { forgetBackups, noteBase, noteChain, noteReach, noteTrouble, noteVerified, readBackupState } from './state.ts';
import type { Store } from './store.ts';
import { serverFacts, takeBase } from './take-base.ts';
import { verify } from './verify.ts';

type Parts = {
  db: Db;
  connection: Connection;
  config: Config;
  log: Log;
  /** 0: the home. */
  cell: number;
  /** Called before anything is archived, because the data may have been restored. */
  begin(): Promise<void>;
};

const againMs = 5_000;
const baseLookMs = 60_000;
const hourMs = 3_600_000;

const lockSql = sql<{ held: boolean }>('backup lock')`select pg_try_advisory_lock(7030040 # lock_salt()) as held`;

export function startBackups(parts: Parts): { stop(): Promise<void> } {
  const ending = new AbortController();
  const running = parts.config.PEYK_BACKUP === '' ? forgetSlots(parts) : keepOn(parts, ending.signal);
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** Drops the slots of the embedded server: they would keep its log for nobody. For another server `peyk doctor` reports them. */
async function forgetSlots({ db, config, log }: Parts): Promise<void> {
  if (config.DATABASE_URL) return;
  try {
    for (const { name } of await listSlots(db)) await dropSlot(db, name);
    await forgetBackups(db);
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'backup: a slot of former backups could not be dropped');
  }
}

async function keepOn(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await holdAndWork(parts, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { message } = error as Error;
      parts.log.warn({ error: message }, 'backup: interrupted, it is tried again');
      await noteTrouble(parts.db, `log: ${message}`).catch(() => {});
    }
    await pause(againMs, undefined, { signal }).catch(() => {});
  }
}

async function holdAndWork(parts: Parts, signal: AbortSignal): Promise<void> {
  const { connection } = parts;
  const holding = new AbortController();
  const lost = () => holding.abort();
  const client = await openClient(connection, { name: 'peyk backup', onError: lost, limit: statementLimits.work });
  client.once('end', lost);
  try {
    if ((await row(client, lockSql))!.held) await work(parts, AbortSignal.any([signal, holding.signal]));
  } finally {
    await client.end().catch(() => {});
  }
}

async function work(parts: Parts, signal: AbortSignal): Promise<void> {
  const { db, connection, config, cell } = parts;
  const store = await openStore(config, cell);
  const slot = await slotFor(db, store);
  await noteChain(db, slot.chain);
  // The error is recorded and the next start tries again; archiving goes on.
  await parts.begin().catch(error => noteTrouble(db, `erasures were not done again: ${error.message}`));
  const { segmentBytes } = await serverFacts(db);
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const bases = keepBases(parts, store, slot.chain, both);
  try {
    await archiveLog({
      db,
      connection,
      store,
      slot,
      segmentBytes,
      lagMs: config.PEYK_BACKUP_LAG_SECONDS * 1000,
      onReach: reach => noteReach(db, reach.at),
      isStopped: () => signal.aborted,
    });
  } finally {
    ending.abort();
    await bases;
  }
}

/** The present chain if its slot still has all of its log; otherwise a new one. */
async function slotFor(db: Db, store: Store): Promise<Slot> {
  const timeline = await readTimeline(db);
  const bases = await listBases(store);
  for (const slot of await listSlots(db)) {
    const known = bases.find(base => base.chain === slot.chain);
    const fits = !slot.isLost && slot.lsn !== null && (!known || known.timeline === timeline);
    if (fits) return slot;
    await dropSlot(db, slot.name);
  }
  return makeSlot(db);
}

async function keepBases(parts: Parts, store: Store, chain: string, signal: AbortSignal): Promise<void> {
  const { db, connection, config, log } = parts;
  let failed = false;
  while (!signal.aborted) {
    try {
      const last = (await listBases(store)).findLast(base => base.chain === chain);
      if (!last || nowMs() - Date.parse(last.finishedAt) >= config.PEYK_BACKUP_EVERY_HOURS * hourMs) {
        const { finishedAt, archiveBytes } = await takeBase({ db, connection, store, chain, signal });
        await noteBase(db, finishedAt);
        log.info({ finishedAt, archiveBytes, chain }, 'backup: a base backup is stored');
        await prune(store, config.PEYK_BACKUP_KEEP_DAYS);
      } else await noteBase(db, last.finishedAt);
      if (failed) await noteTrouble(db, null);
      failed = false;
      await verifyWhenDue(parts, store);
    } catch (error) {
      if (signal.aborted) return;
      failed = true;
      const { message } = error as Error;
      log.warn({ error: message }, 'backup: the base backup failed, it is tried again');
      await noteTrouble(db, `base backup: ${message}`).catch(() => {});
    }
    await pause(baseLookMs, undefined, { signal }).catch(() => {});
  }
}

/** Reads the newest backup as a restore would. Damage stays recorded until a later check finds a whole backup. */
export async function verifyWhenDue(
  { db, config, log }: Pick<Parts, 'db' | 'config' | 'log'>,
  store: Store,
): Promise<void> {
  const everyMs = config.PEYK_BACKUP_VERIFY_HOURS * hourMs;
  const last = (await readBackupState(db))?.verifiedAt;
  if (everyMs === 0 || (last && nowMs() - last.getTime() < everyMs)) return;
  const { ok, wrong } = await verify(store).catch(error => {
    throw new Error(`reading the last one again: ${error.message}`, { cause: error });
  });
  if (ok) log.info({}, 'backup: the last one was read again and is whole');
  else log.error({ wrong: wrong.join('; ') }, 'BACKUP: what was read again is damaged');
  await noteVerified(db, ok ? null : wrong.join('; ').slice(0, 1_000));
}
