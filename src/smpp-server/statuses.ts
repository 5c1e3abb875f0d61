// Maps our codes and reasons to SMPP: the status of a refused submit, and the state and err: of a receipt.
import type { Reason } from '../orders/reasons.ts';
import type { ReceiptState } from '../smpp/receipt.ts';
import { status } from '../smpp/status.ts';
import type { StatusCode } from '../status.ts';

/** Other codes are answered ESME_RSUBMITFAIL. additional_status_info_text holds code and text. */
export const submitStatuses: Partial<Record<StatusCode, number>> = {
  450: status.ESME_RINVSRCADR,
  452: status.ESME_RINVDSTADR,
  453: status.ESME_RINVMSGLEN,
  454: status.ESME_RINVMSGLEN,
  457: status.ESME_RINVSCHED,
  468: status.ESME_RINVOPTPARAMVAL,
};

/** Answers to deliver_sm after which it is repeated; any other but 0 is final. */
export const retriedStatuses = new Set<number>([
  status.ESME_RTHROTTLED,
  status.ESME_RSYSERR,
  status.ESME_RMSGQFUL,
  status.ESME_RSUBMITFAIL,
  status.ESME_RQUERYFAIL,
  status.ESME_RX_T_APPN,
  status.ESME_RDELIVERYFAILURE,
  status.ESME_RUNKNOWNERR,
]);

/** Parts that never became a message: some were missing after ten minutes, or the whole was refused. */
export const partReasons = { incomplete: 100, refused: 101 } as const;
type ReceiptReason = Reason | (typeof partReasons)[keyof typeof partReasons];

/** How a message that was not delivered shows in receipts and query_sm; err: is the reason's own number. */
const receiptStateOf: Record<ReceiptReason, ReceiptState> = {
  0: 'UNKNOWN',
  1: 'REJECTD',
  2: 'REJECTD',
  3: 'REJECTD',
  4: 'REJECTD',
  9: 'DELETED',
  10: 'UNDELIV',
  11: 'EXPIRED',
  12: 'UNDELIV',
  13: 'REJECTD',
  14: 'UNKNOWN',
  15: 'UNKNOWN',
  16: 'DELETED',
  17: 'UNDELIV',
  18: 'EXPIRED',
  19: 'REJECTD',
  100: 'UNDELIV',
  101: 'REJECTD',
};

export function receiptState(messageStatus: number, reason: number): ReceiptState {
  return messageStatus === 111 ? 'DELIVRD' : (receiptStateOf[reason as ReceiptReason] ?? 'UNKNOWN');
}
