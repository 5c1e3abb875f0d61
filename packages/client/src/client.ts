// The client of Peyk's v1 interface. Nothing but fetch and WebCrypto: Node 20 and newer, Deno, Bun, workers.
import { PeykPartlyDone } from './errors.ts';
import { type NewOrder, wireOrders } from './orders.ts';
import { pagesOf, rangesOf } from './pages.ts';
import { type CallOptions, type ClientOptions, type Request, requester } from './request.ts';
import { type Time, toTurkeyTime } from './times.ts';
import {
  type GetInboxAnswer,
  type GetReportAnswer,
  type GetReportsAnswer,
  type IysCheckAnswer,
  type IysCheckRequest,
  type IysRegisterRequest,
  limits,
} from './wire.ts';

export { isPeykError, PeykError, PeykPartlyDone, PeykUnavailable } from './errors.ts';
export type { NewOrder } from './orders.ts';
export type { CallOptions, ClientOptions } from './request.ts';
export { fromTurkeyTime, type Time, toTurkeyTime } from './times.ts';
export { PeykWebhookError, type VerifiedWebhook, verifyWebhook, type WebhookCall } from './webhook.ts';
export type { ErrorCode, InboundEvent, OperationName, ReportEvent, TestEvent, WebhookEvent } from './wire.ts';
export { limits, statusTexts } from './wire.ts';

export type Report = GetReportAnswer['order'];
export type ReportMessage = Report['message'][number];
export type ReportSummary = GetReportsAnswer['orders'][number];
export type InboxMessage = GetInboxAnswer['inbox']['message'][number];
export type Consent = IysCheckAnswer['consent'];
export type ConsentRecord = Omit<IysRegisterRequest['consent']['list'][number], 'consentDate'> & { consentDate: Time };

export type TimeRange = { start?: Time; end?: Time };
export type Paging = { page?: number; rowCount?: number };
/** `orderId` is the first of `orderIds`: a list above 50,000 recipients becomes several orders. */
export type Sent = { orderId: string; orderIds: string[]; idempotencyKey: string };
type SignalOnly = Pick<CallOptions, 'signal'>;

export class PeykClient {
  readonly #request: Request;

  constructor(options: ClientOptions) {
    this.#request = requester(options);
  }

  /**
   * Sends an order; the same idempotency key within 24 hours sends nothing twice. Without a key the client makes one,
   * so that it can retry safely.
   */
  async sendSms(order: NewOrder, { idempotencyKey = crypto.randomUUID(), signal }: CallOptions = {}): Promise<Sent> {
    const orders = wireOrders(order);
    const orderIds: string[] = [];
    for (const [index, one] of orders.entries()) {
      const key = orders.length === 1 ? idempotencyKey : `${idempotencyKey}/${index + 1}-${orders.length}`;
      try {
        const answer = await this.#request('send-sms', { order: one }, { idempotencyKey: key, signal });
        orderIds.push(answer.order.id);
      } catch (error) {
        throw orderIds.length > 0 ? new PeykPartlyDone(orderIds, error, idempotencyKey) : error;
      }
    }
    return { orderId: orderIds[0]!, orderIds, idempotencyKey };
  }

  /** Cancels a scheduled order that has not begun. */
  async cancelOrder(id: string, options?: SignalOnly): Promise<void> {
    await this.#request('cancel-order', { order: { id } }, options);
  }

  /** One page of a report; `reportMessages` iterates over all of them. */
  async getReport(id: string, paging: Paging = {}, options?: SignalOnly): Promise<Report> {
    return (await this.#request('get-report', { order: { id, ...paging } }, options)).order;
  }

  reportMessages(id: string, options?: SignalOnly): AsyncGenerator<ReportMessage, void, undefined> {
    return pagesOf(async page => (await this.getReport(id, { page }, options)).message, limits.rowsPerPage);
  }

  /** One page of the orders of up to ten days; `reports` iterates over any range. */
  async getReports(range: Required<TimeRange> & { page?: number }, options?: SignalOnly): Promise<GetReportsAnswer> {
    const { page, ...filter } = range;
    return this.#request('get-reports', { filter: filterOf(filter), ...(page === undefined ? {} : { page }) }, options);
  }

  /** The orders of a range of any length, newest first. */
  async *reports(range: Required<TimeRange>, options?: SignalOnly): AsyncGenerator<ReportSummary, void, undefined> {
    for (const piece of rangesOf(range.start, range.end))
      yield* pagesOf(
        async page => (await this.getReports({ ...piece, page }, options)).orders,
        limits.ordersPerPage,
        order => order.id,
      );
  }

  async getBalance(options?: SignalOnly): Promise<{ amount: number; sms: number }> {
    return (await this.#request('get-balance', {}, options)).balance;
  }

  /** The approved sender IDs. */
  async getSender(options?: SignalOnly): Promise<string[]> {
    return (await this.#request('get-sender', {}, options)).senders.sender;
  }

  /** One page of the blacklist, oldest first; `blacklist` iterates over all of it. */
  async getBlacklist(
    asked: TimeRange & Paging = {},
    options?: SignalOnly,
  ): Promise<{ count: number; number: string[] }> {
    return (await this.#request('get-blacklist', { blacklist: pagedFilter(asked) }, options)).blacklist;
  }

  blacklist(range: TimeRange = {}, options?: SignalOnly): AsyncGenerator<string, void, undefined> {
    return pagesOf(async page => (await this.getBlacklist({ ...range, page }, options)).number, limits.rowsPerPage);
  }

  /** Adding a number again changes nothing. */
  async addBlacklist(number: string, options?: SignalOnly): Promise<void> {
    await this.#request('add-blacklist', { blacklist: { number } }, options);
  }

  async deleteBlacklist(number: string, options?: SignalOnly): Promise<void> {
    await this.#request('delete-blacklist', { blacklist: { number } }, options);
  }

  /** Stores consents, up to 5,000 in a request; a request is stored completely or not at all. */
  async iysRegister(
    brandCode: string | number,
    records: readonly ConsentRecord[],
    options?: SignalOnly,
  ): Promise<void> {
    for (let at = 0; at < records.length || at === 0; at += limits.consentsPerRequest) {
      const piece = records.slice(at, at + limits.consentsPerRequest);
      const list = piece.map(one => ({ ...one, consentDate: toTurkeyTime(one.consentDate) }));
      try {
        await this.#request('iys-register', { consent: { brandCode, list } }, options);
      } catch (error) {
        throw at > 0 ? new PeykPartlyDone(at, error) : error;
      }
    }
  }

  /** The latest valid record; 422 if there is none. */
  async iysCheck(asked: IysCheckRequest['consent'], options?: SignalOnly): Promise<Consent> {
    return (await this.#request('iys-check', { consent: asked }, options)).consent;
  }

  /** One page of the messages that people wrote, newest first; `inbox` iterates over all of them. */
  async getInbox(asked: TimeRange & Paging = {}, options?: SignalOnly): Promise<GetInboxAnswer['inbox']> {
    return (await this.#request('get-inbox', { inbox: pagedFilter(asked) }, options)).inbox;
  }

  inbox(range: TimeRange = {}, options?: SignalOnly): AsyncGenerator<InboxMessage, void, undefined> {
    return pagesOf(
      async page => (await this.getInbox({ ...range, page }, options)).message,
      limits.rowsPerPage,
      message => message.id,
    );
  }
}

function pagedFilter({ start, end, ...paging }: TimeRange & Paging) {
  return { filter: filterOf({ start, end }), ...paging };
}

function filterOf<Range extends TimeRange>({ start, end }: Range) {
  return {
    ...(start === undefined ? {} : { start: toTurkeyTime(start) }),
    ...(end === undefined ? {} : { end: toTurkeyTime(end) }),
  } as { [Bound in keyof Range]: string };
}
