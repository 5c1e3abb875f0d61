/*
 * The outcome of a message, decided by the last four digits of its destination, so that a test chooses an outcome by choosing a
 * number. The table is published: rows may be added, never changed. Error numbers are the three-digit ones that Turkish
 * operators print in `err:`.
 */
export type ReceiptState = 'ENROUTE' | 'DELIVRD' | 'EXPIRED' | 'UNDELIV' | 'REJECTD';

export type PlannedReceipt = {
  state: ReceiptState;
  error: string;
  afterMs: number;
};

export type Fate = {
  ending: string;
  meaning: string;
  shown: boolean;
  refusal: { status: number; attempts: number } | null;
  receiptBeforeAnswer: boolean;
  receipts: readonly PlannedReceipt[];
};

const STATUS_INVALID_DESTINATION = 0x0b;
const STATUS_QUEUE_FULL = 0x14;
const STATUS_THROTTLED = 0x58;

const DELAY_USUAL_MS = 50;
const ALWAYS = Number.POSITIVE_INFINITY;

function receipt(state: ReceiptState, error = '000', afterMs = DELAY_USUAL_MS): PlannedReceipt {
  return { state, error, afterMs };
}

function fate(ending: string, meaning: string, receipts: readonly PlannedReceipt[], other: Partial<Fate> = {}): Fate {
  return { ending, meaning, shown: true, refusal: null, receiptBeforeAnswer: false, receipts, ...other };
}

const refused = (status: number, attempts: number): Fate['refusal'] => ({ status, attempts });

const FATE_USUAL = fate('', 'delivered', [receipt('DELIVRD')]);

const FATES: readonly Fate[] = [
  fate('9001', 'absent subscriber', [receipt('UNDELIV', '027')], { shown: false }),
  fate('9002', 'invalid destination', [], { shown: false, refusal: refused(STATUS_INVALID_DESTINATION, ALWAYS) }),
  fate('9003', 'expired', [receipt('EXPIRED', '034')], { shown: false }),
  fate('9004', 'delivered, no receipt ever', []),
  fate('9005', 'delivered, receipt after 5 s', [receipt('DELIVRD', '000', 5000)]),
  fate('9006', 'delivered, receipt twice', [receipt('DELIVRD'), receipt('DELIVRD')]),
  fate('9007', 'throttled once, then delivered', [receipt('DELIVRD')], { refusal: refused(STATUS_THROTTLED, 1) }),
  fate('9008', 'receipt before the answer', [receipt('DELIVRD')], { receiptBeforeAnswer: true }),
  fate('9009', 'rejected', [receipt('REJECTD', '013')], { shown: false }),
  fate('9010', 'queue full twice, then delivered', [receipt('DELIVRD')], { refusal: refused(STATUS_QUEUE_FULL, 2) }),
  fate('9011', 'on its way, then delivered', [receipt('ENROUTE'), receipt('DELIVRD', '000', DELAY_USUAL_MS + 1000)]),
];

const byEnding = new Map(FATES.map(row => [row.ending, row]));

export function fateOf(destination: string): Fate {
  return byEnding.get(destination.slice(-4)) ?? FATE_USUAL;
}
