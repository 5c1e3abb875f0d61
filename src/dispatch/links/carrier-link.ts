// One bind of a carrier, kept alive: takes its slot, connects, binds, and begins again with growing pauses when it is
// lost. A refused password is tried once a minute, not hammered. Stopping drains: nothing new, wait for answers, unbind.
import { backoffMs } from '../../backoff.ts';
import { monotonicMs } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { connect } from '../../smpp/client.ts';
import { BindError } from '../../smpp/pdu-error.ts';
import type { Session } from '../../smpp/session.ts';
import { statusName } from '../../smpp/status.ts';
import { submitVerdict } from '../record/verdicts.ts';
import { CarrierWords } from './carrier-words.ts';
import type { CarrierWithPassword } from './carriers.ts';
import { type LagProbe, lagProbeOf } from './lag-probe.ts';
import type { Link, LinkEvents, LinkState } from './link.ts';
import { normaliseMessageId } from './message-ids.ts';
import { Pace } from './pace.ts';
import type { SlotLocks } from './slot-locks.ts';
import type { Outgoing } from './submit.ts';

const responseTimeoutMs = 20_000;
const enquireLinkMs = 15_000;
const connectTimeoutMs = 8_000;
const drainMs = 4_000;
const slotRetryMs = 1_000;
// Two seconds apart for the first half minute, so that a carrier that comes back is used at once; then up to 30.
const patientAfter = 20;
const refusedPauseMs = 60_000;
const refusals = new Set([0x0d, 0x0e, 0x0f]);

export class CarrierLink<T> implements Link<T> {
  readonly carrier: CarrierWithPassword;
  readonly slot: number;
  readonly pace: Pace;
  readonly countingSince = new Date();
  readonly counts = { submitted: 0, throttled: 0, refused: 0, receipts: 0, undelivered: 0 };
  readonly lag: LagProbe;
  readonly errors = new Map<string, number>();
  readonly words = new CarrierWords();
  state: LinkState = 'down';
  since = new Date();
  lastError: string | null = null;
  readonly #events: LinkEvents<T>;
  readonly #locks: SlotLocks;
  readonly #log: Log;
  #sender: Session<T> | undefined;
  #receiver: Session<T> | undefined;
  #failures = 0;
  #answeredAt = 0;
  #silent = false;
  #hasSlot = false;
  #slotLost = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(carrier: CarrierWithPassword, slot: number, events: LinkEvents<T>, locks: SlotLocks, log: Log) {
    this.carrier = carrier;
    this.slot = slot;
    this.pace = new Pace(carrier.rate && carrier.rate / carrier.binds);
    this.lag = lagProbeOf(carrier.id);
    this.#events = events;
    this.#locks = locks;
    this.#log = log;
  }

  start(): void {
    void this.#open();
  }

  get bound(): boolean {
    return this.state === 'bound';
  }

  get windowUsed(): number {
    return this.#sender?.pendingCount() ?? 0;
  }

  room(wanted: number): number {
    if (!this.#sender || this.state !== 'bound' || this.#silent) return 0;
    return this.pace.available(Math.min(wanted, this.#sender.room()));
  }

  submit(message: Outgoing, token: T): boolean {
    if (!Buffer.isBuffer(message) || !this.#sender?.submit(message, token)) return false;
    this.pace.take(1);
    this.counts.submitted++;
    return true;
  }

  noteError(text: string): void {
    this.errors.set(text, (this.errors.get(text) ?? 0) + 1);
  }

  pauseReading(): void {
    this.#receiver?.pauseReading();
  }

  resumeReading(): void {
    this.#receiver?.resumeReading();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#set('stopped', null);
    const sessions = new Set([this.#sender, this.#receiver]);
    await Promise.all([...sessions].map(one => one?.unbind(drainMs)));
    await this.#giveSlot();
  }

  async #open(): Promise<void> {
    if (this.#stopped) return;
    this.#slotLost = false;
    const free = await this.#locks.take(this.carrier.id, this.slot, () => {
      this.#slotLost = true;
      this.#drop('the slot was taken by another process');
    });
    this.#hasSlot = free;
    if (this.#stopped) return this.#giveSlot();
    if (!free) {
      this.#set('waiting for slot', null);
      return this.#again(slotRetryMs);
    }
    this.#set('connecting', this.lastError);
    try {
      await this.#bindAll();
      this.#failures = 0;
      this.#answeredAt = monotonicMs();
      this.#silent = false;
      this.#set('bound', null);
      this.#events.onRoom();
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  /** Only what this link took: the slot may be another link's by now. */
  async #giveSlot(): Promise<void> {
    if (this.#hasSlot) await this.#locks.give(this.carrier.id, this.slot);
    this.#hasSlot = false;
  }

  /** A session may end while we wait, even in the packet that binds it; and we may have been told to stop. */
  async #bindAll(): Promise<void> {
    const { bindType } = this.carrier;
    const receiver = await this.#bind(bindType === 'separate' ? 'receiver' : bindType);
    this.#receiver = receiver;
    const sender = bindType === 'separate' && !this.#stopped ? await this.#bind('transmitter') : receiver;
    this.#receiver = receiver;
    this.#sender = sender;
    if (this.#stopped) throw new Error('stopped');
    // While we were asleep or without a database, another process may have got the slot: one bind too many.
    if (this.#slotLost) throw new Error('the slot was taken by another process');
    if (receiver.state === 'closed' || sender.state === 'closed') throw new Error('the peer closed the bind at once');
  }

  #bind(bind: 'transceiver' | 'transmitter' | 'receiver'): Promise<Session<T>> {
    const { carrier } = this;
    return connect<T>(
      {
        host: carrier.host,
        port: carrier.port,
        ...(carrier.tls ? { tls: { rejectUnauthorized: carrier.tlsVerify, servername: carrier.host } } : {}),
        bind,
        systemId: carrier.systemId,
        password: carrier.password,
        systemType: carrier.systemType,
        window: carrier.windowSize,
        responseTimeoutMs,
        enquireLinkMs,
        connectTimeoutMs,
      },
      {
        onSubmitAnswer: (token, status, id) => {
          this.#answeredAt = monotonicMs();
          if (status !== 0)
            return this.#events.onRefused(this, token, submitVerdict(status), `submit refused: ${statusName(status)}`);
          this.lag.answered(() => normaliseMessageId(id, carrier.answerIdFormat));
          this.#events.onAccepted(this, token, id);
        },
        onSubmitLost: (token, why) => {
          this.#events.onLost(this, token);
          if (why === 'timeout') this.#missedAnswer();
        },
        onLateAnswer: (token, status, id) => status === 0 && this.#events.onLateAccepted(this, token, id),
        onRoom: () => this.#events.onRoom(),
        onRequest: (pdu, session) => this.#events.onRequest(this, pdu, session),
        onClose: reason => this.#closed(reason),
        onProtocolError: error => this.#log.warn({ carrier: carrier.name, error: error.message }, 'protocol error'),
      },
    );
  }

  /** No answer at all for as long as one may take: the peer is gone, and a whole window more would only be lost too. */
  #missedAnswer(): void {
    if (this.#silent || this.#stopped || this.state !== 'bound') return;
    if (monotonicMs() - this.#answeredAt < responseTimeoutMs) return;
    this.#silent = true;
    // Not at once: the session is still telling which submits have expired.
    setImmediate(() => this.#silent && this.#drop(`no answer for ${responseTimeoutMs / 1_000} s`));
  }

  #closed(reason: string): void {
    if (this.#stopped) return;
    if (this.state === 'bound') this.#log.warn({ carrier: this.carrier.name, slot: this.slot, reason }, 'link lost');
    this.#drop(reason);
  }

  #drop(reason: string): void {
    const sessions = [this.#sender, this.#receiver];
    this.#sender = this.#receiver = undefined;
    if (this.state === 'connecting' || this.state === 'down') return;
    this.noteError(reason);
    this.#set('down', reason);
    for (const one of sessions) one?.destroy(reason);
    this.#again(backoffMs(this.#failures++, 200, 2_000));
  }

  #failed(error: Error): void {
    const refused = error instanceof BindError && refusals.has(error.status);
    const text = error instanceof BindError ? `bind refused: ${statusName(error.status)}` : error.message;
    for (const one of [this.#sender, this.#receiver]) one?.destroy(text);
    this.#sender = this.#receiver = undefined;
    if (this.#stopped) return;
    if (this.#failures % 10 === 0)
      this.#log.warn({ carrier: this.carrier.name, slot: this.slot, error: text }, 'link not bound');
    this.noteError(text);
    this.#set('down', text);
    const max = this.#failures < patientAfter ? 2_000 : 30_000;
    this.#again(refused ? refusedPauseMs : backoffMs(Math.min(this.#failures, 10), 200, max));
    this.#failures++;
  }

  #again(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#open(), pauseMs);
  }

  #set(state: LinkState, error: string | null): void {
    if (this.state !== state) this.since = new Date();
    this.state = state;
    this.lastError = error;
    this.#events.onState(this);
  }
}
