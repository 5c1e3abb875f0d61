// The body of a deliver_sm: a receipt in the form of appendix B with its TLVs, or a message from a phone.

import { encodeBody } from '../smpp/codec.ts';
import { formatReceipt } from '../smpp/receipt.ts';
import { numberTlv, octetsTlv, type Tlv } from '../smpp/tlv.ts';
import { septetsOf } from '../text/alphabets.ts';
import { splitForAir } from '../text/split.ts';
import { turkeyOffsetMs } from '../time/clock.ts';
import type { Owed } from './outbox.ts';
import { vendorTags } from './read-submit.ts';
import { receiptState } from './statuses.ts';

const shortMessageMax = 254;
const international = { ton: 1, npi: 1 } as const;
const alphanumeric = { ton: 5, npi: 0 } as const;
/** Numbers of a network alone; as international ones they would be given a plus. */
const shortCode = { ton: 3, npi: 0 } as const;
const shortCodeDigits = 6;
const addressLength = 20;

/** null when what it tells of is no longer there. */
export function deliverBody(owed: Owed): Buffer | null {
  if (owed.sender === null || owed.number === null) return null;
  return owed.text === null ? receiptBody(owed) : messageBody(owed, owed.text);
}

function receiptBody(owed: Owed): Buffer {
  const { fields, tlvs } = formatReceipt({
    messageId: String(owed.smppId),
    state: receiptState(owed.status, owed.reason),
    error: String(owed.status === 111 ? 0 : owed.reason).padStart(3, '0'),
    submitDate: owed.submitAt ?? owed.doneAt,
    doneDate: owed.doneAt,
    utcOffsetMinutes: turkeyOffsetMs / 60_000,
    withTlvs: true,
  });
  return encodeBody('deliver_sm', { ...addresses(owed), ...fields }, [...tlvs, ...references(owed)]);
}

/** What the customer gave with the submit comes back with its receipts. */
function references({ origin }: Owed): Tlv[] {
  const tlvs: Tlv[] = [];
  if (origin?.umr !== undefined) tlvs.push(numberTlv('user_message_reference', origin.umr & 0xffff, 2));
  if (origin?.ref !== undefined)
    tlvs.push({ tag: vendorTags.reference, value: Buffer.from(`${origin.ref}\0`, 'latin1') });
  return tlvs;
}

function messageBody(owed: Owed, text: string): Buffer {
  const isPlain = septetsOf(text, 'gsm7') >= 0;
  const parts = text === '' ? [] : splitForAir(text, isPlain ? 'gsm7' : 'ucs2', '', 'sar');
  const octets = Buffer.concat(parts.map(one => one.userData));
  const fields = { ...addresses(owed), dataCoding: isPlain ? 0 : 8 };
  return octets.length <= shortMessageMax
    ? encodeBody('deliver_sm', { ...fields, shortMessage: octets })
    : encodeBody('deliver_sm', fields, [octetsTlv('message_payload', octets)]);
}

/** From the phone to whom it was written to, or whose message is reported. */
function addresses(owed: Owed) {
  const from = owed.number!.replace(/^\+/, '').slice(0, addressLength);
  const to = owed.sender!.slice(0, addressLength);
  const source = kindOf(from);
  const target = kindOf(to);
  return {
    sourceAddrTon: source.ton,
    sourceAddrNpi: source.npi,
    sourceAddr: latin(from),
    destAddrTon: target.ton,
    destAddrNpi: target.npi,
    destinationAddr: latin(to),
  };
}

function kindOf(address: string): { ton: number; npi: number } {
  if (!/^\d+$/.test(address)) return alphanumeric;
  return address.length <= shortCodeDigits ? shortCode : international;
}

/** Addresses are octets: whatever is none shows as a question mark. */
function latin(text: string): string {
  return text.replace(/[^\x01-\xff]/g, '?');
}
