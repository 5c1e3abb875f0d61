// One SMPP bind of a carrier: binds, submits within the window, forwards the carrier's requests. link.ts has what all links share.

import { submitVerdict } from '../../receipts/verdicts.ts';
import { connect } from '../../smpp/client.ts';
import { BindError } from '../../smpp/pdu-error.ts';
import type { Session } from '../../smpp/session.ts';
import { statusName } from '../../smpp/status.ts';
import { monotonicMs } from '../../time/clock.ts';
import { Link } from './link.ts';
import type { Outgoing } from './submit.ts';

const responseTimeoutMs = 20_000;
const enquireLinkMs = 15_000;
const connectTimeoutMs = 8_000;
const drainMs = 4_000;
const refusals = new Set([0x0d, 0x0e, 0x0f]);

export class CarrierLink<T> extends Link<T> {
  #sender: Session<T> | undefined;
  #receiver: Session<T> | undefined;
  #answeredAt = 0;
  #silent = false;

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

  override pauseReading(): void {
    this.#receiver?.pauseReading();
  }

  override resumeReading(): void {
    this.#receiver?.resumeReading();
  }

  protected async drain(): Promise<void> {
    const sessions = new Set([this.#sender, this.#receiver]);
    await Promise.all([...sessions].map(one => one?.unbind(drainMs)));
  }

  protected detach(): (reason: string) => void {
    const sessions = [this.#sender, this.#receiver];
    this.#sender = this.#receiver = undefined;
    return reason => {
      for (const one of sessions) one?.destroy(reason);
    };
  }

  protected faultOf(error: Error): { text: string; refused: boolean } {
    if (!(error instanceof BindError)) return { text: error.message, refused: false };
    return { text: `bind refused: ${statusName(error.status)}`, refused: refusals.has(error.status) };
  }

  /** After each wait the session may have ended, even in the packet that binds it, and the link may have been stopped. */
  protected async connect(): Promise<void> {
    const { bindType } = this.carrier;
    const receiver = await this.#bind(bindType === 'separate' ? 'receiver' : bindType);
    this.#receiver = receiver;
    const sender = bindType === 'separate' && !this.isStopped ? await this.#bind('transmitter') : receiver;
    this.#receiver = receiver;
    this.#sender = sender;
    if (this.isStopped) throw new Error('stopped');
    // While this process was paused or without a database, another one may have got the slot.
    if (this.slotLost) throw new Error('the slot was taken by another process');
    if (receiver.state === 'closed' || sender.state === 'closed') throw new Error('the peer closed the bind at once');
    this.#answeredAt = monotonicMs();
    this.#silent = false;
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
        onSubmitAnswer: (token, status, id) => this.#answered(token, status, id),
        onSubmitLost: (token, why) => {
          this.events.onLost(this, token, why !== 'unwritten');
          if (why === 'timeout') this.#missedAnswer();
        },
        onLateAnswer: (token, status, id) => status === 0 && this.events.onLateAccepted(this, token, id),
        mayWrite: () => this.events.mayWrite(),
        onRoom: () => this.events.onRoom(),
        onRequest: (pdu, session) => this.events.onRequest(this, pdu, session),
        onClose: reason => this.#closed(reason),
        onProtocolError: error => this.log.warn({ carrier: carrier.name, error: error.message }, 'protocol error'),
      },
    );
  }

  #answered(token: T, status: number, id: string): void {
    this.#answeredAt = monotonicMs();
    if (status !== 0) {
      const words = `submit refused: ${statusName(status)}`;
      return this.events.onRefused(this, token, submitVerdict(status), words);
    }
    this.events.onAccepted(this, token, id);
  }

  /** No answer within the time limit: the peer is gone, and another full window would be lost too. */
  #missedAnswer(): void {
    if (this.#silent || this.isStopped || this.state !== 'bound') return;
    if (monotonicMs() - this.#answeredAt < responseTimeoutMs) return;
    this.#silent = true;
    // Deferred: the session is still reporting expired submits.
    setImmediate(() => this.#silent && this.drop(`no answer for ${responseTimeoutMs / 1_000} s`));
  }

  #closed(reason: string): void {
    if (this.isStopped) return;
    if (this.state === 'bound') this.log.warn({ carrier: this.carrier.name, slot: this.slot, reason }, 'link lost');
    this.drop(reason);
  }
}
