// The interface of a link to a carrier, for any protocol: one slot with a window and a pace. SMPP: carrier-link.ts, HTTP:
// http/http-link.ts.

import type { LinkCounts } from '../../carriers/carrier-history.ts';
import type { Tally } from '../../carriers/carrier-tally.ts';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import type { SubmitVerdict } from '../../receipts/verdicts.ts';
import type { SessionHandler } from '../../smpp/session.ts';
import type { Pace } from './pace.ts';
import type { Outgoing } from './submit.ts';

export type LinkState = 'waiting for slot' | 'connecting' | 'bound' | 'down' | 'stopped';

/** `T` is the token of a submit. */
export type Link<T> = {
  readonly carrier: CarrierWithPassword;
  readonly slot: number;
  readonly pace: Pace;
  /** Start of `counts`. */
  readonly countingSince: Date;
  readonly counts: LinkCounts;
  /** Errors and intermediate receipt states since they were last published. */
  readonly errors: Tally;
  readonly words: Tally;
  readonly state: LinkState;
  readonly since: Date;
  readonly lastError: string | null;
  readonly bound: boolean;
  readonly windowUsed: number;
  start(): void;
  /** How many submits may leave now, at most `wanted`. */
  room(wanted: number): number;
  submit(message: Outgoing, token: T): boolean;
  noteError(text: string): void;
  pauseReading(): void;
  resumeReading(): void;
  /** Lets pending answers come, then gives the slot back. */
  stop(): Promise<void>;
};

/** Callbacks of the dispatcher. */
export type LinkEvents<T> = {
  onAccepted(link: Link<T>, token: T, messageId: string): void;
  /** `words`: the refusal as the carrier's errors show it. */
  onRefused(link: Link<T>, token: T, verdict: SubmitVerdict, words: string): void;
  onLateAccepted(link: Link<T>, token: T, messageId: string): void;
  onLost(link: Link<T>, token: T): void;
  onRoom(): void;
  onRequest: (link: Link<T>, ...args: Parameters<SessionHandler<T>['onRequest']>) => void;
  onState(link: Link<T>): void;
  /** The carrier refuses our account (credit, password, address): nothing is sent until staff resume it. */
  onTrouble(link: Link<T>, words: string): void;
  /** Whether the lease is certainly valid; checked where writing happens later than submitting. */
  mayWrite(): boolean;
};
