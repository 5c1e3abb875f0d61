// All background tasks of a node in one table: the name (used by /health/live and the log), the role of the process that runs
// it, its period, and one round of it. Several processes may run the same task. Tasks that need links and leases are in
// src/sending/dispatcher.ts. Imports are lazy: the dispatcher does not load webhooks, nor the webhook process schedules.

import { AcceptQueue } from '../accept/accept-queue.ts';
import type { CellPart, CellParts } from '../cells/cell-parts.ts';
import { home } from '../cells/directory.ts';
import { type Connection, type Db, row, sql, transaction } from '../db/db.ts';
import { dayMs } from '../db/retention.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loops/loop.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { Config, Role } from '../settings/config.ts';
import { closeAfterMs } from '../settle/close.ts';

/** `cell`: the cell of this database; `cells`: the others too, including the home. */
type TaskParts = {
  db: Db;
  connection: Connection;
  config: Config;
  key: SecretKey;
  log: Log;
  cell: number;
  cells: CellParts<CellPart>;
};

/** Returns the pause before the next round in ms, 0 for none; undefined means the task's period. */
type Round = (() => Promise<number | undefined>) | (() => Promise<void>);

/** `background`: in every process for webhooks or the registry. */
type TaskRole = Exclude<Role, 'api'> | 'background';

type Task = {
  name: string;
  role: TaskRole;
  /** Not in the processes of other cells. */
  atHome?: true;
} & (
  | { everyMs: number; round(parts: TaskParts): Promise<Round> }
  /** Manages its own life: it listens, or ends in steps. */
  | { everyMs: null; start(parts: TaskParts): Promise<Stoppable> }
);

type Stoppable = { stop(): Promise<void> };

const minuteMs = 60_000;

export const tasks: Task[] = [
  {
    name: 'schedules',
    role: 'dispatch',
    everyMs: 1_000,
    async round({ db, log, config }) {
      const { fireDue } = await import('../queue/fire.ts');
      return () => fireDue(db, log, closing(config));
    },
  },
  {
    name: 'closing',
    role: 'dispatch',
    everyMs: 2_000,
    async round({ db, log, config }) {
      const { closeOverdue } = await import('../settle/close.ts');
      return closeOverdue(db, log, closing(config));
    },
  },
  {
    name: 'receipts',
    role: 'dispatch',
    everyMs: 2_000,
    async round({ db, log, config }) {
      const { resolveReceipts } = await import('../receipts/resolve.ts');
      const walk = { below: null };
      return () => resolveReceipts(db, config.PEYK_UNSURE_HOLD_SECONDS * 1_000, log, walk);
    },
  },
  {
    name: 'receipts of other cells',
    role: 'dispatch',
    everyMs: 1_000,
    async round({ db, cell, cells }) {
      const { forwarder } = await import('../cells/forward.ts');
      return forwarder(cell, db, cells);
    },
  },
  {
    name: 'carriers of all cells',
    role: 'dispatch',
    atHome: true,
    everyMs: 2_000,
    async round({ cells, db, log }) {
      const { shareCarriers } = await import('../cells/share-carriers.ts');
      return async () => (cells.several ? alone(db, 'carriers', () => shareCarriers(poolsOf(cells), log)) : undefined);
    },
  },
  {
    name: 'accounts of all cells',
    role: 'dispatch',
    atHome: true,
    everyMs: minuteMs,
    async round({ cells, db }) {
      const { reflectAccounts } = await import('../cells/reflect-all.ts');
      return async () => (cells.several ? alone(db, 'accounts', () => reflectAccounts(db, poolsOf(cells))) : undefined);
    },
  },
  {
    name: 'numbering',
    role: 'dispatch',
    everyMs: 5_000,
    async round({ db }) {
      const { numberingRound } = await import('../orders/numbering.ts');
      return () => numberingRound(db);
    },
  },
  {
    name: 'ledger checkpoints',
    role: 'dispatch',
    everyMs: 3_000,
    async round({ db }) {
      const { checkpointRound } = await import('../balance/checkpoints.ts');
      return () => checkpointRound(db);
    },
  },
  {
    name: 'audit seals',
    role: 'dispatch',
    everyMs: 10_000,
    async round({ db, key, log }) {
      const { sealAuditLog } = await import('../accounts/audit-seals.ts');
      return async () => ((await sealAuditLog(db, key, log)) > 0 ? 1_000 : undefined);
    },
  },
  {
    name: 'statistics',
    role: 'dispatch',
    everyMs: 2_000,
    async round({ db }) {
      const { countOutgrown } = await import('../db/statistics.ts');
      return async () => void (await countOutgrown(db));
    },
  },
  {
    name: 'order retention',
    role: 'dispatch',
    everyMs: 30_000,
    async round({ db, config }) {
      const { orderRetention } = await import('../orders/retention.ts');
      return () => orderRetention(db, config.PEYK_RETENTION_DAYS, closing(config));
    },
  },
  {
    name: 'receipt retention',
    role: 'dispatch',
    everyMs: 30_000,
    async round({ db }) {
      const { receiptRetention } = await import('../receipts/retention.ts');
      return () => receiptRetention(db);
    },
  },
  {
    name: 'retention',
    role: 'dispatch',
    everyMs: 30_000,
    async round({ db, config }) {
      const { removeOlder } = await import('../db/retention.ts');
      const { retentionSteps } = await import('../privacy/registry.ts');
      const kept = { inbound: config.PEYK_INBOUND_RETENTION_DAYS * dayMs };
      return () => removeOlder(db, retentionSteps(), kept);
    },
  },
  {
    name: 'webhooks',
    role: 'webhooks',
    everyMs: null,
    async start(parts) {
      const { startWebhooks } = await import('../webhooks/deliver.ts');
      return startWebhooks(parts);
    },
  },
  {
    name: 'webhook expiry',
    role: 'webhooks',
    everyMs: 30_000,
    async round({ db, log }) {
      const { giveUpExpired } = await import('../webhooks/retention.ts');
      return () => giveUpExpired(db, log);
    },
  },
  {
    name: 'webhook retention',
    role: 'webhooks',
    everyMs: 5 * minuteMs,
    async round({ db }) {
      const { prune } = await import('../webhooks/retention.ts');
      return () => prune(db);
    },
  },
  {
    name: 'consent sync',
    role: 'consent',
    everyMs: null,
    async start(parts) {
      const { startConsentSync } = await import('../consent/sync/sync.ts');
      return startConsentSync(parts);
    },
  },
  {
    name: 'SMPP parts',
    role: 'smpp',
    everyMs: 10_000,
    async round({ db, log, config }) {
      const { Acceptance } = await import('../smpp-server/acceptance.ts');
      const acceptance = new Acceptance(db, new AcceptQueue(db, closing(config)));
      return () => acceptance.sweep(log);
    },
  },
  {
    name: 'SMPP expiry',
    role: 'smpp',
    everyMs: minuteMs,
    async round({ db }) {
      const { sweepBans } = await import('../smpp-server/bans.ts');
      const { expireDeliveries } = await import('../smpp-server/outbox.ts');
      return async () => {
        await sweepBans(db);
        return expireDeliveries(db);
      };
    },
  },
  {
    name: 'exports',
    role: 'background',
    everyMs: 2_000,
    async round({ db, log }) {
      const { makeNextExport } = await import('../exports/export-job.ts');
      const { listSource } = await import('../panel-api/exports/sources.ts');
      return async () => ((await makeNextExport(db, log, listSource)) ? 0 : undefined);
    },
  },
  {
    name: 'backups',
    role: 'background',
    everyMs: null,
    async start(parts) {
      const { startBackups } = await import('../backup/backups.ts');
      const { openStore } = await import('../backup/open-store.ts');
      const { replayErasures } = await import('../privacy/erasures.ts');
      // The backups of every cell lie beside the home's.
      const begin = async () => {
        const numbers = await replayErasures({ ...parts, actor: 'backup' }, await openStore(parts.config));
        if (numbers > 0)
          parts.log.warn({ numbers }, 'backup: numbers erased after these data were backed up are erased again');
      };
      return startBackups({ ...parts, begin });
    },
  },
  {
    name: 'draft retention',
    role: 'background',
    everyMs: 10 * minuteMs,
    async round({ db }) {
      const { sweepDrafts } = await import('../drafts/retention.ts');
      return async () => ((await sweepDrafts(db)) > 0 ? 0 : undefined);
    },
  },
  {
    name: 'moves',
    role: 'background',
    atHome: true,
    everyMs: 2_000,
    async round(parts) {
      const { relieveMoves } = await import('../cells/move/mover.ts');
      return async () => void (await relieveMoves(parts));
    },
  },
  {
    name: 'low balances',
    role: 'background',
    everyMs: 10_000,
    async round(parts) {
      const { watchLowBalances } = await import('../notices/low-balance-watch.ts');
      const sending = platform(parts);
      return () => watchLowBalances(sending);
    },
  },
  {
    name: 'notices',
    role: 'background',
    everyMs: 5_000,
    async round(parts) {
      const { sendNotices } = await import('../notices/notice-watch.ts');
      const sending = platform(parts);
      return () => sendNotices(sending);
    },
  },
];

/** Starts the tasks of these roles; stopping waits for running rounds. */
export async function startTasks(roles: TaskRole[], parts: TaskParts): Promise<Stoppable> {
  const wanted = tasks.filter(task => roles.includes(task.role) && !(task.atHome && parts.cell !== home));
  const running = await Promise.all(wanted.map(task => startTask(task, parts)));
  return {
    async stop() {
      await Promise.all(running.map(one => one.stop()));
    },
  };
}

async function startTask(task: Task, parts: TaskParts): Promise<Stoppable> {
  if (task.everyMs === null) return task.start(parts);
  const { name, everyMs } = task;
  const round = await task.round(parts);
  // A task is stalled after three missed rounds, but not before the usual limit.
  const silenceMaxMs = Math.max(90_000, 3 * everyMs);
  const next = async () => {
    const afterMs = await round();
    return typeof afterMs === 'number' ? afterMs : everyMs;
  };
  return startLoop(name, parts.log, next, { silenceMaxMs });
}

function closing(config: Config) {
  return closeAfterMs(config.PEYK_VALIDITY_SECONDS, config.PEYK_RECEIPT_GRACE_SECONDS);
}

/** Sends the platform's own messages: whatever the cell of their subject, people and the platform account are at home. */
function platform({ db, log, config, cells }: TaskParts) {
  const homeDb = cells.home.db;
  return { db, homeDb, log, orders: new AcceptQueue(homeDb, closing(config)) };
}

function poolsOf(cells: CellParts<CellPart>): [number, Db][] {
  return cells.all().map(([id, { db }]) => [id, db]);
}

/** Only one of several nodes runs it at a time. */
async function alone(db: Db, what: string, work: () => Promise<void>): Promise<undefined> {
  await transaction(db, async tx => {
    if ((await row(tx, turnSql, [what]))!.ours) await work();
  });
  return undefined;
}

const turnSql = sql<{ ours: boolean }>('cells turn')`
  select pg_try_advisory_xact_lock(hashtextextended($1, 7034) # lock_salt()) as ours`;
