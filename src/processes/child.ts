// Entry point of every process of a node except the first: runs one role, sends heartbeats, stops on request. It ends by itself
// when the first process is gone, so that a kill leaves nothing behind.
import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { isDatabaseAway } from '../db/away.ts';
import { poolUses } from '../db/db.ts';
import { programVersion } from '../db/version.ts';
import { createLog } from '../log.ts';
import { stalledLoops } from '../loops/loop.ts';
import { countedHere, measureProcess } from '../metrics/metrics.ts';
import { useContentKeys } from '../sealing/content.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { loadConfig } from '../settings/config.ts';
import { startTracing } from '../tracing/tracer.ts';
import { type ChildTask, databaseAwayCode, type FromChild, type ToChild } from './messages.ts';
import { roleStarters } from './roles.ts';
import type { Child } from './running.ts';

const beatMs = 1_000;

export function runChild(): void {
  const task = JSON.parse(process.env.PEYK_CHILD!) as ChildTask;
  const { config } = loadConfig([]);
  const role = task.cell === 0 ? task.role : `${task.role} of cell ${task.cell}`;
  const log = createLog(config.PEYK_LOG_LEVEL, role, config.PEYK_LOG_FORMAT);
  useContentKeys(loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY), config.PEYK_CONTENT);
  measureProcess(task.role, poolUses);
  const traces = startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.name': 'peyk',
      'service.version': programVersion(),
      'host.name': hostname(),
      'peyk.role': task.role,
    },
    log,
  });
  const listeners: ((message: ToChild) => void)[] = [];
  let stopping = false;

  // Ctrl-C reaches the whole process group; the first process decides when each child stops.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void stop());
  process.on('disconnect', () => process.exit(1));
  // A message may still be in flight when the first process was killed; the channel's end follows.
  cluster.worker?.on('error', () => process.exit(1));
  process.on('unhandledRejection', error => {
    log.error({ error: (error as Error)?.message, stack: (error as Error)?.stack }, 'unhandled rejection');
    // A rejection that nobody awaited may come from the database's outage, like all other errors until it is back.
    if (!isDatabaseAway(error)) process.exit(1);
  });
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') void stop();
    else if (message.type === 'own-metrics-wanted') void sendMetrics(message.id);
    for (const listener of listeners) listener(message);
  });

  const send = (message: FromChild) => process.connected && process.send!(message);
  const child: Child = { task, config, log, send, onMessage: listener => void listeners.push(listener) };
  const running = roleStarters[task.role](child);
  const beat = setInterval(() => send({ type: 'beat', stalled: stalledLoops() }), beatMs);
  running.then(({ port }) => send({ type: 'ready', ...(port === undefined ? {} : { port }) }), notStarted);

  function notStarted(error: Error): never {
    const isAway = isDatabaseAway(error);
    if (isAway) log.warn({ error: error.message }, 'the database does not answer, restarting the process');
    else log.error({ error: error.message, stack: error.stack }, 'the process failed to start');
    process.exit(isAway ? databaseAwayCode : 1);
  }

  async function sendMetrics(id: number): Promise<void> {
    send({ type: 'own-metrics', id, metrics: await countedHere() });
  }

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    clearInterval(beat);
    try {
      await (await running).stop();
      await traces.stop();
      process.exit(0);
    } catch (error) {
      log.error({ error: (error as Error).message }, 'stop failed');
      process.exit(1);
    }
  }
}
