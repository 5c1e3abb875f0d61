// Receipts of carriers, over SMPP and HTTP: each is stored, then acknowledged. Any other deliver_sm is an inbound message. When too much
// waits for storage, links stop reading and the carrier queues the rest.

import type { LinkCounts } from '../carriers/carrier-history.ts';
import { noId, noWord, type Tally } from '../carriers/carrier-tally.ts';
import type { Carrier } from '../carriers/carriers.ts';
import { normaliseMessageId } from '../carriers/message-ids.ts';
import type { Db } from '../db/db.ts';
import { type InboundPdu, receiveInbound } from '../inbound/receive.ts';
import type { Log } from '../log.ts';
import { receiptLag } from '../metrics/metrics.ts';
import type { Inbox } from '../receipts/inbox.ts';
import { backlogMax, type Recorder, unsettledMax } from '../receipts/recorder.ts';
import { receiptEnd } from '../receipts/verdicts.ts';
import type { Pdu } from '../smpp/codec.ts';
import { parseReceipt, type Receipt } from '../smpp/receipt.ts';
import type { Requester } from '../smpp/session.ts';
import { monotonicMs } from '../time/clock.ts';
import type { DispatchTraces } from './dispatch-traces.ts';
import type { Flight } from './flight.ts';
import type { Link } from './links/link.ts';

/** The source of a receipt: a link, or the endpoint to which a carrier over HTTP posts. */
export type ReceiptSource = {
  carrier: Pick<Carrier, 'id' | 'name' | 'receiptIdFormat'>;
  counts: LinkCounts;
  words: Tally;
};
export type Said = Pick<Receipt, 'messageId' | 'state' | 'word' | 'error'>;

/** A phone number has at most 15 digits. */
const digitsMax = 15;

const inboundWaitingMax = 200;
const [systemError, queueFull] = [0x08, 0x14];
const noText = { messageId: '' };
const delivered = 111;
const lagEveryMs = 10;

export class CarrierReports {
  readonly #recorder: Recorder;
  readonly #inbox: Inbox;
  readonly #db: Db;
  readonly #log: Log;
  readonly #traces: DispatchTraces | null;
  readonly #paused = new Set<Link<Flight>>();
  #inbound = 0;
  #lagObservedMs = Number.NEGATIVE_INFINITY;

  constructor(recorder: Recorder, inbox: Inbox, db: Db, log: Log, traces: DispatchTraces | null = null) {
    this.#recorder = recorder;
    this.#inbox = inbox;
    this.#db = db;
    this.#log = log;
    this.#traces = traces;
  }

  onRequest(link: Link<Flight>, pdu: Pdu, session: Requester): void {
    if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') {
      const receipt = parseReceipt(pdu);
      if (receipt) this.#onReceipt(link, pdu, session, receipt);
      else this.#onInbound(link, pdu, session);
      return;
    }
    if (pdu.command === 'alert_notification' || pdu.command === 'outbind') return;
    session.respond('generic_nack', pdu.sequence, 0x03);
  }

  /** Called after each stored batch: paused links read again when there is room. */
  stored(): void {
    if (this.#paused.size === 0 || this.#fullness > 1 / 4) return;
    for (const link of this.#paused) link.resumeReading();
    this.#paused.clear();
  }

  #onReceipt(
    link: Link<Flight>,
    pdu: Extract<Pdu, { command: 'deliver_sm' | 'data_sm' }>,
    session: Requester,
    receipt: Receipt,
  ): void {
    const answer = `${pdu.command}_resp` as const;
    // The callback holds the number alone: with the PDU each one would stay in memory until the commit.
    const { sequence } = pdu;
    this.record(link, receipt, pdu.fields.sourceAddr, () => session.respond(answer, sequence, 0, noText));
    this.#pauseIfFull(link);
  }

  /** Calls `acknowledge` once the receipt is stored, or at once if there is nothing to store. */
  record(source: ReceiptSource, said: Said, number: string, acknowledge: () => void): void {
    source.counts.receipts++;
    const end = receiptEnd(said);
    const id = normaliseMessageId(said.messageId, source.carrier.receiptIdFormat);
    if (!end || id === '') {
      source.words.note(end ? noId : said.word || noWord, said.messageId);
      return acknowledge();
    }
    this.#noteLag(source, id);
    this.#traces?.reported(source.carrier.id, id, end.status);
    if (end.status !== delivered) source.counts.undelivered++;
    const digits = Number(number.replace(/\D/g, '').slice(0, digitsMax));
    this.#inbox.add(source.carrier.id, id, end, digits, acknowledge);
  }

  /** Measures the time from a carrier's answer to its receipt. */
  #noteLag({ carrier, counts }: ReceiptSource, id: string): void {
    const lagMs = this.#recorder.recent.ageMsOf(carrier.id, id);
    if (lagMs === null) return;
    counts.lags++;
    counts.lagMs += Math.round(lagMs);
    // A sample: observing every receipt would add 2 % to its cost.
    if (monotonicMs() - this.#lagObservedMs < lagEveryMs) return;
    this.#lagObservedMs = monotonicMs();
    receiptLag.observe({ carrier: carrier.name }, lagMs / 1_000);
  }

  /** Fill level of the memory or of the inbox, whichever is higher; 1 = full. */
  get #fullness(): number {
    const { backlog, unsettled } = this.#recorder;
    return Math.max((backlog + this.#inbox.waiting) / backlogMax, unsettled / unsettledMax);
  }

  #pauseIfFull(link: Link<Flight>): void {
    if (this.#fullness < 1 || this.#paused.has(link)) return;
    this.#paused.add(link);
    link.pauseReading();
  }

  #onInbound(link: Link<Flight>, pdu: InboundPdu, session: Requester): void {
    const answer = (status: number) => session.respond(`${pdu.command}_resp`, pdu.sequence, status, noText);
    if (this.#inbound >= inboundWaitingMax) return answer(queueFull);
    this.#inbound++;
    receiveInbound(this.#db, link.carrier.id, pdu)
      .then(
        () => answer(0),
        (error: Error) => {
          this.#log.error({ carrier: link.carrier.name, error: error.message }, 'inbound message not stored');
          answer(systemError);
        },
      )
      .finally(() => this.#inbound--);
  }
}
