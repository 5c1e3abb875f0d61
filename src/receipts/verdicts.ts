// The meaning of carriers' answers: SMPP status → verdict, receipt state → end of the message. Reasons are numbers of orders/reasons.
import type { Reason } from '../orders/reasons.ts';
import type { Receipt, ReceiptState } from '../smpp/receipt.ts';

export type SubmitVerdict =
  | { kind: 'failed'; reason: Reason }
  /** The carrier cannot take this message now: retry later, a bounded number of times. */
  | { kind: 'retry'; reason: Reason }
  /** Throttled: the link slows down and sends the same message first. */
  | { kind: 'slow' }
  /** The bind is at fault; the message does not lose an attempt. */
  | { kind: 'link' };

const failed = (reason: Reason): SubmitVerdict => ({ kind: 'failed', reason });
const retry = (reason: Reason): SubmitVerdict => ({ kind: 'retry', reason });

export const submitVerdicts: Record<number, SubmitVerdict> = {
  1: failed(19), // ESME_RINVMSGLEN
  2: failed(19), // ESME_RINVCMDLEN
  3: failed(19), // ESME_RINVCMDID
  4: { kind: 'link' }, // ESME_RINVBNDSTS
  5: { kind: 'link' }, // ESME_RALYBND
  6: failed(19), // ESME_RINVPRTFLG
  7: failed(19), // ESME_RINVREGDLVFLG
  8: retry(17), // ESME_RSYSERR
  10: failed(13), // ESME_RINVSRCADR
  11: failed(12), // ESME_RINVDSTADR
  12: failed(13), // ESME_RINVMSGID
  20: retry(17), // ESME_RMSGQFUL
  51: failed(19), // ESME_RINVNUMDESTS
  67: failed(19), // ESME_RINVESMCLASS
  69: retry(13), // ESME_RSUBMITFAIL
  72: failed(13), // ESME_RINVSRCTON
  73: failed(13), // ESME_RINVSRCNPI
  80: failed(12), // ESME_RINVDSTTON
  81: failed(12), // ESME_RINVDSTNPI
  83: failed(13), // ESME_RINVSYSTYP
  88: { kind: 'slow' }, // ESME_RTHROTTLED
  97: failed(19), // ESME_RINVSCHED
  98: failed(19), // ESME_RINVEXPIRY
  100: retry(17), // ESME_RX_T_APPN
  101: failed(13), // ESME_RX_P_APPN
  102: failed(13), // ESME_RX_R_APPN
  254: retry(17), // ESME_RDELIVERYFAILURE
  255: retry(17), // ESME_RUNKNOWNERR
};

export function submitVerdict(status: number): SubmitVerdict {
  // Vendor-specific (0x400 and up) and reserved statuses have no agreed meaning, so the message is retried.
  return submitVerdicts[status] ?? retry(13);
}

/** Pauses before each retry; after the last one the message fails. */
export const retryDelaysMs = [500, 1_500, 5_000, 30_000, 120_000];

type MessageEnd = { status: 111 | 112; reason: Reason };

// UNKNOWN is not a failure: a final receipt may follow.
const receiptEnds: Record<ReceiptState, MessageEnd | null> = {
  ENROUTE: null,
  ACCEPTD: null,
  UNKNOWN: null,
  DELIVRD: { status: 111, reason: 0 },
  EXPIRED: { status: 112, reason: 11 },
  DELETED: { status: 112, reason: 16 },
  UNDELIV: { status: 112, reason: 10 },
  REJECTD: { status: 112, reason: 13 },
};

// Error numbers published by Turkish operators that are more precise than the state.
const undeliverableErrors: Record<number, Reason> = {
  1: 12,
  6: 10,
  11: 12,
  13: 12,
  27: 10,
  31: 10,
  2048: 11,
  4100: 11,
  4101: 11,
  2050: 13,
};

/** null: an intermediate state, the message has not ended. */
export function receiptEnd(receipt: Pick<Receipt, 'state' | 'error'>): MessageEnd | null {
  const end = receiptEnds[receipt.state];
  if (receipt.state !== 'UNDELIV' || !end) return end;
  return { status: 112, reason: undeliverableErrors[Number(receipt.error)] ?? end.reason };
}
