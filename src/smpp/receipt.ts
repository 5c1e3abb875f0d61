// Delivery receipts: reads them from a deliver_sm or data_sm, and writes them for the SMSC side. The text form is a convention
// (SMPP 3.4 appendix B) that every vendor varies, so the reader looks for `key:value` anywhere. The TLVs receipted_message_id,
// message_state and network_error_code take precedence over the text.
import type { PduOf } from './codec.ts';
import type { Tlv } from './tlv.ts';
import { findTlv, numberTlv, octetsTlv, textTlv, tlvNumber, tlvText } from './tlv.ts';

/** message_state 1 to 8, in this order (section 5.2.28). */
export const receiptStates = [
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
] as const;
export type ReceiptState = (typeof receiptStates)[number];

export type Receipt = {
  /** As the carrier wrote it; '' if the receipt has none. */
  messageId: string;
  /** 'UNKNOWN' also stands for unknown words and for none at all. */
  state: ReceiptState;
  /** The state in the carrier's own words; '' if it has none. */
  word: string;
  /** The carrier's error number as text; '' if it has none. */
  error: string;
  /** The carrier's digits, YYMMDDhhmm or longer, in the carrier's own time; null when none are given. */
  doneDate: string | null;
};

/** Includes written-out forms of carriers that do not keep to seven letters. */
const stateWords = new Map<string, ReceiptState>([
  ...receiptStates.map(state => [state, state] as const),
  ['DELIVERED', 'DELIVRD'],
  ['DELIVERD', 'DELIVRD'],
  ['UNDELIVERABLE', 'UNDELIV'],
  ['UNDELIVERED', 'UNDELIV'],
  ['UNDELIVRD', 'UNDELIV'],
  ['ACCEPTED', 'ACCEPTD'],
  ['REJECTED', 'REJECTD'],
  ['EN_ROUTE', 'ENROUTE'],
  ['BUFFERED', 'ENROUTE'],
  ['BUFFRED', 'ENROUTE'],
]);

/** esm_class bits 5-2: 0x04 final receipt, 0x20 intermediate notification. */
const messageTypeMask = 0x3c;
const receiptTypes = new Set([0x04, 0x20]);
/** A receipt text has about 150 octets; the reader ignores more than this. */
const textBytesMax = 1_024;
/** The longest known one has 13; a hostile one could fill a page. */
const wordCharactersMax = 20;

/** Null if the PDU is not a receipt, neither by esm_class nor by its TLVs. */
export function parseReceipt(pdu: PduOf<'deliver_sm'> | PduOf<'data_sm'>): Receipt | null {
  const tlvId = tlvText(pdu.tlvs, 'receipted_message_id');
  const tlvCode = tlvNumber(pdu.tlvs, 'message_state');
  const tlvState = receiptStates[(tlvCode ?? 0) - 1];
  const byClass = receiptTypes.has(pdu.fields.esmClass & messageTypeMask);
  if (!byClass && tlvId === undefined && tlvState === undefined) return null;
  const text = readText(receiptText(pdu));
  const word = plainWord(text.word);
  return {
    messageId: tlvId ?? text.id ?? '',
    state: tlvState ?? stateOf(word),
    word: tlvState ?? word ?? (tlvCode === undefined ? '' : `message_state ${tlvCode}`),
    error: networkError(pdu.tlvs) ?? text.error ?? '',
    doneDate: text.doneDate ?? null,
  };
}

// Keys stand at the start or after a blank, comma, semicolon or bar; values end at one of these. `done date` may be written
// `donedate` or `done_date`. A blank may follow the colon; an omitted value is not the next key (`id: sub:001`).
const nextKey = '(?:id|sub|dlvrd|submit|done|stat|err|text)[a-z _]*[:=]';
const key = (name: string, value: string) =>
  new RegExp(`(?:^|[\\s,;|])${name}\\s*[:=]\\s*(?!${nextKey})(${value})`, 'i');
const idPattern = key('id', '[^\\s,;|]+');
const statePattern = key('stat(?:us)?', '[^\\s,;|]+');
const errorPattern = key('err(?:or)?', '[^\\s,;|]+');
const doneDatePattern = key('done[ _]?date', '\\d{6,14}');
const textPattern = /(?:^|[\s,;|])text\s*[:=]/i;
// The exact form of appendix B, as most carriers write it, in one pass: 1.3 µs a receipt instead of 2.3.
const usualForm =
  /^id:([^\s,;|:=]+) sub:\d+ dlvrd:\d+ submit date:\d+ done date:(\d{6,14}) stat:([^\s,;|:=]+) err:([^\s,;|:=]+)(?: |$)/;

type TextFields = { [field in 'id' | 'doneDate' | 'word' | 'error']: string | undefined };

function readText(whole: string): TextFields {
  const usual = usualForm.exec(whole);
  if (usual) return { id: usual[1], doneDate: usual[2], word: usual[3], error: usual[4] };
  // Stops at `text:`, because the quoted message may itself contain such keys.
  const quoted = textPattern.exec(whole);
  const text = quoted === null ? whole : whole.slice(0, quoted.index);
  return {
    id: firstMatch(text, idPattern),
    doneDate: firstMatch(text, doneDatePattern),
    word: firstMatch(text, statePattern),
    error: firstMatch(text, errorPattern),
  };
}

function firstMatch(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1];
}

function plainWord(given: string | undefined): string | undefined {
  if (given === undefined || stateWords.has(given)) return given;
  return given
    .toUpperCase()
    .slice(0, wordCharactersMax)
    .replace(/[^\x21-\x7e]/g, '?');
}

function stateOf(word: string | undefined): ReceiptState {
  return stateWords.get(word ?? '') ?? 'UNKNOWN';
}

function receiptText(pdu: PduOf<'deliver_sm'> | PduOf<'data_sm'>): string {
  const short = 'shortMessage' in pdu.fields ? pdu.fields.shortMessage : undefined;
  let octets = short !== undefined && short.length > 0 ? short : findTlv(pdu.tlvs, 'message_payload');
  if (octets === undefined) return '';
  if ((pdu.fields.esmClass & 0x40) !== 0 && octets.length > 0) octets = octets.subarray(1 + (octets[0] as number));
  // Some carriers mark an ASCII text as UCS-2, others really send UCS-2: only the latter contains NULs.
  return octets.subarray(0, textBytesMax).toString('latin1').replaceAll('\0', '');
}

/** network_error_code: one octet of network type, two of code. */
function networkError(tlvs: readonly Tlv[]): string | undefined {
  const value = findTlv(tlvs, 'network_error_code');
  if (value === undefined || value.length !== 3) return undefined;
  return String(value.readUInt16BE(1)).padStart(3, '0');
}

type ReceiptDraft = {
  messageId: string;
  state: ReceiptState;
  error?: string;
  submitDate: Date;
  doneDate: Date;
  /** The start of the message, of which 20 characters are quoted. */
  text?: string;
  /** The carrier's local time; 180 = Turkey. */
  utcOffsetMinutes?: number;
  /** Adds receipted_message_id, message_state and, for a numeric error, network_error_code. */
  withTlvs?: boolean;
};

const gsmNetwork = 3;

/** The fields and TLVs of a deliver_sm that carries the receipt. */
export function formatReceipt(draft: ReceiptDraft): {
  fields: { esmClass: number; dataCoding: number; shortMessage: Buffer };
  tlvs: Tlv[];
} {
  const offset = draft.utcOffsetMinutes ?? 0;
  const delivered = draft.state === 'DELIVRD' ? '001' : '000';
  const error = draft.error ?? '000';
  const text = [
    `id:${draft.messageId} sub:001 dlvrd:${delivered}`,
    `submit date:${receiptDate(draft.submitDate, offset)} done date:${receiptDate(draft.doneDate, offset)}`,
    `stat:${draft.state} err:${error} text:${(draft.text ?? '').slice(0, 20)}`,
  ].join(' ');
  const tlvs = draft.withTlvs ? receiptTlvs(draft, error) : [];
  return { fields: { esmClass: 0x04, dataCoding: 0, shortMessage: Buffer.from(text, 'latin1') }, tlvs };
}

const stateTlvs = new Map(receiptStates.map((state, i) => [state, numberTlv('message_state', i + 1, 1)]));
const okTlv = octetsTlv('network_error_code', Buffer.from([gsmNetwork, 0, 0]));

function receiptTlvs({ messageId, state }: ReceiptDraft, error: string): Tlv[] {
  const tlvs = [textTlv('receipted_message_id', messageId), stateTlvs.get(state)!];
  if (error === '000') tlvs.push(okTlv);
  else if (/^\d{1,4}$/.test(error))
    tlvs.push(octetsTlv('network_error_code', Buffer.from([gsmNetwork, Number(error) >> 8, Number(error) & 0xff])));
  return tlvs;
}

const minuteMs = 60_000;
const datesMax = 1_000;
/** Cached by the minute, because receipts of one batch share few submission and end times. */
const dates = new Map<number, string>();

/** YYMMDDhhmm */
function receiptDate(date: Date, utcOffsetMinutes: number): string {
  const minute = Math.floor(date.getTime() / minuteMs) + utcOffsetMinutes;
  const known = dates.get(minute);
  if (known !== undefined) return known;
  const written = new Date(minute * minuteMs).toISOString().slice(2, 16).replace(/\D/g, '');
  if (dates.size >= datesMax) dates.clear();
  dates.set(minute, written);
  return written;
}
