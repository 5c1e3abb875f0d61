// Encodes the body of a deliver_sm: a receipt in the form of SMPP 3.4, appendix B, with TLVs, or a message from a phone.

import { smppAddress } from '../smpp/address.ts';
import { encodeBody } from '../smpp/codec.ts';
import { formatReceipt } from '../smpp/receipt.ts';
import { numberTlv, octetsTlv, type Tlv, textTlv } from '../smpp/tlv.ts';
import { septetsOf } from '../text/alphabets.ts';
import { splitForAir } from '../text/split.ts';
import { turkeyOffsetMs } from '../time/clock.ts';
import type { PendingDelivery } from './outbox.ts';
import { vendorTags } from './read-submit.ts';
import { receiptState } from './statuses.ts';

const shortMessageMax = 254;

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
  return [
    ...(origin?.umr === undefined ? [] : [numberTlv('user_message_reference', origin.umr & 0xffff, 2)]),
    ...(origin?.ref === undefined ? [] : [textTlv(vendorTags.reference, origin.ref)]),
  ];
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
  const from = smppAddress(pending.number!.replace(/^\+/, ''));
  const to = smppAddress(pending.sender!);
  return {
    sourceAddrTon: from.ton,
    sourceAddrNpi: from.npi,
    sourceAddr: from.address,
    destAddrTon: to.ton,
    destAddrNpi: to.npi,
    destinationAddr: to.address,
  };
}
