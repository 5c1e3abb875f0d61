// The processes of one node: API workers that share a port, and one dispatcher and one background process for each served cell.
// A process that dies is restarted, at once the first time, then with growing pauses; a silent one counts as stalled.
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../db/db.ts';
import type { Log } from '../log.ts';
import { addTogether, type Counted, gauge, restartsTotal } from '../metrics/metrics.ts';
import { openProgressFile } from '../queue/chunk-progress.ts';
import { backoffMs } from '../time/backoff.ts';
import { monotonicMs } from '../time/clock.ts';
import { type ChildRole, type ChildTask, databaseAwayCode, type FromChild, type ToChild } from './messages.ts';
import { MetricsOfAll } from './metrics-of-all.ts';

const silenceMaxMs = 10_000;
const stopMaxMs = 10_000;
const calmMs = 60_000;

type Member = {
  /** Its position among the wanted processes. */
  place: number;
  role: ChildRole;
  cell: number;
  worker: Worker;
  ready: boolean;
  lastMessageAt: number;
  stalled: string[];
  dispatcher: number | null;
  /** Dispatchers before it whose work it gives back. */
  dead: ChildTask['deadDispatchers'];
  startedAt: number;
  restarts: number;
};

/** A wanted process and its database. */
type Wanted = { role: ChildRole; connection: Connection; cell: number };

export type Fleet = {
  /** Adds processes. The start does not wait for them, and failed ones are retried. */
  add(more: Wanted[]): void;
  /** Ends the processes of a cell without restarting them. */
  remove(cell: number): void;
  port: number | undefined;
  /** From now on /health/live answers 503 and names this reason. */
  fail(what: string): void;
  state(): { live: boolean; stalled: string[] };
  metrics(): Promise<Counted>;
  stop(): Promise<void>;
};

const progressFd = 4;

/** `file`: what the child finds under `progressFd`. */
function setUpChild(file: number | null): void {
  const exec = fileURLToPath(new URL('../../../bin/child.cjs', import.meta.url));
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc', ...(file === null ? [] : [file])] as const;
  cluster.setupPrimary({ exec, serialization: 'advanced', stdio: [...stdio] });
}

/** `ownMetrics`: what the first process counts, and reads from the database. */
export async function startFleet(
  first: Wanted[],
  home: Connection,
  ownsData: boolean,
  log: Log,
  ownMetrics: () => Promise<Counted>,
  /** Stops waiting for processes that do not start. */
  stopping: AbortSignal,
): Promise<Fleet> {
  const members = new Map<number, Member>();
  const metrics = new MetricsOfAll();
  const nodeLive = gauge('peyk_node_live');
  nodeLive.set(1);
  const failures: string[] = [];
  let state: ReturnType<Fleet['state']> = { live: true, stalled: [] };
  let isStopping = false;
  let port: number | undefined;
  let onReady: () => void = () => {};
  let onFailed: (error: Error) => void = () => {};
  const places = [...first];
  /** Since when a position has had no working process: a process that dies at each start shows no other sign of a stall. */
  const emptySince: (number | null)[] = places.map(() => null);
  /** Processes of other cells that have worked before. A cell that is down from the start is not this node's failure. */
  const hasWorked = new Set<number>();
  const givenUp = new Set<number>();

  const progressFiles = new Map<number, number | null>();
  const progressOf = (place: number) => {
    if (!progressFiles.has(place)) progressFiles.set(place, openProgressFile());
    return progressFiles.get(place)!;
  };

  const fork = (place: number, restarts: number, dead: ChildTask['deadDispatchers']) => {
    const { role, connection, cell } = places[place]!;
    const file = role === 'dispatch' ? progressOf(place) : null;
    setUpChild(file);
    const progressFile = file === null ? null : progressFd;
    const task: ChildTask = { role, connection, cell, home, deadDispatchers: dead, progressFile };
    const worker = cluster.fork({ PEYK_CHILD: JSON.stringify(task) });
    const member: Member = {
      place,
      role,
      cell,
      worker,
      ready: false,
      lastMessageAt: monotonicMs(),
      stalled: [],
      dispatcher: null,
      dead,
      startedAt: monotonicMs(),
      restarts,
    };
    members.set(worker.id, member);
    closePassedConnection(worker);
    worker.on('message', (message: FromChild) => onMessage(member, message));
    worker.on('exit', (code, signal) => onExit(member, code, signal));
    // The process may have died a moment ago; its exit event follows.
    worker.on('error', () => {});
  };

  const onMessage = (member: Member, message: FromChild) => {
    member.lastMessageAt = monotonicMs();
    if (message.type === 'ready') {
      member.ready = true;
      emptySince[member.place] = null;
      hasWorked.add(member.place);
      port = message.port ?? port;
      if (isEveryPlaceReady()) onReady();
    } else if (message.type === 'dispatcher') member.dispatcher = message.id;
    else if (message.type === 'beat') member.stalled = message.stalled;
    else if (message.type === 'auth-failure') broadcast(message, member);
    else if (message.type === 'own-metrics') metrics.receive(message.id, message.metrics);
    else if (message.type === 'metrics-wanted') void sendMetrics(member, message.id).catch(() => {});
  };

  /** A position whose process died and waits for its restart has no member, so it is not ready either. */
  const isEveryPlaceReady = () => {
    const ready = new Set([...members.values()].filter(one => one.ready).map(one => one.place));
    return places.every((one, place) => one.cell > 0 || givenUp.has(place) || ready.has(place));
  };

  const broadcast = (message: ToChild, except?: Member) => {
    for (const one of members.values()) if (one !== except && one.worker.isConnected()) one.worker.send(message);
  };

  const metricsOfAll = async () => {
    const ask = (asked: number) => {
      const connected = [...members.values()].filter(one => one.worker.isConnected());
      for (const one of connected) one.worker.send({ type: 'own-metrics-wanted', id: asked } satisfies ToChild);
      return connected.length;
    };
    const [ofChildren, ofFirst] = await Promise.all([metrics.collect(ask), ownMetrics()]);
    return addTogether([ofFirst, ...ofChildren]);
  };

  const sendMetrics = async (member: Member, id: number) => {
    const all = await metricsOfAll();
    if (member.worker.isConnected()) member.worker.send({ type: 'metrics', id, metrics: all } satisfies ToChild);
  };

  const onExit = (member: Member, code: number | null, signal: string | null) => {
    members.delete(member.worker.id);
    if (isStopping || givenUp.has(member.place)) return;
    const isAway = !member.ready && code === databaseAwayCode;
    if (!isAway) log.error({ child: member.role, cell: member.cell, code, signal }, 'process ended unexpectedly');
    restartsTotal.inc({ role: member.role });
    if (!member.ready && !isAway && member.cell === 0)
      onFailed(new Error(`the ${member.role} process did not start (exit ${code ?? signal})`));
    if (member.cell === 0 || hasWorked.has(member.place)) emptySince[member.place] ??= monotonicMs();
    const lived = monotonicMs() - member.startedAt > calmMs;
    const restarts = lived ? 0 : member.restarts + 1;
    // `all` only once: dispatchers of other nodes may have begun meanwhile.
    const before = member.dead === 'all' ? [] : member.dead;
    const dead = member.dispatcher === null ? before : [member.dispatcher];
    setTimeout(
      () => !isStopping && !givenUp.has(member.place) && fork(member.place, restarts, dead),
      restarts <= 1 ? 0 : backoffMs(restarts - 2, 200, 10_000),
    );
  };

  const watch = setInterval(() => {
    const time = monotonicMs();
    const stalled = [
      ...failures,
      ...[...members.values()].flatMap(one =>
        one.ready && time - one.lastMessageAt > silenceMaxMs ? [`${one.role} process`] : one.stalled,
      ),
    ];
    for (const [place, since] of emptySince.entries())
      if (since !== null && time - since > silenceMaxMs) stalled.push(`${places[place]!.role} process`);
    state = { live: stalled.length === 0, stalled };
    nodeLive.set(state.live ? 1 : 0);
    broadcast({ type: 'node', ...state });
  }, 1_000);

  const started = new Promise<void>((resolve, reject) => {
    onReady = resolve;
    onFailed = reject;
    stopping.addEventListener('abort', () => reject(stopping.reason));
  });
  for (const { role } of places) restartsTotal.inc({ role }, 0);
  for (const place of places.keys()) fork(place, 0, ownsData ? 'all' : []);
  const stop = async () => {
    isStopping = true;
    clearInterval(watch);
    const exits = [...members.values()].map(
      one => new Promise<void>(resolve => one.worker.once('exit', () => resolve())),
    );
    broadcast({ type: 'stop' });
    const timer = setTimeout(() => {
      for (const one of members.values()) one.worker.process.kill('SIGKILL');
    }, stopMaxMs);
    await Promise.all(exits);
    clearTimeout(timer);
  };
  await started.catch(async error => {
    await stop();
    throw error;
  });
  return {
    get port() {
      return port;
    },
    add(more) {
      if (isStopping) return;
      for (const one of more) {
        places.push(one);
        emptySince.push(null);
        fork(places.length - 1, 0, []);
      }
    },
    remove(cell) {
      for (const [place, one] of places.entries()) {
        if (one.cell !== cell) continue;
        givenUp.add(place);
        emptySince[place] = null;
      }
      for (const { worker, place } of members.values()) {
        if (!givenUp.has(place) || !worker.isConnected()) continue;
        worker.send({ type: 'stop' } satisfies ToChild);
        const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopMaxMs);
        worker.once('exit', () => clearTimeout(timer));
      }
    },
    fail: what => void failures.push(what),
    state: () => state,
    metrics: metricsOfAll,
    stop,
  };
}

/**
 * Node does not close the handle of a connection that is being passed to a cluster worker which dies, so its caller would wait
 * forever. A worker gets the next connection only after it took the last, so there is at most one such handle; closing one that
 * was taken does nothing.
 */
function closePassedConnection(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: { close(): void } | undefined;
  child.send = ((...args: unknown[]) => {
    if (args[1]) last = args[1] as { close(): void };
    return send(...args);
  }) as typeof child.send;
  worker.once('exit', () => last?.close());
}
