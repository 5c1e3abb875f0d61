// The dispatcher as a value with a start and a stop: wires leases, claims, links, pump, records and receipts together.
// A clean stop takes nothing new, waits for the answers under way, stores them, and gives the rest back untouched.
import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import type { Connection, Db } from '../db/db.ts';
import { listen } from '../db/listen.ts';
import { settledTotal, unmatchedTotal } from '../http/metrics.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';
import { workChannel } from '../orders/announce.ts';
import { returnChunks } from '../orders/claim.ts';
import { startClosing } from '../orders/close.ts';
import { startFiring } from '../orders/fire.ts';
import { startNumbering } from '../orders/numbering.ts';
import { startRetention } from '../orders/retention.ts';
import type { SecretKey } from '../secrets.ts';
import { Claimer } from './claimer.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { publishLinks } from './link-board.ts';
import { type Flight, Pump } from './pump.ts';
import { ReceiptDesk } from './receipts.ts';
import { Recorder } from './recorder.ts';
import { Router } from './router.ts';
import { SlotLocks } from './slot-locks.ts';
import { Templates } from './submit.ts';

export type DispatcherOptions = {
  db: Db;
  connection: Connection;
  key: SecretKey;
  config: Config;
  log: Log;
  deadDispatchers: number[] | 'all';
  onIdentity(id: number): void;
};

const reloadMs = 1_000;
const drainMaxMs = 5_000;

export async function startDispatcher(options: DispatcherOptions): Promise<{ stop(): Promise<void> }> {
  const { db, connection, key, config, log } = options;
  const closeAfterMs = (config.PEYK_VALIDITY_SECONDS + config.PEYK_RECEIPT_GRACE_SECONDS) * 1_000;
  const holdMs = config.PEYK_UNSURE_HOLD_SECONDS * 1_000;
  const pump = new Pump();
  const lease = new LeaseKeeper(db, log, config.PEYK_LEASE_SECONDS * 1_000, hostname(), id => {
    pump.abandon();
    options.onIdentity(id);
  });
  const recorder = new Recorder(
    db,
    log,
    () => lease.id,
    closeAfterMs,
    stored => {
      settledTotal.inc(stored.settled);
      unmatchedTotal.inc(stored.unmatched);
      desk.stored();
      pump.wake();
    },
  );
  const desk = new ReceiptDesk(recorder, db, log);
  const locks = new SlotLocks(connection, log);
  const router = new Router<Flight>(
    db,
    key,
    {
      onAnswer: (link, flight, status, id) => pump.answered(link, flight, status, id),
      onLateAnswer: (link, flight, status, id) => pump.answeredLate(link, flight, status, id),
      onLost: (_link, flight) => pump.lost(flight),
      onRoom: () => pump.wake(),
      onRequest: (link, pdu, session) => desk.onRequest(link, pdu, session),
      onState: link => link.bound && claimer.lookAgain(),
    },
    locks,
    log,
  );
  const claimer = new Claimer({
    db,
    log,
    pump,
    router,
    recorder,
    lease,
    validityMs: config.PEYK_VALIDITY_SECONDS * 1_000,
    holdMs,
  });
  pump.connect({
    router,
    recorder,
    templates: new Templates(config.PEYK_OPERATOR_CODE),
    log,
    mayWrite: () => lease.mayWrite(),
    onNeed: () => claimer.need(),
    unsureHoldMs: holdMs,
  });
  await lease.start(options.deadDispatchers);
  await router.reload();
  claimer.start();
  const listener = listen(
    connection,
    workChannel,
    log,
    payload => claimer.hear(payload),
    () => claimer.lookAgain(),
  );
  const loops: Loop[] = [
    startLoop('carriers', log, () => watchCarriers(db, router, lease, pump)),
    startFiring(db, log, closeAfterMs),
    startClosing(db, log),
    startRetention(db, log, config.PEYK_RETENTION_DAYS),
    startNumbering(db, log),
  ];
  return {
    async stop() {
      await Promise.all([...loops.map(one => one.stop()), listener.stop(), claimer.stop()]);
      pump.stop();
      await flightsLanded(router);
      await giveBack(db, pump, recorder);
      await router.stop();
      await recorder.drain();
      await lease.stop();
      await locks.stop();
    },
  };
}

async function watchCarriers(db: Db, router: Router<Flight>, lease: LeaseKeeper, pump: Pump): Promise<number> {
  await router.reload();
  await publishLinks(db, lease.id, router.links);
  pump.wake();
  return reloadMs;
}

/** Waits until every submit has its answer, for a bounded time. */
async function flightsLanded(router: Router<Flight>): Promise<void> {
  const until = performance.now() + drainMaxMs;
  while (performance.now() < until && router.links.some(link => link.windowUsed > 0))
    await new Promise(resolve => setTimeout(resolve, 10));
}

/** Unwritten messages go back with their chunks; those a carrier throttled become chunks of their own. */
async function giveBack(db: Db, pump: Pump, recorder: Recorder): Promise<void> {
  const runs = pump.runs;
  for (const run of runs)
    for (const index of run.again.splice(0)) if (index < run.position) pump.postpone(run, index, 1, 0, 0);
  await recorder.drain();
  const marks = runs.map(run => ({
    chunkId: run.facts.chunkId,
    token: run.facts.token,
    mark: run.databaseMark(run.position),
  }));
  if (marks.length) await returnChunks(db, marks);
}
