// Starts and stops the dispatcher: wires leases, claims, links, pump, recorder and receipts together. Its loops need its links and
// leases; other tasks of the process are in src/processes/tasks.ts. A clean stop claims no more, waits for answers, stores them, and gives
// the rest back.
import { hostname } from 'node:os';
import { carrierHistory } from '../carriers/carrier-history.ts';
import { publishTallies } from '../carriers/carrier-tally.ts';
import { pauseCarrier } from '../carriers/carriers.ts';
import type { Connection, Db } from '../db/db.ts';
import { listen } from '../db/listen.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { mismatchedTotal, settledTotal, unmatchedTotal } from '../metrics/metrics.ts';
import { workChannel } from '../queue/announce.ts';
import type { ChunkProgress } from '../queue/chunk-progress.ts';
import { readHold } from '../queue/dispatch-hold.ts';
import type { FailoverCheck } from '../queue/failover-check.ts';
import { LeaseKeeper } from '../queue/lease-keeper.ts';
import { Inbox } from '../receipts/inbox.ts';
import { Recorder } from '../receipts/recorder.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';
import { monotonicMs } from '../time/clock.ts';
import { tracing } from '../tracing/tracer.ts';
import { CarrierReports } from './carrier-reports.ts';
import { Claimer } from './claimer.ts';
import { DispatchTraces } from './dispatch-traces.ts';
import type { Flight } from './flight.ts';
import { giveBack } from './give-back.ts';
import { startPolling } from './http/poller.ts';
import type { Link } from './links/link.ts';
import { fewestBinds, publishLinks } from './links/link-board.ts';
import { Router } from './links/router.ts';
import { SlotLocks } from './links/slot-locks.ts';
import { Templates } from './links/submit.ts';
import { missingDispatcherWrites } from './missing-writes.ts';
import { noteSubmit } from './notes.ts';
import { Pump } from './pump.ts';
import { startRecheck } from './recheck.ts';

type DispatcherOptions = {
  db: Db;
  /** Connections for leases and marks only, so that one-time codes do not wait for receipts. */
  leases: Db;
  /** Connections for the receipt inbox only, so that an acknowledgement waits only for its own commit. */
  receipts: Db;
  /** Checks that each new connection of both sees our last writes, which the dispatcher reports to it. */
  failover: FailoverCheck;
  connection: Connection;
  key: SecretKey;
  config: Config;
  log: Log;
  deadDispatchers: number[] | 'all';
  progress: ChunkProgress;
  onIdentity(id: number): void;
};

const reloadMs = 1_000;
// Together with the links' own time limit (4 s) less than the 10 s after which a stopping process is killed.
const drainMaxMs = 3_000;

export type Dispatcher = { stop(): Promise<void> };

export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { db, leases, connection, key, config, log, progress } = options;
  const holdMs = config.PEYK_UNSURE_HOLD_SECONDS * 1_000;
  // While dispatch is held, `claim` leases nothing and chunks leased before wait.
  let held = false;
  const pump = new Pump();
  const locks = new SlotLocks(connection, log);
  const lease = new LeaseKeeper({
    db,
    log,
    leaseMs: config.PEYK_LEASE_SECONDS * 1_000,
    holdMs,
    node: hostname(),
    progress,
    onNewIdentity(id, wasIdle) {
      pump.abandon();
      claimer.abandon(wasIdle);
      recorder.disown();
      locks.identify(id);
      options.onIdentity(id);
    },
  });
  const recorder = new Recorder(
    db,
    log,
    () => lease.id,
    (stored, batch) => {
      const { chunks, tokens } = batch.done;
      progress.ended(chunks.map((chunkId, i) => ({ chunkId, token: tokens[i]! })));
      settledTotal.inc(stored.settled);
      unmatchedTotal.inc(stored.unmatched);
      mismatchedTotal.inc(stored.mismatched);
      reports.stored();
      pump.wake();
    },
    () => lease.living - 1,
  );
  const traces = tracing.now && new DispatchTraces(db, log);
  const inbox = new Inbox(options.receipts, log, () => lease.id, recorder);
  const reports = new CarrierReports(recorder, inbox, db, log, traces);
  const router = new Router<Flight>({
    db,
    key,
    locks,
    log,
    publicUrl: config.PEYK_PUBLIC_URL,
    events: {
      onAccepted(link, flight, id) {
        traces?.accepted(link, flight, id);
        pump.accepted(link, flight, id);
      },
      onRefused(link, flight, verdict, words) {
        traces?.failed(link, flight, words);
        pump.refused(link, flight, verdict, words);
      },
      onLateAccepted: (link, flight, id) => noteSubmit(recorder, link, flight, id),
      onLost(link, flight, isWritten) {
        traces?.failed(link, flight, 'no answer');
        pump.lost(link, flight, isWritten);
      },
      onRoom: () => pump.wake(),
      onRequest: (link, pdu, session) => reports.onRequest(link, pdu, session),
      onState: link => link.bound && claimer.lookAgain(),
      onTrouble: (link, words) => void pauseInTrouble(db, log, link, words),
      mayWrite: () => !held && lease.mayWrite(),
    },
  });
  const claimer = new Claimer({
    db: leases,
    key,
    log,
    pump,
    router,
    recorder,
    lease,
    validityMs: config.PEYK_VALIDITY_SECONDS * 1_000,
  });
  pump.connect({
    router,
    recorder,
    progress,
    templates: new Templates(config.PEYK_OPERATOR_CODE),
    log,
    mayWrite: () => !held && lease.mayWrite(),
    onNeed: () => claimer.need(),
    unsureHoldMs: holdMs,
  });
  await lease.start(options.deadDispatchers);
  options.failover.missing = missingDispatcherWrites(lease, recorder, pump);
  router.share(lease.living);
  await router.reload();
  claimer.start();
  const listener = listen(
    connection,
    workChannel,
    log,
    payload => claimer.hear(payload),
    () => claimer.lookAgain(),
  );
  const noteHistory = carrierHistory(db);
  const loops: Loop[] = [
    startLoop('carriers', log, async () => {
      held = (await readHold(db)) !== null;
      await watchCarriers(db, router, lease, pump);
      await noteHistory(router.links);
      return reloadMs;
    }),
    startPolling(db, log, () => router.links, reports),
    startRecheck({ db, log, pump, router, recorder, onReturned: leases => progress.ended(leases) }),
  ];
  return {
    async stop() {
      await Promise.all([...loops.map(one => one.stop()), listener.stop(), claimer.stop()]);
      pump.leave();
      await flightsLanded(router, pump);
      pump.stop();
      // Receipts are acknowledged while links are bound. After that every submit has its answer or is lost.
      await inbox.drain();
      await recorder.drain();
      await noteHistory(router.links, true).catch(error =>
        log.warn({ error: (error as Error).message }, 'last minute of carriers not written'),
      );
      await router.stop();
      await giveBack(db, pump, recorder, pump.runs);
      await traces?.stop();
      await lease.stop();
      await locks.stop();
    },
  };
}

/** Pauses a carrier until staff resume it: each further message would be refused. */
async function pauseInTrouble(db: Db, log: Log, { carrier }: Link<Flight>, words: string): Promise<void> {
  log.error({ carrier: carrier.name, words }, 'carrier paused: trouble with our account there');
  try {
    await pauseCarrier(db, carrier.name, true, `account: ${words}`.slice(0, 200));
  } catch (error) {
    log.warn({ carrier: carrier.name, error: (error as Error).message }, 'carrier not paused yet');
  }
}

async function watchCarriers(db: Db, router: Router<Flight>, lease: LeaseKeeper, pump: Pump): Promise<void> {
  await router.reload();
  router.share(lease.living, lease.living > 1 ? await fewestBinds(db) : undefined);
  await publishLinks(db, lease.id, router.links);
  await publishTallies(db, 'errors', router.links);
  await publishTallies(db, 'words', router.links);
  pump.wake();
}

/** Waits until every submit has its answer and every long message is whole, for a bounded time. */
async function flightsLanded(router: Router<Flight>, pump: Pump): Promise<void> {
  const until = monotonicMs() + drainMaxMs;
  const underWay = () =>
    router.links.some(link => link.windowUsed > 0) || pump.runs.some(run => run.unfinished.length > 0);
  while (monotonicMs() < until && underWay()) await new Promise(resolve => setTimeout(resolve, 10));
}
