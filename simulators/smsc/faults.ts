/*
 * Faults of a message centre on demand. A row says what happens when the fault begins and when it ends; in between link.ts and
 * centre.ts read a flag in `on`, so that a centre without faults pays one boolean test.
 */
import type { Link } from './link.ts';

export const FAULT_SECONDS_USUAL = 5;
export const FAULT_SECONDS_MAX = 3_600;

/* Length and command are sound; the body is a service_type that never ends: recoverable for a good peer. */
const GARBAGE_BODY = Buffer.from('00000020000000050000000000bada55ffffffffffffffffffffffffffffffff', 'hex');
/* A length of 4 GB: nothing after it can be trusted, a good peer closes. */
const GARBAGE_LENGTH = Buffer.from('ffffffff00000005000000000000beef', 'hex');

/* What the message centre lets a fault do to it. */
export type Stage = {
  everyLink(act: (link: Link) => void): void;
  restartIds(): void;
  releaseAnswers(): void;
  releaseReceipts(): void;
  floodReceipts(): void;
};

type Fault = { meaning: string; begin?: (stage: Stage) => void; end?: (stage: Stage) => void; once?: true };

export const FAULTS = {
  drop: {
    meaning: 'every connection is closed, new ones are refused meanwhile',
    begin: stage => stage.everyLink(link => link.destroy()),
  },
  stall: {
    meaning: 'everything is read, nothing is answered, nothing happens',
    end: stage => stage.releaseReceipts(),
  },
  throttle: { meaning: 'every submit is answered 0x58' },
  garbage: {
    meaning: 'one deliver_sm with an undecodable body on every connection',
    begin: stage => stage.everyLink(link => link.sendRaw(GARBAGE_BODY)),
    once: true,
  },
  'garbage-length': {
    meaning: 'one PDU with an impossible length on every connection',
    begin: stage => stage.everyLink(link => link.sendRaw(GARBAGE_LENGTH)),
    once: true,
  },
  'accept-then-drop': { meaning: 'the phones get it, the answer never comes, the connection closes' },
  'answer-late': {
    meaning: 'answers to submits are held until the fault ends, or for delayMs each',
    end: stage => stage.releaseAnswers(),
  },
  'half-open': {
    meaning: 'connections of this moment fall silent without closing; new ones work',
    begin: stage => stage.everyLink(link => link.freeze()),
    end: stage => stage.everyLink(link => link.destroyIfFrozen()),
  },
  'slow-read': { meaning: 'one network read per connection every half second' },
  unbind: {
    meaning: 'the centre unbinds every connection',
    begin: stage => stage.everyLink(link => link.unbind()),
    once: true,
  },
  'id-restart': { meaning: 'message ids begin again', begin: stage => stage.restartIds(), once: true },
  'receipt-flood': {
    meaning: 'receipts are held back, then sent all at once without a window',
    end: stage => stage.floodReceipts(),
  },
  'receipt-wrong-base': { meaning: 'receipts carry their ids in hexadecimal' },
  'receipt-unknown-id': { meaning: 'before each receipt comes one for an id that never was' },
  'window-1': { meaning: 'a submit sent before the last was answered is answered 0x58' },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof FAULTS;

const KINDS = Object.keys(FAULTS) as FaultKind[];

export function isFaultKind(kind: unknown): kind is FaultKind {
  return typeof kind === 'string' && Object.hasOwn(FAULTS, kind);
}

export class Faults {
  readonly on = Object.fromEntries(KINDS.map(kind => [kind, false])) as Record<FaultKind, boolean>;
  #timers = new Map<FaultKind, { timer: NodeJS.Timeout; endsAtMs: number }>();

  /* A repeated fault restarts its time. */
  begin(kind: FaultKind, seconds: number, stage: Stage): void {
    const fault: Fault = FAULTS[kind];
    if (!fault.once) {
      clearTimeout(this.#timers.get(kind)?.timer);
      this.on[kind] = true;
      const timer = setTimeout(() => this.#end(kind, stage), seconds * 1000);
      this.#timers.set(kind, { timer, endsAtMs: Date.now() + seconds * 1000 });
    }
    fault.begin?.(stage);
  }

  endsAtMs(kind: FaultKind): number {
    return this.#timers.get(kind)?.endsAtMs ?? 0;
  }

  active(): FaultKind[] {
    return [...this.#timers.keys()];
  }

  endAll(stage: Stage): void {
    for (const kind of this.active()) this.#end(kind, stage);
  }

  #end(kind: FaultKind, stage: Stage): void {
    clearTimeout(this.#timers.get(kind)?.timer);
    this.#timers.delete(kind);
    this.on[kind] = false;
    const fault: Fault = FAULTS[kind];
    fault.end?.(stage);
  }
}
