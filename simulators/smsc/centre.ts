/*
 * The message centre as a whole: its listening socket, connections and binds, its faults, messages from phones, and its
 * statistics. intake.ts decides what becomes of a message.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type FaultKind, Faults, type Stage } from './faults.ts';
import { encodeInbound, type Inbound } from './inbound.ts';
import { Intake } from './intake.ts';
import { type BindMode, type Delivery, type Duties, Link } from './link.ts';
import type { Phones } from './phones.ts';
import type { ReceiptQueue } from './receipt-queue.ts';
import type { Receipt } from './receipts.ts';
import { type Reader, STATUS } from './wire.ts';

const LINKS_MAX = 500;
const SWEEP_MS = 1_000;
const BIND_WAIT_MS = 30_000;
const IDLE_ENQUIRE_MS = 60_000;
const IDLE_CLOSE_MS = 120_000;
const ACKNOWLEDGE_WAIT_MS = 30_000;
const INBOUND_WAIT_MS = 10_000;

export type CentreOptions = {
  port: number;
  host: string;
  /* Passwords by system_id; without it any system_id and password may bind. */
  passwords?: Record<string, string>;
  /* Wait before every submit answer, for load tests of a distant carrier. */
  answerDelayMs?: number;
  messagesMax?: number;
};

export class Centre implements Duties {
  ignored = 0;
  readonly #options: CentreOptions;
  readonly #faults = new Faults();
  readonly #intake: Intake;
  readonly #links = new Set<Link>();
  readonly #server: Server;
  readonly #stage: Stage;
  #sweep: NodeJS.Timeout | undefined;
  #inboundCount = 0;
  #startedAtMs = Date.now();
  #binds = 0;
  #bindsRefused = 0;

  constructor(options: CentreOptions) {
    this.#options = options;
    this.#intake = new Intake(this.#faults, options.answerDelayMs ?? 0, options.messagesMax);
    this.#server = createServer(socket => this.#connected(socket));
    this.#stage = {
      everyLink: act => [...this.#links].forEach(act),
      restartIds: () => this.#intake.restartIds(),
      releaseAnswers: () => this.#intake.releaseAnswers(),
      releaseReceipts: () => this.#intake.receipts.pumpAll(),
      floodReceipts: () => this.#intake.receipts.flood(),
    };
  }

  get phones(): Phones {
    return this.#intake.phones;
  }

  get receipts(): ReceiptQueue {
    return this.#intake.receipts;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port, this.#options.host, resolve);
    });
    this.#sweep = setInterval(() => this.#sweepLinks(Date.now()), SWEEP_MS);
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : this.#options.port;
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    this.#faults.endAll(this.#stage);
    const closed = new Promise(resolve => this.#server.close(resolve));
    for (const link of [...this.#links]) link.destroy();
    this.#intake.stop();
    await closed;
  }

  beginFault(kind: FaultKind, seconds: number, delayMs = 0): void {
    if (kind === 'answer-late') this.#intake.lateByMs = delayMs;
    this.#faults.begin(kind, seconds, this.#stage);
  }

  reset(): void {
    this.#faults.endAll(this.#stage);
    this.#intake.reset();
    this.#inboundCount = 0;
    this.ignored = 0;
    this.#binds = 0;
    this.#bindsRefused = 0;
    this.#startedAtMs = Date.now();
  }

  stats() {
    const { phones, receipts, counts } = this.#intake;
    return {
      binds: this.#binds,
      bindsRefused: this.#bindsRefused,
      sessions: this.#links.size,
      ...counts,
      delivered: phones.delivered,
      duplicates: phones.duplicates,
      stored: phones.stored,
      incomplete: phones.incomplete,
      messagesDropped: phones.dropped,
      receiptsSent: receipts.sent,
      receiptsAcknowledged: receipts.acknowledged,
      receiptsRefused: receipts.refused,
      receiptsQueued: receipts.held,
      receiptsDropped: receipts.dropped,
      inbound: this.#inboundCount,
      ignored: this.ignored,
      faults: this.#faults.active(),
      uptime: Math.floor((Date.now() - this.#startedAtMs) / 1000),
    };
  }

  /* Resolves when the ESME has acknowledged every part; rejects with a sentence for the sender. */
  async inbound(from: string, to: string, text: string, systemId?: string): Promise<void> {
    const air = encodeInbound(text, this.#inboundCount + 1);
    if (air === null) throw new Error('the text is too long');
    const link = this.#receiver(systemId);
    if (link === undefined) throw new Error('no receiver is bound');
    this.#inboundCount++;
    const { hasHeader, dataCoding } = air;
    const answers = air.parts.map(
      userData =>
        new Promise<void>((resolve, reject) => {
          const settle: Inbound['settle'] = status =>
            status === 0 ? resolve() : reject(new Error(`not acknowledged (${status})`));
          link.deliverInbound({
            kind: 'inbound',
            from,
            to,
            userData,
            hasHeader,
            dataCoding,
            sentAtMs: Date.now(),
            settle,
          });
        }),
    );
    link.flush();
    await within(Promise.all(answers), INBOUND_WAIT_MS);
  }

  get stalled(): boolean {
    return this.#faults.on.stall;
  }

  get slowRead(): boolean {
    return this.#faults.on['slow-read'];
  }

  bind(link: Link, mode: BindMode, systemId: string, password: string): number {
    const status = this.#authorise(systemId, password);
    const account = status === STATUS.ok ? this.#intake.receipts.account(systemId) : null;
    if (account === null) {
      this.#bindsRefused++;
      return status || STATUS.bindFailed;
    }
    this.#binds++;
    link.mode = mode;
    link.account = account;
    if (link.mayReceive) account.receivers.push(link);
    return STATUS.ok;
  }

  submit(link: Link, sequence: number, command: number, reader: Reader): void {
    this.#intake.submit(link, sequence, command, reader);
  }

  query(link: Link, sequence: number, command: number, reader: Reader): void {
    this.#intake.query(link, sequence, command, reader);
  }

  acknowledged(delivery: Delivery, status: number): void {
    if (delivery.kind === 'receipt') this.#intake.receipts.settled(delivery, status);
    else delivery.settle(status);
  }

  turnEnded(link: Link): void {
    if (this.#faults.on['accept-then-drop'] && link.submitsThisTurn > 0) {
      link.destroy();
      return;
    }
    if (link.account !== null) this.#intake.receipts.pump(link.account);
  }

  closed(link: Link, unacknowledged: Delivery[]): void {
    if (link.closed) this.#links.delete(link);
    link.account?.remove(link);
    this.#takeBack(unacknowledged);
    if (link.account !== null) this.#intake.receipts.pump(link.account);
  }

  #connected(socket: Socket): void {
    if (this.#faults.on.drop || this.#links.size >= LINKS_MAX) {
      this.#bindsRefused++;
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    this.#links.add(new Link(socket, this));
  }

  #authorise(systemId: string, password: string): number {
    const known = this.#options.passwords;
    if (known === undefined) return STATUS.ok;
    if (!Object.hasOwn(known, systemId)) return STATUS.invalidSystemId;
    return known[systemId] === password ? STATUS.ok : STATUS.invalidPassword;
  }

  /* Receipts wait for the next bind; a message from a phone is reported as lost to its sender. */
  #takeBack(deliveries: readonly Delivery[]): void {
    const receipts: Receipt[] = [];
    for (const delivery of deliveries) {
      if (delivery.kind === 'receipt') receipts.push(delivery);
      else delivery.settle('lost');
    }
    this.#intake.receipts.takeBack(receipts);
  }

  #receiver(systemId: string | undefined): Link | undefined {
    const receivers = [...this.#links].filter(
      link => link.mayReceive && !link.frozen && (systemId === undefined || link.account?.systemId === systemId),
    );
    return receivers[this.#inboundCount % receivers.length];
  }

  /* Once a second: connections that never bind or fell silent, and deliveries without an acknowledgement. */
  #sweepLinks(nowMs: number): void {
    if (this.stalled) return;
    for (const link of [...this.#links]) {
      if (link.frozen) continue;
      const silentMs = nowMs - link.heardAtMs;
      if (silentMs > (link.mode === null ? BIND_WAIT_MS : IDLE_CLOSE_MS)) link.destroy();
      else if (silentMs > IDLE_ENQUIRE_MS) link.enquire();
      this.#takeBack(link.takeOverdue(nowMs - ACKNOWLEDGE_WAIT_MS));
    }
    this.#intake.receipts.pumpAll();
  }
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('not acknowledged in time')), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
