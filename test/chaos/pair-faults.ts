// Faults of one submit. Each changes the carrier's plan for that submit or breaks something at the moment when the carrier accepts it. Two
// faults are combined at the same number, chunk or carrier.
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordingCarrier, Taken } from '../support/carriers/recording-carrier.ts';
import { childrenOf, signalQuietly } from '../support/program/processes.ts';
import type { Program } from '../support/program/program.ts';

/** PEYK_UNSURE_HOLD_SECONDS of the programs; other times are multiples of it. */
export const holdMs = 2_000;
export const leaseMs = 2_000;

export type Field = { first: Program; second: Program; carriers: RecordingCarrier[]; random: () => number };
type Blow = Field & { carrier: RecordingCarrier; taken: Taken; undelivered: (taken: Taken) => void };
type Fault = (blow: Blow) => unknown;

/** Returns null if the process does not run at this moment. */
function signalled(program: Program, role: Parameters<Program['signal']>[0], name: NodeJS.Signals): number | null {
  try {
    return program.signal(role, name);
  } catch {
    return null;
  }
}

function killDispatch({ first, second, random }: Field): void {
  const which = random();
  if (which < 0.66) signalled(first, 'dispatch', 'SIGKILL');
  if (which > 0.33) signalled(second, 'dispatch', 'SIGKILL');
}

/** A random time between these multiples of `holdMs`. */
function heldMs({ random }: Field, least: number, most: number): number {
  return holdMs * (least + random() * (most - least));
}

/** An earlier submit to another number, whose id is given again. */
function earlier({ carrier, taken, random }: Blow): Taken | undefined {
  const recent = carrier.log.slice(Math.max(0, taken.no - 60), taken.no);
  const isOther = (one: Taken) => one.plan.fate === 'delivered' && !carrier.wasGiven(one.plan.id, taken.number);
  const others = recent.filter(one => one.number !== taken.number && isOther(one));
  return others[Math.floor(random() * others.length)];
}

async function databaseAway({ first }: Field, ms: number): Promise<void> {
  const server = first.postmaster();
  const pids = server ? [server, ...childrenOf(server)] : [];
  for (const pid of pids) signalQuietly(pid, 'SIGSTOP');
  await pause(ms);
  for (const pid of pids) signalQuietly(pid, 'SIGCONT');
}

export const faults: Record<string, Fault> = {
  'killed before the answer': blow => {
    Object.assign(blow.taken.plan, { answerMs: 500, receiptMs: heldMs(blow, 0.1, 2.5) });
    killDispatch(blow);
  },
  'link lost before the answer': ({ carrier, taken, ...field }) => {
    Object.assign(taken.plan, { answerMs: null, receiptMs: heldMs(field, 0.1, 2.5) });
    carrier.drop([taken.link]);
  },
  'all links lost before the answer': ({ carrier, taken, ...field }) => {
    Object.assign(taken.plan, { answerMs: null, receiptMs: heldMs(field, 0.5, 2) });
    carrier.drop();
  },
  'receipt, then link lost without an answer': ({ carrier, taken }) => {
    Object.assign(taken.plan, { answerMs: null, receiptMs: 20 });
    carrier.later(60, () => carrier.drop([taken.link]));
  },
  'answer never comes': ({ taken, ...field }) => {
    Object.assign(taken.plan, { answerMs: null, receiptMs: heldMs(field, 0.1, 3) });
  },
  'answer late': blow => {
    blow.taken.plan.answerMs = heldMs(blow, 0.3, 1.5);
  },
  'receipt before the answer': ({ taken, ...field }) => {
    Object.assign(taken.plan, { receiptMs: 1, answerMs: heldMs(field, 0.1, 0.5) });
  },
  'link lost after the receipt': ({ carrier, taken }) => {
    taken.plan.receiptMs = 30;
    carrier.later(32, () => carrier.drop(carrier.open));
  },
  'killed after the receipt': blow => {
    blow.taken.plan.receiptMs = 20;
    blow.carrier.later(25 + blow.random() * 60, () => killDispatch(blow));
  },
  'id given twice': blow => {
    const other = earlier(blow);
    if (!other) return;
    blow.taken.plan.id = other.plan.id;
    if (blow.random() < 0.5) blow.taken.plan.fate = 'swallowed';
    blow.carrier.later(heldMs(blow, 0.1, 1), () => blow.carrier.report(other));
  },
  'ids begin again': blow => {
    const { carrier, taken } = blow;
    const back = Math.min(carrier.nextId - 1, 40);
    carrier.nextId -= back;
    for (const one of carrier.log.slice(taken.no - back, taken.no))
      carrier.later(heldMs(blow, 0.2, 1.5), () => carrier.report(one));
  },
  'receipt repeated': blow => {
    blow.taken.plan.repeatMs = [heldMs(blow, 1, 2), heldMs(blow, 2.5, 4)];
  },
  swallowed: ({ taken }) => {
    taken.plan.fate = 'swallowed';
  },
  'swallowed, its answer lost': ({ carrier, taken }) => {
    Object.assign(taken.plan, { answerMs: null, fate: 'swallowed' });
    carrier.drop([taken.link]);
  },
  'undelivered, reported late': ({ taken, undelivered, ...field }) => {
    undelivered(taken);
    taken.plan.receiptMs = heldMs(field, 0.5, 2);
  },
  'dispatcher frozen': async ({ first, second, random }) => {
    const pid = signalled(random() < 0.5 ? first : second, 'dispatch', 'SIGSTOP');
    await pause(leaseMs * (0.8 + random()));
    if (pid) signalQuietly(pid, 'SIGCONT');
  },
  'database away': blow => databaseAway(blow, 1_000 + blow.random() * 3_000),
  'carrier away': blow => blow.carrier.away(heldMs(blow, 0.5, 3)),
  'database killed': ({ first, random }) => signalled(first, 'postgres', random() < 0.5 ? 'SIGKILL' : 'SIGINT'),
  'second node lost during the take-over': async ({ first, second, random }) => {
    const [one, other] = random() < 0.5 ? [first, second] : [second, first];
    signalled(one, 'dispatch', 'SIGKILL');
    await pause(leaseMs * (0.9 + random() * 0.4));
    signalled(other, 'dispatch', 'SIGKILL');
  },
  'test message to the number': ({ first, carrier, taken }) =>
    first.cli('carrier', 'test', carrier.name, taken.number).catch(() => {}),
};

export const faultNames = Object.keys(faults);

/** Longer than a one-time code is useful, and than any pause before a retry; too long for a short run. */
const longMs = 120_000;
export const longFaults: Record<string, Fault> = {
  'database away for two minutes': blow => databaseAway(blow, longMs),
  'carrier away for two minutes': blow => blow.carrier.away(longMs),
  'carrier away for two minutes, dispatchers killed': async blow => {
    const away = blow.carrier.away(longMs);
    for (let deaths = 0; deaths < 4; deaths++) {
      await pause(longMs / 5);
      killDispatch(blow);
    }
    await away;
  },
};
