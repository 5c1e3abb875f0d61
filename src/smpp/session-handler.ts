// The callbacks of a session to its owner, and the owner's options. The handler lists everything that a peer can cause, so an
// owner that implements it has considered every case.
import type { Pdu } from './codec.ts';
import type { PduError } from './pdu-error.ts';
import type { FieldsOf, ResponseName, Side } from './pdus.ts';
import type { Tlv } from './tlv.ts';

export type SessionState = 'open' | 'binding' | 'bound_tx' | 'bound_rx' | 'bound_trx' | 'unbinding' | 'closed';

/** The session of a request as its handler needs it: answering, and pausing if requests come too fast. */
export type Requester = {
  respond<C extends ResponseName>(
    command: C,
    sequence: number,
    withStatus: number,
    fields?: Partial<FieldsOf<C>>,
    tlvs?: readonly Tlv[],
  ): void;
  pauseReading(): void;
  resumeReading(): void;
};

/** Callbacks run synchronously from the read loop; keep them short. */
export type SessionHandler<T> = {
  /** The answer to submit() or deliver(); status 0 = accepted. */
  onSubmitAnswer(token: T, status: number, messageId: string): void;
  /**
   * Asked right before submits go to the socket, because the process may have been paused since they were added. If it says no, the session
   * ends, and they are 'unwritten'.
   */
  mayWrite?(): boolean;
  /** No answer: the peer may or may not have acted, unless it is 'unwritten'. After 'timeout' a late answer goes to onLateAnswer. */
  onSubmitLost(token: T, why: 'closed' | 'timeout' | 'unwritten'): void;
  onLateAnswer?(token: T, status: number, messageId: string): void;
  /** The window has places again: once per read chunk, drain or sweep, not once per place. */
  onRoom?(): void;
  /** Every request but enquire_link and unbind. The handler answers with respond(), now or later. */
  onRequest(pdu: Pdu, session: Requester): void;
  /** Once, after everything pending has failed. */
  onClose(reason: string): void;
  /** Recoverable errors are already answered; after a fatal one onClose follows. */
  onProtocolError?(error: PduError): void;
};

export type SessionOptions = {
  side: Side;
  /** Most unanswered requests at a time. */
  window: number;
  responseTimeoutMs: number;
  /** Silence after which we send enquire_link; 0 = never. */
  enquireLinkMs: number;
  maxPduBytes?: number;
  /** `address:port` of the peer if the socket's other end is a proxy. */
  remote?: string;
};

/** The sweep runs four times per timeout, so an answer is given up at most a quarter late. */
const sweepsPerTimeout = 4;
const sweepMsMin = 5;
const sweepMsMax = 1_000;

/** How often a session looks for expired requests and for silence. */
export function sweepMs({ responseTimeoutMs, enquireLinkMs }: SessionOptions): number {
  const shortestMs = Math.min(responseTimeoutMs, enquireLinkMs || responseTimeoutMs);
  return Math.max(sweepMsMin, Math.min(sweepMsMax, shortestMs / sweepsPerTimeout));
}
