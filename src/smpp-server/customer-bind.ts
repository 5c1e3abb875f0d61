// One bind of a customer: handles its requests, stops reading while its window of unanswered submits is full, applies the rate of
// its user, and counts what people see of it.

import { Overloaded } from '../accept/order-line.ts';
import type { ApiCallLog } from '../accounts/api-calls.ts';
import type { ApiUsage } from '../accounts/api-usage.ts';
import type { RefusalLog } from '../accounts/refusals.ts';
import type { Db } from '../db/db.ts';
import { type Log, warnSeldom } from '../log.ts';
import { smppSubmitsTotal } from '../metrics/metrics.ts';
import { parseNumber } from '../numbers/phone.ts';
import type { OrderTraces } from '../orders/traces.ts';
import type { Pdu, PduOf } from '../smpp/codec.ts';
import type { BindType, FailedDestination } from '../smpp/pdus.ts';
import type { Session, SessionHandler } from '../smpp/session.ts';
import { status, statusName } from '../smpp/status.ts';
import { textTlv } from '../smpp/tlv.ts';
import { Refusal, reasonPhrase, type StatusCode } from '../status.ts';
import { monotonicMs, now } from '../time/clock.ts';
import { exportRequest } from '../tracing/request-span.ts';
import { beginTrace, tracing } from '../tracing/tracer.ts';
import type { Acceptance } from './acceptance.ts';
import type { BindLimits, CustomersBind, Delivery } from './bind.ts';
import type { Deliverer } from './deliverer.ts';
import type { LiveBinds } from './live-binds.ts';
import { cancelMessage, queryMessage } from './query-and-cancel.ts';
import type { UserRate } from './rate.ts';
import { readSubmit, type Submit, type SubmitPdu } from './read-submit.ts';
import { openBinds } from './server-metrics.ts';
import { submitStatuses } from './statuses.ts';
import type { SmppUser } from './users.ts';

export type ServerParts = {
  db: Db;
  log: Log;
  acceptance: Acceptance;
  deliverer: Deliverer;
  live: LiveBinds;
  refusals: RefusalLog;
  usage: ApiUsage;
  calls: ApiCallLog;
  /** Set if traces are exported. */
  traces?: OrderTraces;
};

type Given = { bindId: number; user: SmppUser; rate: UserRate; address: string; kind: BindType };

/** A refused submit: its status, and code and text for the customer's API log. */
type Refused = { status: number; code: number; text: string };

const leaveMs = 2_000;

export class CustomerBind implements CustomersBind {
  readonly id: number;
  readonly userId: number;
  readonly kind: BindType;
  readonly session: Session<Delivery>;
  readonly counts = { submits: 0, refusals: 0, receipts: 0, unanswered: 0 };
  lastError: string | null = null;
  window: number;
  inFlight = 0;
  readonly #parts: ServerParts;
  readonly #given: Given;
  submitWindow: number;
  #paused = false;

  constructor(parts: ServerParts, session: Session<Delivery>, given: Given) {
    this.#parts = parts;
    this.#given = given;
    this.session = session;
    this.id = given.bindId;
    this.userId = given.user.id;
    this.kind = given.kind;
    this.submitWindow = given.user.window;
    this.window = given.user.receiptWindow;
    openBinds.add(this);
  }

  handler(): SessionHandler<Delivery> {
    const { deliverer, live } = this.#parts;
    return {
      onSubmitAnswer: (delivery, answer) => deliverer.answered(delivery, answer),
      onSubmitLost: (delivery, why) => deliverer.lost(delivery, why),
      onLateAnswer: (delivery, answer) => deliverer.lateAnswer(delivery, answer),
      onRequest: pdu => this.#onRequest(pdu),
      onProtocolError: error => this.error(error.message),
      onClose: () => {
        deliverer.remove(this);
        live.remove(this.id);
        openBinds.delete(this);
      },
    };
  }

  error(text: string): void {
    this.lastError = text.slice(0, 200);
  }

  limit({ rate, window, receiptWindow, share }: BindLimits): void {
    this.#given.rate.set(rate === null ? null : rate * share);
    this.submitWindow = window;
    this.window = receiptWindow;
  }

  leave(why: string): void {
    this.error(why);
    void this.session.unbind(leaveMs);
  }

  #onRequest(pdu: Pdu): void {
    this.counts.unanswered++;
    if (this.counts.unanswered >= this.submitWindow && !this.#paused) {
      this.#paused = true;
      this.session.pauseReading();
    }
    const answering = this.#answer(pdu);
    if (answering) void answering.finally(this.#answered);
    else this.#answered();
  }

  readonly #answered = (): void => {
    this.counts.unanswered--;
    if (!this.#paused || this.counts.unanswered >= this.submitWindow) return;
    this.#paused = false;
    this.session.resumeReading();
  };

  #answer(pdu: Pdu): Promise<void> | void {
    const { session } = this;
    switch (pdu.command) {
      case 'submit_sm':
      case 'submit_multi':
      case 'data_sm':
        return this.#submit(pdu);
      case 'query_sm':
        return this.#query(pdu);
      case 'cancel_sm':
        return this.#cancel(pdu);
      case 'replace_sm':
        return session.respond('replace_sm_resp', pdu.sequence, status.ESME_RREPLACEFAIL);
      default:
        return session.respond('generic_nack', pdu.sequence, status.ESME_RINVCMDID);
    }
  }

  async #submit(pdu: SubmitPdu): Promise<void> {
    const startedMs = monotonicMs();
    const command = `${pdu.command}_resp` as const;
    try {
      const submit = this.#read(pdu);
      const failed = pdu.command === 'submit_multi' ? await this.#leaveOut(submit) : [];
      const { messageId: id, orderId } = await this.#parts.acceptance.submit(this.#given.user, submit);
      this.counts.submits++;
      smppSubmitsTotal.inc({ status: 'ESME_ROK' });
      const about = { accountId: this.#given.user.accountId, operation: pdu.command, address: this.#given.address };
      this.#parts.usage.addAccepted(about.accountId, about.operation, about.address);
      this.#parts.calls.add({ ...about, ms: Math.round(monotonicMs() - startedMs), orderId, key: null });
      if (tracing.now) this.#trace(pdu.command, startedMs, 200, orderId === null ? [] : [orderId]);
      const messageId = String(id);
      if (failed.length > 0)
        this.session.respond('submit_multi_resp', pdu.sequence, 0, { messageId, unsuccessSmes: failed });
      else this.session.respond(command, pdu.sequence, 0, { messageId });
    } catch (error) {
      const refused = this.#refusalOf(error);
      this.counts.refusals++;
      smppSubmitsTotal.inc({ status: statusName(refused.status) });
      this.error(`${pdu.command}: ${statusName(refused.status)} ${refused.text}`);
      const { accountId, systemId: agent } = this.#given.user;
      const { code, text } = refused;
      if (tracing.now) this.#trace(pdu.command, startedMs, code, []);
      const refusal = { accountId, operation: pdu.command, code, cause: text, address: this.#given.address, agent };
      if (refused.status !== status.ESME_RTHROTTLED) this.#parts.refusals.add(refusal);
      const info = textTlv('additional_status_info_text', `${code} ${reasonPhrase(code, text)}`.slice(0, 255));
      this.session.respond(command, pdu.sequence, refused.status, undefined, [info]);
    }
  }

  #read(pdu: SubmitPdu): Submit {
    const submit = readSubmit(pdu, this.#given.user.id, now());
    if (typeof submit === 'number') throw new BadSubmit(submit);
    const { sender, recipients, concat } = submit;
    const part = concat && { sender, recipient: recipients[0]!, concat };
    if (!this.#given.rate.take(recipients.length, part)) throw new BadSubmit(status.ESME_RTHROTTLED);
    if (concat && pdu.command === 'submit_multi') throw new BadSubmit(status.ESME_RINVOPTPARAMVAL);
    return submit;
  }

  /** Takes out bad destinations and distribution lists, which the answer names; the others are sent to. */
  async #leaveOut(submit: Submit): Promise<FailedDestination[]> {
    const { abroad } = await this.#parts.acceptance.account(this.#given.user.accountId);
    const bad = submit.recipients.filter(one => parseNumber(one, abroad) === 0);
    if (bad.length < submit.recipients.length)
      submit.recipients = submit.recipients.filter(one => parseNumber(one, abroad) > 0);
    return [
      ...bad.map(address => ({ ton: 1, npi: 1, address, status: status.ESME_RINVDSTADR })),
      ...submit.listNames.map(address => ({ ton: 0, npi: 0, address, status: status.ESME_RINVDLNAME })),
    ];
  }

  #refusalOf(error: unknown): Refused {
    if (error instanceof BadSubmit) return { status: error.status, code: 400, text: statusName(error.status) };
    if (error instanceof Refusal)
      return { status: submitStatuses[error.code] ?? status.ESME_RSUBMITFAIL, code: error.code, text: error.message };
    const overloaded = error instanceof Overloaded;
    const fields = { user: this.#given.user.systemId, error: (error as Error).message };
    if (overloaded) warnSeldom(this.#parts.log, fields, 'overloaded');
    else this.#parts.log.warn(fields, 'SMPP submit failed');
    return {
      status: overloaded ? status.ESME_RMSGQFUL : status.ESME_RSYSERR,
      code: 503 satisfies StatusCode,
      text: 'try again',
    };
  }

  /** SMPP has no field for the caller's own trace, so each request begins one. */
  #trace(name: string, startedMs: number, code: number, orderIds: number[]): void {
    const trace = beginTrace(undefined);
    const seconds = (monotonicMs() - startedMs) / 1_000;
    if (trace) exportRequest(this.#parts.traces, trace, { name, seconds, code, orderIds });
  }

  async #query({ sequence, fields }: PduOf<'query_sm'>): Promise<void> {
    const found = await queryMessage(this.#parts.db, this.#given.user, fields.messageId).catch(() => null);
    if (!found) return this.session.respond('query_sm_resp', sequence, status.ESME_RQUERYFAIL);
    this.session.respond('query_sm_resp', sequence, 0, { messageId: fields.messageId, ...found });
  }

  async #cancel({ sequence, fields }: PduOf<'cancel_sm'>): Promise<void> {
    const cancelled = await cancelMessage(this.#parts.db, this.#given.user, fields.messageId).catch(() => false);
    this.session.respond('cancel_sm_resp', sequence, cancelled ? 0 : status.ESME_RCANCELFAIL);
  }
}

/** A submit that breaks the protocol or the rate limit. */
class BadSubmit extends Error {
  readonly status: number;
  constructor(withStatus: number) {
    super(statusName(withStatus));
    this.status = withStatus;
  }
}
