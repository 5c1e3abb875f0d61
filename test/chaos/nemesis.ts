// Random faults: processes, the database, the carriers, the network between a node and its database, the disk.
import { setTimeout as pause } from 'node:timers/promises';
import type { IndependentCarrier } from '../support/carriers/independent-carrier.ts';
import type { OutsideCarrier } from '../support/carriers/outside-carrier.ts';
import type { DatabaseProxy } from '../support/database/database-proxy.ts';
import type { Program } from '../support/program/program.ts';
import type { SmallDisk } from '../support/program/small-disk.ts';

export type Victims = {
  /** The node with the database. */
  first: Program;
  /** The node behind the proxy. */
  second: Program;
  proxy: DatabaseProxy;
  carrier: OutsideCarrier;
  independent: IndependentCarrier;
  disk: SmallDisk | null;
};

/** mulberry32: small, and the same on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// Ten seconds are enough for the server to stop and come back; every tenth time lasts minutes, so that nothing depends on the duration.
const fullUsuallyMs = 10_000;
const fillsPerLong = 10;

type Faults = Record<string, () => Promise<unknown>>;
type Role = Parameters<Program['signal']>[0];

function faultsOf({ first, second, proxy, carrier, independent, disk }: Victims, random: () => number, fullMs: number) {
  const kill = (program: Program, role: Role, name: NodeJS.Signals) => async () => program.signal(role, name);
  const between = (least: number, most: number) => least + random() * (most - least);
  const freeze = (program: Program) => async () => {
    const pid = program.signal('dispatch', 'SIGSTOP');
    await pause(between(1_000, 3_000));
    process.kill(pid, 'SIGCONT');
  };
  const carrierFaults = ['drop', 'throttle', 'garbage', 'garbage-length', 'unbind', 'slow-read', 'receipt-flood'];
  const faults: Faults = {
    'kill dispatch': kill(first, 'dispatch', 'SIGKILL'),
    'kill api': kill(first, 'api', 'SIGKILL'),
    'kill background': kill(first, 'background', 'SIGKILL'),
    'kill smpp': kill(first, 'smpp', 'SIGKILL'),
    'kill postgres': kill(first, 'postgres', 'SIGKILL'),
    'shut postgres down': kill(first, 'postgres', 'SIGINT'),
    'freeze dispatch': freeze(first),
    'kill everything of the first node': async () => {
      first.killAll();
      await first.exited();
      await first.start();
    },
    'kill dispatch of the second node': kill(second, 'dispatch', 'SIGKILL'),
    'kill api of the second node': kill(second, 'api', 'SIGKILL'),
    'kill smpp of the second node': kill(second, 'smpp', 'SIGKILL'),
    'freeze dispatch of the second node': freeze(second),
    'cut the network': async () => proxy.cut(),
    'stall the network': () => proxy.stall(between(500, 3_500)),
    'stall the network until it is given up': () => proxy.stall(12_000),
    'slow the network down': () => proxy.delay(between(20, 250), 3_000),
    'cut the independent carrier': async () => independent.cut(),
    'accept-then-drop': () => carrier.fault('accept-then-drop', 0.5),
    'receipt-unknown-id': () => carrier.fault('receipt-unknown-id'),
    ...Object.fromEntries(carrierFaults.map(kind => [kind, () => carrier.fault(kind)])),
  };
  let fills = 0;
  if (disk)
    faults['fill the disk'] = async () => {
      const mostMs = fills++ % fillsPerLong === 0 ? fullMs : Math.min(fullMs, fullUsuallyMs);
      disk.fill();
      await pause(between(mostMs / 2, mostMs));
      disk.empty();
    };
  return faults;
}

/** Causes one fault and returns its name. `fullMs`: how long the disk stays full at most, each tenth time. */
export function nemesis(victims: Victims, random: () => number, fullMs: number): () => Promise<string> {
  const faults = faultsOf(victims, random, fullMs);
  const names = Object.keys(faults);
  let round = 0;
  return async () => {
    // Each kind once before any repeats, in an order given by the seed.
    if (round++ % names.length === 0) names.sort(() => random() - 0.5);
    const name = names[(round - 1) % names.length]!;
    // A process that does not run at this moment cannot be killed.
    const failed = await faults[name]!().then(
      () => false,
      () => true,
    );
    return failed ? `${name} (not there)` : name;
  };
}
