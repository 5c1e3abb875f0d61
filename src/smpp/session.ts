// One SMPP session over one socket, for both the ESME and the SMSC side. It keeps the send window, matches answers to requests,
// expires requests without an answer, keeps the link alive with enquire_link, and fails all pending requests when the link
// closes. The handler interprets the messages.
import type { Socket } from 'node:net';
import type { PduOf } from './codec.ts';
import { encodeBody, headerBytes, pduBytesMax } from './codec.ts';
import { Framer, unboundPduBytesMax } from './framing.ts';
import { RefusedRequest, readAnswer, readMessageId, readRequest } from './incoming.ts';
import { Outbox } from './outbox.ts';
import { PduError, SmppError } from './pdu-error.ts';
import type { AnswerTo, BindType, CommandName, FieldsOf, NoticeName, RequestName, ResponseName, Side } from './pdus.ts';
import { isResponseId, maySend, pdus } from './pdus.ts';
import type { Settle } from './pending.ts';
import { Pending } from './pending.ts';
import { chatterMax, Reading } from './reading.ts';
import type { Requester, SessionHandler, SessionOptions, SessionState } from './session-handler.ts';
import { sweepMs } from './session-handler.ts';
import type { Tlv } from './tlv.ts';

export type { Requester, SessionHandler };

const { submit_sm, submit_sm_resp, deliver_sm, deliver_sm_resp, generic_nack, enquire_link_resp, unbind_resp } = pdus;
const boundStates = { transceiver: 'bound_trx', transmitter: 'bound_tx', receiver: 'bound_rx' } as const;
/** Answers to a long chunk leave in groups, so both ends work at the same time instead of in turns: a third more round trips. */
const framesPerFlush = 32;
const lingerMs = 1_000;

export class Session<T = unknown> implements Requester {
  /** For metrics: answers without a request, and invalid PDUs. */
  readonly counts = { unexpectedAnswers: 0, protocolErrors: 0 };
  readonly remote: string;

  readonly #socket: Socket;
  readonly #options: SessionOptions;
  readonly #peer: Side;
  readonly #framer: Framer;
  readonly #outbox: Outbox;
  readonly #pending = new Pending<T>();
  readonly #reading: Reading;
  readonly #sweep: NodeJS.Timeout;
  #handler: SessionHandler<T>;
  #state: SessionState = 'open';
  #bound: BindType | null = null;
  #chatter = 0;
  #freed = false;
  #heardMs: number;
  #enquiring = false;
  #error = '';
  #unbound: Promise<void> | null = null;
  #whenIdle: (() => void) | null = null;
  #whenClosed: (() => void) | null = null;

  constructor(socket: Socket, options: SessionOptions, handler: SessionHandler<T>) {
    this.#socket = socket;
    this.#options = options;
    this.#peer = options.side === 'esme' ? 'smsc' : 'esme';
    this.#handler = handler;
    this.remote = options.remote ?? `${socket.remoteAddress}:${socket.remotePort}`;
    this.#framer = new Framer(options.side === 'smsc' ? unboundPduBytesMax : (options.maxPduBytes ?? pduBytesMax));
    this.#outbox = new Outbox(
      socket,
      {
        drain: () => this.#announceRoom(),
        overflow: () => this.destroy('the peer left too many answers unread'),
        forbidden: () => this.destroy('the process was paused, and may not write any more'),
      },
      () => this.#handler.mayWrite?.() ?? true,
    );
    this.#reading = new Reading(socket, () => this.#pump());
    this.#heardMs = this.#reading.nowMs();
    this.#sweep = setInterval(() => this.#onSweep(), sweepMs(options));
    // Small answers must not wait for the peer's delayed acknowledgement: Nagle costs up to 40 ms each.
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', (error: Error) => {
      this.#error = error.message;
    });
    socket.on('close', () => this.#shut(this.#error || 'the peer closed the connection', false));
  }

  get state(): SessionState {
    return this.#state;
  }

  get bindType(): BindType | null {
    return this.#bound;
  }

  /** Free places in the send window; 0 when not bound, unbinding, or while the socket takes no more. */
  room(): number {
    if (!this.#isBound() || this.#outbox.blocked || !this.#socket.writable) return 0;
    return Math.max(0, this.#options.window - this.#pending.windowed);
  }

  pendingCount(): number {
    return this.#pending.windowed;
  }

  /**
   * The hot path: `body` is an encoded submit_sm behind its header (submit-body.ts) and is copied at once. The
   * answer comes to onSubmitAnswer or onSubmitLost, exactly one of them. False: no room, nothing was sent.
   */
  submit(body: Buffer, token: T): boolean {
    if (this.#options.side !== 'esme' || this.#bound === 'receiver') return false;
    return this.#sendBody(submit_sm.id, submit_sm_resp.id, body, token);
  }

  deliver(body: Buffer, token: T): boolean {
    if (this.#options.side !== 'smsc' || this.#bound === 'transmitter') return false;
    return this.#sendBody(deliver_sm.id, deliver_sm_resp.id, body, token);
  }

  /**
   * Any request. Resolves with the answer whatever its status; a generic_nack shows as the expected answer with the
   * nack's status. Rejects with SmppError. Takes a window place, unless it is a bind, unbind or enquire_link.
   */
  request<C extends RequestName>(
    command: C,
    fields: Partial<FieldsOf<C>> = {},
    tlvs: readonly Tlv[] = [],
  ): Promise<PduOf<AnswerTo<C>>> {
    return new Promise((resolve, reject) => {
      this.ask(command, fields, tlvs, (error, pdu) => {
        if (error !== null) reject(error);
        else resolve(pdu as PduOf<AnswerTo<C>>);
      });
    });
  }

  /** request() with a callback, which runs synchronously while the answer is read. */
  ask<C extends RequestName>(command: C, fields: Partial<FieldsOf<C>>, tlvs: readonly Tlv[], settle: Settle): void {
    const windowed = pdus[command].when === 'messages';
    const refusal = this.#refusal(command, windowed);
    if (refusal !== null) return settle(refusal, null);
    const body = encodeBody(command, fields, tlvs);
    const answerId = (pdus[command].id | 0x80000000) >>> 0;
    const sequence = this.#pending.add({ answerId, deadlineMs: this.#deadline(), windowed, settle, token: undefined });
    this.#outbox.put(pdus[command].id, 0, sequence, body);
  }

  /** A request without an answer: alert_notification, outbind. Returns false if it is not allowed now. */
  notify<C extends NoticeName>(command: C, fields: Partial<FieldsOf<C>>, tlvs: readonly Tlv[] = []): boolean {
    if (this.#state === 'closed' || !maySend(command, this.#options.side, this.#bound)) return false;
    const body = encodeBody(command, fields, tlvs);
    this.#outbox.put(pdus[command].id, 0, this.#pending.nextSequence(), body);
    return true;
  }

  /** Answers a request. Without fields and TLVs an error answer has no body, as the standard asks. */
  respond<C extends ResponseName>(
    command: C,
    sequence: number,
    withStatus: number,
    fields?: Partial<FieldsOf<C>>,
    tlvs: readonly Tlv[] = [],
  ): void {
    if (this.#state !== 'closed') this.#outbox.putAnswer(command, withStatus, sequence, fields, tlvs);
  }

  /** Stops reading at once, even within a chunk. Answers are not read either, so their clocks stand still too. */
  pauseReading(): void {
    this.#reading.pause();
  }

  resumeReading(): void {
    this.#reading.resume();
  }

  /** Takes no more requests, waits for the pending answers, unbinds and closes; all within timeoutMs. Never rejects. */
  unbind(timeoutMs: number): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    this.#unbound ??= new Promise(resolve => {
      const wasBound = this.#bound !== null;
      this.#state = 'unbinding';
      const timer = setTimeout(() => this.destroy('unbind timed out'), timeoutMs);
      this.#whenClosed = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#whenIdle = () => {
        this.#whenIdle = null;
        if (!wasBound) return this.#shut('closed before a bind', true);
        this.ask('unbind', {}, [], () => this.#shut('unbound', true));
      };
      if (this.#pending.windowed === 0) this.#whenIdle();
    });
    return this.#unbound;
  }

  /** Closes at once. Everything pending has failed and onClose has run when this returns. */
  destroy(reason: string): void {
    this.#shut(reason, false);
  }

  /** Closes after the octets already given have left, without waiting for answers. */
  end(reason: string): void {
    this.#shut(reason, true);
  }

  /** For client.ts and server.ts: a bind is under way. */
  beginBind(): void {
    this.#state = 'binding';
  }

  /** The bind succeeded; from here on the handler is the owner's. */
  completeBind(bound: BindType, handler: SessionHandler<T>): void {
    this.#bound = bound;
    this.#framer.bytesMax = this.#options.maxPduBytes ?? pduBytesMax;
    this.#state = boundStates[bound];
    this.#handler = handler;
  }

  #isBound(): boolean {
    return this.#bound !== null && this.#state !== 'unbinding' && this.#state !== 'closed';
  }

  #isStranger(): boolean {
    return this.#bound === null && this.#options.side === 'smsc';
  }

  #deadline(): number {
    return this.#reading.nowMs() + this.#options.responseTimeoutMs;
  }

  #sendBody(commandId: number, answerId: number, body: Buffer, token: T): boolean {
    if (this.room() === 0) return false;
    if (body.length > pduBytesMax - headerBytes) throw new RangeError(`body over ${pduBytesMax} octets`);
    const waiting = { answerId, deadlineMs: this.#deadline(), windowed: true, settle: null, token };
    this.#outbox.put(commandId, 0, this.#pending.add(waiting), body);
    return true;
  }

  #refusal(command: CommandName, windowed: boolean): SmppError | null {
    if (this.#state === 'closed') return new SmppError('closed', `${command}: the session is closed`);
    if (!maySend(command, this.#options.side, this.#bound)) {
      return new SmppError('state', `${command} is not allowed in state ${this.#state}`);
    }
    if (windowed && this.room() === 0) return new SmppError('window', `${command}: no room in the send window`);
    return null;
  }

  #onData(chunk: Buffer): void {
    if (this.#state === 'closed') return;
    this.#framer.push(chunk);
    this.#pump();
  }

  /** An ESME is read in turns, and not while it leaves answers unread. An SMSC is always read, or both ends might wait forever. */
  #pump(): void {
    const framer = this.#framer;
    this.#heardMs = this.#reading.nowMs();
    for (let frames = 1; this.#reading.isOn && this.#nextFrame(); frames++) {
      this.#onFrame(framer.buffer, framer.start, framer.end);
      if (frames % framesPerFlush === 0) this.#outbox.flush();
      if (this.#options.side === 'esme') continue;
      if (this.#outbox.blocked) this.#reading.hold('unread');
      else if (this.#chatter > chatterMax) this.#reading.hold('chatter');
      else this.#reading.count(framer.end - framer.start);
    }
    if (this.#freed) this.#announceRoom();
  }

  #nextFrame(): boolean {
    try {
      return this.#framer.next();
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#report(error);
      this.#outbox.putHeader(generic_nack.id, error.status, 0);
      this.#shut(error.message, true);
      return false;
    }
  }

  #onFrame(buffer: Buffer, start: number, end: number): void {
    const commandId = buffer.readUInt32BE(start + 4);
    if (!isResponseId(commandId)) this.#onRequest(buffer, start, end);
    else if (this.#isStranger()) this.#shut('no bind', true);
    else this.#onAnswer(buffer, start, end, commandId);
  }

  #onAnswer(buffer: Buffer, start: number, end: number, commandId: number): void {
    const sequence = buffer.readUInt32BE(start + 12);
    const waiting = this.#pending.take(sequence, commandId);
    if (waiting === undefined) {
      this.#onStrayAnswer(buffer, start, end, commandId, sequence);
      return;
    }
    if (waiting.windowed) this.#freed = true;
    if (waiting.settle !== null) this.#settle(waiting.settle, waiting.answerId, buffer, start, end);
    else {
      const withStatus = buffer.readUInt32BE(start + 8);
      this.#handler.onSubmitAnswer(waiting.token as T, withStatus, readMessageId(buffer, start, end));
    }
    if (this.#whenIdle !== null && this.#pending.windowed === 0) this.#whenIdle();
  }

  #settle(settle: Settle, answerId: number, buffer: Buffer, start: number, end: number): void {
    const answer = readAnswer(buffer, start, end, answerId);
    if (answer instanceof PduError) {
      this.#report(answer);
      settle(new SmppError('answer', answer.message), null);
    } else settle(null, answer);
  }

  #onStrayAnswer(buffer: Buffer, start: number, end: number, commandId: number, sequence: number): void {
    const late = this.#pending.takeLate(sequence, commandId);
    if (late === undefined) {
      this.#chatter++;
      this.counts.unexpectedAnswers++;
      return;
    }
    const withStatus = buffer.readUInt32BE(start + 8);
    this.#handler.onLateAnswer?.(late.token as T, withStatus, readMessageId(buffer, start, end));
  }

  #onRequest(buffer: Buffer, start: number, end: number): void {
    const request = readRequest(buffer, start, end, this.#peer, this.#bound);
    if (request instanceof RefusedRequest) this.#refuse(request);
    else if (request.command === 'enquire_link') {
      this.#chatter++;
      this.#outbox.putHeader(enquire_link_resp.id, 0, request.sequence);
    } else if (request.command === 'unbind') {
      this.#outbox.putHeader(unbind_resp.id, 0, request.sequence);
      this.#shut('the peer unbound', true);
    } else this.#handler.onRequest(request, this);
  }

  #refuse({ answerId, sequence, status, error }: RefusedRequest): void {
    this.#chatter++;
    if (error !== null) this.#report(error);
    if (answerId !== null && this.#state !== 'closed') this.#outbox.putHeader(answerId, status, sequence);
    if (this.#isStranger()) this.#shut('no bind', true);
  }

  #report(error: PduError): void {
    this.counts.protocolErrors++;
    this.#handler.onProtocolError?.(error);
  }

  #announceRoom(): void {
    if (!this.#outbox.blocked) this.#reading.release('unread');
    this.#freed = false;
    if (this.room() > 0) this.#handler.onRoom?.();
  }

  #onSweep(): void {
    this.#chatter = 0;
    this.#reading.release('chatter');
    if (this.#reading.unreadMs() > this.#options.responseTimeoutMs) return this.destroy('the peer does not read');
    const nowMs = this.#reading.nowMs();
    for (const waiting of this.#pending.expire(nowMs)) {
      if (waiting.windowed) this.#freed = true;
      if (waiting.settle !== null) waiting.settle(new SmppError('timeout', 'no answer in time'), null);
      else this.#handler.onSubmitLost(waiting.token as T, 'timeout');
      if (this.#state === 'closed') return;
    }
    if (this.#whenIdle !== null && this.#pending.windowed === 0) this.#whenIdle();
    if (this.#freed) this.#announceRoom();
    const { enquireLinkMs } = this.#options;
    if (enquireLinkMs > 0 && nowMs - this.#heardMs >= enquireLinkMs) this.#enquire();
  }

  #enquire(): void {
    if (this.#enquiring || this.#state === 'closed') return;
    this.#enquiring = true;
    this.ask('enquire_link', {}, [], error => {
      this.#enquiring = false;
      if (error?.reason === 'timeout') this.destroy('enquire_link was not answered');
    });
  }

  #shut(reason: string, graceful: boolean): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    if (graceful) this.#outbox.flush();
    this.#reading.close();
    this.#bound = null;
    clearInterval(this.#sweep);
    this.#outbox.close();
    if (graceful) this.#linger();
    else this.#socket.destroy();
    const waiting = this.#pending.clear();
    const written = waiting.length - this.#outbox.unwritten;
    for (const [i, { settle, token }] of waiting.entries()) {
      if (settle !== null) settle(new SmppError('closed', reason), null);
      else this.#handler.onSubmitLost(token as T, i < written ? 'closed' : 'unwritten');
    }
    this.#handler.onClose(reason);
    this.#whenClosed?.();
  }

  #linger(): void {
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs);
    this.#socket.once('close', () => clearTimeout(timer));
    // A paused socket never sees the peer's end; what arrives now is read and dropped.
    this.#socket.resume();
    this.#socket.end();
  }
}
