// Reads submit_sm, submit_multi and data_sm. What acceptance checks is not checked here. The text is taken as it was submitted: no
// characters are replaced, whatever the mode of the account.
import type { RecipientType } from '../consent/record.ts';
import type { PduOf } from '../smpp/codec.ts';
import type { Destination } from '../smpp/pdus.ts';
import { readSar } from '../smpp/sar.ts';
import { status } from '../smpp/status.ts';
import { readSmppTime } from '../smpp/time.ts';
import { findTlv, type Tlv, tlvNumber, tlvText } from '../smpp/tlv.ts';
import { type Concat, decodeUserData, isHeaderWhole } from '../text/decode.ts';

export type SubmitPdu = PduOf<'submit_sm'> | PduOf<'submit_multi'> | PduOf<'data_sm'>;

/** What is stored of a submit with its order or part: user, receipts (0 none, 1 all, 2 failures), references. */
export type Origin = { u: number; r: 0 | 1 | 2; ref?: string; umr?: number };

export type Submit = {
  sender: string;
  recipients: string[];
  /** Destinations that are names of distribution lists, which we do not have. */
  listNames: string[];
  text: string;
  concat: Concat | null;
  sendAt: Date | null | 'malformed';
  /** Undefined: the setting of the user applies. */
  list: RecipientType | null | 'unclear' | undefined;
  origin: Origin;
};

/** Vendor TLVs: the customer's own reference, repeated in receipts, and the consent list of this message. */
export const vendorTags = { reference: 0x1400, consentList: 0x1401 } as const;
const referenceLength = 64;
/** Bounds what is stored of one message; more than a text of ours may have. */
const segmentsMax = 20;

/** From SMPP 5.0; 3.4 has no status for an unknown data_coding. */
const badDataCoding = 0x104;
// The alphabet of each data_coding: GSM-7 (0), IA5 and Latin-1 (1, read as they are), UCS-2 (8); with message classes too.
const alphabets = new Map<number, 0 | 1 | 8>([
  [0x00, 0],
  [0x01, 1],
  [0x03, 1],
  [0x08, 8],
  ...[0x10, 0x11, 0x12, 0x13, 0xf0, 0xf1, 0xf2, 0xf3].map(coding => [coding, 0] as const),
  ...[0x18, 0x19, 0x1a, 0x1b].map(coding => [coding, 8] as const),
]);

/** The submit, or the status of its refusal. */
export function readSubmit(pdu: SubmitPdu, userId: number, now: Date): Submit | number {
  const { fields, tlvs } = pdu;
  const alphabet = alphabets.get(fields.dataCoding);
  if (alphabet === undefined) return badDataCoding;
  const octets = findTlv(tlvs, 'message_payload') ?? ('shortMessage' in fields ? fields.shortMessage : Buffer.alloc(0));
  const hasHeader = (fields.esmClass & 0x40) !== 0;
  if (hasHeader && !isHeaderWhole(octets)) return status.ESME_RINVESMCLASS;
  const { text, concat } = decodeUserData(octets, alphabet, hasHeader);
  const segment = concat ?? readSar(tlvs);
  if (segment === 'malformed' || (segment && segment.total > segmentsMax)) return status.ESME_RINVOPTPARAMVAL;
  const [scheduled, validity] =
    'validityPeriod' in fields ? [fields.scheduleDeliveryTime, fields.validityPeriod] : ['', ''];
  if (readSmppTime(validity, now) === 'malformed') return status.ESME_RINVEXPIRY;
  return {
    sender: fields.sourceAddr,
    ...destinationsOf(pdu),
    text,
    concat: segment && segment.total > 1 ? segment : null,
    sendAt: readSmppTime(scheduled, now),
    list: readList(tlvs),
    origin: originOf(userId, fields.registeredDelivery, tlvs),
  };
}

function destinationsOf(pdu: SubmitPdu): Pick<Submit, 'recipients' | 'listNames'> {
  if (pdu.command !== 'submit_multi') return { recipients: [pdu.fields.destinationAddr], listNames: [] };
  const all: Destination[] = pdu.fields.destAddresses;
  return {
    recipients: all.flatMap(one => ('address' in one ? [one.address] : [])),
    listNames: all.flatMap(one => ('listName' in one ? [one.listName] : [])),
  };
}

function originOf(userId: number, registered: number, tlvs: readonly Tlv[]): Origin {
  const requested = registered & 3;
  const origin: Origin = { u: userId, r: requested === 3 ? 1 : (requested as 0 | 1 | 2) };
  if (tlvs.length === 0) return origin;
  const reference = vendorText(tlvs, vendorTags.reference);
  if (reference) origin.ref = reference.slice(0, referenceLength);
  const message = tlvNumber(tlvs, 'user_message_reference');
  if (message !== undefined) origin.umr = message;
  return origin;
}

const lists: Record<string, RecipientType | null> = { '': null, '0': null, BIREYSEL: 'BIREYSEL', TACIR: 'TACIR' };

function readList(tlvs: readonly Tlv[]): Submit['list'] {
  const given = vendorText(tlvs, vendorTags.consentList);
  if (given === undefined) return undefined;
  return Object.hasOwn(lists, given) ? lists[given]! : 'unclear';
}

function vendorText(tlvs: readonly Tlv[], tag: number): string | undefined {
  return tlvText(tlvs, tag)?.replace(/[^\x20-\x7e]/g, '?');
}
