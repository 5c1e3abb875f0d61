// For tests: the pump with a router, a recorder and carriers, but without the loops that find work. The test leases a chunk, passes it
// to the pump, and decides when the lease is valid.
import type { ScriptedCarrier } from '../../test/support/carriers/scripted-carrier.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { encodingName } from '../orders/encodings.ts';
import { ChunkProgress, openProgressFile } from '../queue/chunk-progress.ts';
import { type ClaimedChunk, claimChunks } from '../queue/claim.ts';
import { registerDispatcher } from '../queue/dispatcher-lease.ts';
import { Recorder } from '../receipts/recorder.ts';
import { ChunkRun, type RunFacts } from './chunk-run.ts';
import type { Claimer } from './claimer.ts';
import { type DispatchBench, dispatchBench, secretKey } from './dispatch-fixture.ts';
import type { Flight } from './flight.ts';
import { Router } from './links/router.ts';
import { SlotLocks } from './links/slot-locks.ts';
import { Templates } from './links/submit.ts';
import { noteSubmit } from './notes.ts';
import { Pump } from './pump.ts';

const operatorCode = 'B186';

export type PumpBench = {
  pump: Pump;
  router: Router<Flight>;
  recorder: Recorder;
  progress: ChunkProgress;
  lease: { ours: boolean };
  /** Set by the test that has one. */
  claimer: Claimer | null;
  stop(): Promise<void>;
};

async function pumpBench(bench: DispatchBench, owner: number): Promise<PumpBench> {
  const pump = new Pump();
  const lease = { ours: true };
  const progress = new ChunkProgress(openProgressFile());
  progress.begin(owner);
  const recorder = new Recorder(
    bench.db,
    silentLog,
    () => owner,
    () => pump.wake(),
  );
  const locks = new SlotLocks(bench.database.connection, silentLog);
  const events = {
    onAccepted: pump.accepted.bind(pump),
    onRefused: pump.refused.bind(pump),
    onLateAccepted: noteSubmit.bind(null, recorder),
    onLost: pump.lost.bind(pump),
    onRoom: () => pump.wake(),
    onRequest() {},
    onState() {},
    onTrouble() {},
    mayWrite: () => lease.ours,
  };
  const router = new Router<Flight>({ db: bench.db, key: secretKey, events, locks, log: silentLog });
  pump.connect({
    router,
    recorder,
    progress,
    templates: new Templates(operatorCode),
    log: silentLog,
    mayWrite: () => lease.ours,
    onNeed: () => parts.claimer?.need(),
    unsureHoldMs: 0,
  });
  await router.reload();
  const stop = async () => {
    pump.stop();
    await router.stop();
    await recorder.drain();
    await locks.stop();
  };
  const parts: PumpBench = { pump, router, recorder, progress, lease, claimer: null, stop };
  return parts;
}

export type PumpScene = {
  bench: DispatchBench;
  carrier: ScriptedCarrier;
  owner: number;
  account: number;
  parts: PumpBench;
  close(): Promise<void>;
};

/** A pump bound to a carrier that answers when the test says so, and an account to send from. */
export async function pumpScene(window: number): Promise<PumpScene> {
  const bench = await dispatchBench();
  const carrier = await bench.scripted('scripted', { window: String(window) });
  const owner = await registerDispatcher(bench.db, 'test');
  const account = await bench.account();
  const parts = await pumpBench(bench, owner);
  await wait('the bind', () => parts.router.anyBound());
  const close = async () => {
    const stopped = parts.stop();
    // The stop must not wait for answers that never come.
    carrier.drop();
    await stopped;
    await bench.close();
  };
  return { bench, carrier, owner, account, parts, close };
}

/** Leases the account's chunks, fully marked, as the claimer does. */
export async function lease(
  bench: DispatchBench,
  owner: number,
  account: number,
  members: Partial<RunFacts> = {},
): Promise<ChunkRun[]> {
  const limits = { messages: 500 };
  const claimed = await claimChunks(bench.db, owner, 0, [{ id: account, mark: 500 }], limits);
  return claimed.filter(one => one.chunkId !== null).map(chunk => runOf(chunk, members));
}

function runOf(chunk: ClaimedChunk, members: Partial<RunFacts>): ChunkRun {
  const orders = chunk.facts!.map(({ id, sender, text, encoding }) => {
    const texts = new Map([[1, { sender, text, encoding: encodingName(encoding) }]]);
    return [id, { id, sender, texts, deadlineMs: Number.POSITIVE_INFINITY }] as const;
  });
  return new ChunkRun({
    chunkId: chunk.chunkId!,
    token: chunk.token,
    accountId: chunk.accountId,
    lane: 0,
    small: chunk.rank === 0,
    attempt: chunk.attempt,
    pace: null,
    ids: chunk.ids!,
    numbers: chunk.numbers!,
    places: chunk.places,
    textNos: chunk.textNos,
    orderIds: chunk.orders,
    orders: new Map(orders),
    firstMessageId: chunk.firstMessageId,
    claimedMark: chunk.mark,
    ...members,
  });
}
