// Encodes the body of a deliver_sm: a receipt in the form of SMPP 3.4, appendix B, with TLVs, or a message from a phone.

import { encodeBody } from '../smpp/codec.ts';
import { formatReceipt } from '../smpp/receipt.ts';
import { numberTlv, octetsTlv, type Tlv } from '../smpp/tlv.ts';
import { septetsOf } from '../text/alphabets.ts';
import { splitForAir } from '../text/split.ts';
import { turkeyOffsetMs } from '../time/clock.ts';
import type { PendingDelivery } from './outbox.ts';
import { vendorTags } from './read-submit.ts';
import { receiptState } from './statuses.ts';

const shortMessageMax = 254;
const international = { ton: 1, npi: 1 } as const;
const alphanumeric = { ton: 5, npi: 0 } as const;
/** Short codes of a network; as international numbers they would be shown with a plus. */
const shortCode = { ton: 3, npi: 0 } as const;
const shortCodeDigits = 6;
const addressLength = 20;

/** Null if the order of a receipt was removed since. */
export function deliverBody(pending: PendingDelivery): Buffer | null {
  if (pending.sender === null || pending.number === null) return null;
  return pending.text === null ? receiptBody(pending) : messageBody(pending, pending.text);
}

function receiptBody(pending: PendingDelivery): Buffer {
  const { fields, tlvs } = formatReceipt({
    messageId: String(pending.smppId),
    state: receiptState(pending.status, pending.reason),
    error: String(pending.status === 111 ? 0 : pending.reason).padStart(3, '0'),
    submitDate: pending.submitAt ?? pending.doneAt,
    doneDate: pending.doneAt,
    utcOffsetMinutes: turkeyOffsetMs / 60_000,
    withTlvs: true,
  });
  return encodeBody('deliver_sm', { ...addresses(pending), ...fields }, [...tlvs, ...references(pending)]);
}

/** The references that the customer gave with the submit. */
function references({ origin }: PendingDelivery): Tlv[] {
  const tlvs: Tlv[] = [];
  if (origin?.umr !== undefined) tlvs.push(numberTlv('user_message_reference', origin.umr & 0xffff, 2));
  if (origin?.ref !== undefined)
    tlvs.push({ tag: vendorTags.reference, value: Buffer.from(`${origin.ref}\0`, 'latin1') });
  return tlvs;
}

function messageBody(pending: PendingDelivery, text: string): Buffer {
  const isGsm7 = septetsOf(text, 'gsm7') >= 0;
  const parts = text === '' ? [] : splitForAir(text, isGsm7 ? 'gsm7' : 'ucs2', '', 'sar');
  const octets = Buffer.concat(parts.map(one => one.userData));
  const fields = { ...addresses(pending), dataCoding: isGsm7 ? 0 : 8 };
  return octets.length <= shortMessageMax
    ? encodeBody('deliver_sm', { ...fields, shortMessage: octets })
    : encodeBody('deliver_sm', fields, [octetsTlv('message_payload', octets)]);
}

/** From the phone to the recipient of its message, or to the sender of the reported one. */
function addresses(pending: PendingDelivery) {
  const from = pending.number!.replace(/^\+/, '').slice(0, addressLength);
  const to = pending.sender!.slice(0, addressLength);
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

/** Addresses are octets; other characters become question marks. */
function latin(text: string): string {
  return text.replace(/[^\x01-\xff]/g, '?');
}
