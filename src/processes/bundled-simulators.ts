// Decides which simulators a start runs and with which ports. Dispatchers know the SMSC as the carrier `simulator`.

import { offerSimulator } from '../carriers/simulator-carrier.ts';
import { onceThere } from '../db/away.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';
import { claimPort } from './ports.ts';
import { startSimulator } from './simulators.ts';

type SimulatorAddresses = { smsc?: string; smscHttp?: string; registry?: string };

type Parts = { config: Config; named: boolean; db: Db; key: SecretKey; log: Log; stopping: AbortSignal };

export async function startBundledSimulators(
  { config, named, db, key, log, stopping }: Parts,
  undo: (() => Promise<void> | void)[],
): Promise<SimulatorAddresses> {
  const wanted = config.PEYK_SIMULATORS;
  const start = async <T extends { stop(): Promise<void> }>(name: string, starter: () => Promise<T>) => {
    if (!wanted.includes(name)) return null;
    const simulator = await starter();
    undo.push(() => simulator.stop());
    return simulator;
  };
  const starts = [
    start('smsc', () => startSmsc(config, log)),
    start('registry', () => startRegistry(config, log)),
  ] as const;
  // If one fails to start, `undo` must know the other first, or it would outlive the program.
  await Promise.allSettled(starts);
  const [smsc, registry] = await Promise.all(starts);
  const port = smsc ? Number(smsc.ready.smpp.split(':').at(-1)) : undefined;
  const carrier = { port, named, ownData: config.DATABASE_URL === '' };
  await onceThere(log, () => offerSimulator(db, key, carrier), stopping);
  return {
    ...(smsc ? { smsc: smsc.ready.smpp, smscHttp: smsc.ready.http } : {}),
    ...(registry ? { registry: registry.ready.url } : {}),
  };
}

const loopback = '127.0.0.1';

async function startSmsc(config: Config, log: Log) {
  await claimPort('PEYK_SMSC_PORT', loopback, config.PEYK_SMSC_PORT);
  await claimPort('PEYK_SMSC_HTTP_PORT', loopback, config.PEYK_SMSC_HTTP_PORT);
  const args = (port: string | number, httpPort: string | number) => [
    '--port',
    String(port),
    '--http-port',
    String(httpPort),
  ];
  return startSimulator<{ smpp: string; http: string }>(
    'smsc',
    args(config.PEYK_SMSC_PORT, config.PEYK_SMSC_HTTP_PORT),
    ready => args(ready.smpp.split(':').at(-1)!, new URL(ready.http).port),
    log,
  );
}

async function startRegistry(config: Config, log: Log) {
  await claimPort('PEYK_REGISTRY_PORT', loopback, config.PEYK_REGISTRY_PORT);
  // Results after two seconds instead of five minutes, so that a person sees them arrive.
  const args = (port: string | number) => ['--port', String(port), '--result-delay-ms', '2000'];
  return startSimulator<{ url: string }>(
    'registry',
    args(config.PEYK_REGISTRY_PORT),
    ready => args(new URL(ready.url).port),
    log,
  );
}
