/*
 * Delivery receipts and the system_ids they belong to. A receipt waits until it is due, then for a bind of its system_id with room in
 * its window, and stays until the other side has acknowledged it: one in flight when a link dropped is sent again on the next bind.
 */
import type { ReceiptState } from './fates.ts';
import type { Outgoing } from './outgoing.ts';
import { Ring } from './ring.ts';
import { ESM_RECEIPT } from './wire.ts';

export const RECEIPTS_MAX = 500_000;
export const RECEIPT_TRIES_MAX = 100;
export const ACCOUNTS_MAX = 1_000;

/* Answers that ask for the same receipt again a little later; any other refusal is final. */
export const RETRY_STATUSES: ReadonlySet<number> = new Set([0x08, 0x14, 0x58, 0x64]);

export const STATE_NUMBERS: Record<ReceiptState, number> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  UNDELIV: 5,
  REJECTD: 8,
};

export type Receipt = {
  kind: 'receipt';
  account: Account;
  id: number;
  source: string;
  sourceTon: number;
  sourceNpi: number;
  destination: string;
  state: ReceiptState;
  error: string;
  submittedAtMs: number;
  dueAtMs: number;
  sentAtMs: number;
  /* When it was last sent, by the clock that measures. */
  sentMonotonicMs: number;
  tries: number;
};

/* A bound link, as far as receipts need it. */
export type Receiver = {
  readonly mayReceive: boolean;
  readonly unacknowledged: number;
  deliverReceipt(receipt: Receipt, id: string): void;
  deliverStray(receipt: Receipt, id: string): void;
  flush(): void;
};

export class Account {
  readonly systemId: string;
  readonly ready = new Ring<Receipt>();
  readonly receivers: Receiver[] = [];
  #turn = 0;

  constructor(systemId: string) {
    this.systemId = systemId;
  }

  /* The next link, in turn, that can take one more; undefined when all windows are full or none is bound. */
  nextReceiver(windowMax: number): Receiver | undefined {
    for (let tried = 0; tried < this.receivers.length; tried++) {
      this.#turn = (this.#turn + 1) % this.receivers.length;
      const link = this.receivers[this.#turn]!;
      if (link.unacknowledged < windowMax) return link;
    }
    return undefined;
  }

  remove(link: Receiver): void {
    const index = this.receivers.indexOf(link);
    if (index >= 0) this.receivers.splice(index, 1);
  }
}

const FIXED_BYTES_MAX = 320;

/* The body of a deliver_sm in the text form of SMPP 3.4 appendix B, with the two TLVs that say the same. */
export function writeReceipt(out: Outgoing, sequence: number, receipt: Receipt, id: string): void {
  const text =
    `id:${id} sub:001 dlvrd:${receipt.state === 'DELIVRD' ? '001' : '000'} ` +
    `submit date:${minuteStamp(receipt.submittedAtMs)} done date:${minuteStamp(receipt.sentAtMs)} ` +
    `stat:${receipt.state} err:${receipt.error} text:`;
  out.begin(0x05, 0, sequence, FIXED_BYTES_MAX);
  out.octet(0);
  out.pair(0x0101);
  out.text(receipt.destination);
  out.octet(receipt.sourceTon);
  out.octet(receipt.sourceNpi);
  out.text(receipt.source);
  out.octet(ESM_RECEIPT);
  for (let zero = 0; zero < 8; zero++) out.octet(0);
  out.octet(text.length);
  out.bytes(text);
  out.pair(0x001e);
  out.pair(id.length + 1);
  out.text(id);
  out.pair(0x0427);
  out.pair(1);
  out.octet(STATE_NUMBERS[receipt.state]);
  out.end();
}

const TURKEY_OFFSET_MS = 3 * 3_600_000;
let stampedMinute = -1;
let stamp = '';

/* YYMMDDhhmm in Turkey's time (UTC+3 all year); the same minute is formatted once. */
function minuteStamp(atMs: number): string {
  const minute = Math.floor(atMs / 60_000);
  if (minute !== stampedMinute) {
    stampedMinute = minute;
    stamp = new Date(atMs + TURKEY_OFFSET_MS).toISOString().replace(/\D/g, '').slice(2, 12);
  }
  return stamp;
}
