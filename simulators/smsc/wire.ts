/*
 * SMPP 3.4 octets as the message centre reads and writes them. It does not use src/smpp on purpose: two independent codecs show each
 * other's mistakes, which a shared one would hide, and a centre that misbehaves on command cannot use a session that follows the rules.
 * Only what a centre needs is here, read in place without building objects per field.
 */
export const HEADER_BYTES = 16;
export const PDU_BYTES_MAX = 65_536;
export const RESPONSE_BIT = 0x80000000;

export const COMMAND = {
  genericNack: 0x80000000,
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  querySm: 0x03,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  replaceSm: 0x07,
  cancelSm: 0x08,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
  submitMulti: 0x21,
  dataSm: 0x103,
} as const;

export const STATUS = {
  ok: 0x00,
  invalidMessageLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  wrongBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  cancelFailed: 0x11,
  replaceFailed: 0x13,
  queueFull: 0x14,
  throttled: 0x58,
  queryFailed: 0x67,
} as const;

export const ESM_HAS_HEADER = 0x40;
export const ESM_RECEIPT = 0x04;

const ADDRESS_MAX = 20;
const DATA_SM_ADDRESS_MAX = 64;
const SHORT_MESSAGE_MAX = 254;
const TLV = { sarReference: 0x020c, sarTotal: 0x020e, sarSequence: 0x020f, payload: 0x0424 };

/*
 * One is made per connection and overwritten by every message. An equal sender or text keeps the string
 * of the message before: neighbours in a campaign then share it wherever it is stored.
 */
export class Submit {
  source = '';
  sourceTon = 0;
  sourceNpi = 0;
  destination = '';
  esmClass = 0;
  registeredDelivery = 0;
  dataCoding = 0;
  userData = '';
  sarReference = -1;
  sarTotal = 0;
  sarSequence = 0;
}

/* A cursor over one frame. Reading past the end sets `broken` and yields empty values, never throws. */
export class Reader {
  frame: Buffer = Buffer.alloc(0);
  at = 0;
  end = 0;
  broken = false;

  open(frame: Buffer, start: number, end: number): this {
    this.frame = frame;
    this.at = start;
    this.end = end;
    this.broken = false;
    return this;
  }

  octet(): number {
    if (this.at < this.end) return this.frame[this.at++]!;
    this.broken = true;
    return 0;
  }

  /* A string that ends with a zero octet; without one inside the frame the whole frame is broken. */
  text(): string {
    const start = this.at;
    let at = start;
    while (at < this.end && this.frame[at] !== 0) at++;
    if (at >= this.end) {
      this.broken = true;
      this.at = this.end;
      return '';
    }
    this.at = at + 1;
    return at === start ? '' : this.frame.toString('latin1', start, at);
  }

  bytes(count: number): string {
    if (this.at + count > this.end) {
      this.broken = true;
      return '';
    }
    this.at += count;
    return count === 0 ? '' : this.frame.toString('latin1', this.at - count, this.at);
  }

  rest(): number {
    return this.end - this.at;
  }
}

/* Fills `into` from the body of a submit_sm; the answer is the command_status to refuse with, 0 if sound. */
export function readSubmit(reader: Reader, into: Submit): number {
  reader.text();
  readSource(reader, into);
  readDestination(reader, into);
  into.esmClass = reader.octet();
  reader.octet();
  reader.octet();
  reader.text();
  reader.text();
  into.registeredDelivery = reader.octet();
  reader.octet();
  into.dataCoding = reader.octet();
  reader.octet();
  const length = reader.octet();
  const userData = reader.bytes(length);
  if (userData !== into.userData) into.userData = userData;
  readOptional(reader, into);
  if (length > SHORT_MESSAGE_MAX) return STATUS.invalidMessageLength;
  return verdict(reader, into, ADDRESS_MAX);
}

/* data_sm: the same message with its text only in message_payload. */
export function readData(reader: Reader, into: Submit): number {
  reader.text();
  readSource(reader, into);
  readDestination(reader, into);
  into.esmClass = reader.octet();
  into.registeredDelivery = reader.octet();
  into.dataCoding = reader.octet();
  into.userData = '';
  readOptional(reader, into);
  return verdict(reader, into, DATA_SM_ADDRESS_MAX);
}

function readSource(reader: Reader, into: Submit): void {
  into.sourceTon = reader.octet();
  into.sourceNpi = reader.octet();
  const source = reader.text();
  if (source !== into.source) into.source = source;
}

function readDestination(reader: Reader, into: Submit): void {
  reader.octet();
  reader.octet();
  const destination = reader.text();
  into.destination = destination.charCodeAt(0) === 0x2b ? destination.slice(1) : destination;
}

function readOptional(reader: Reader, into: Submit): void {
  into.sarReference = -1;
  into.sarTotal = 0;
  into.sarSequence = 0;
  while (!reader.broken && reader.rest() > 0) {
    const tag = (reader.octet() << 8) | reader.octet();
    const value = reader.bytes((reader.octet() << 8) | reader.octet());
    if (tag === TLV.payload && value !== '') into.userData = value;
    else if (tag === TLV.sarReference && value.length === 2)
      into.sarReference = (value.charCodeAt(0) << 8) | value.charCodeAt(1);
    else if (tag === TLV.sarTotal && value.length === 1) into.sarTotal = value.charCodeAt(0);
    else if (tag === TLV.sarSequence && value.length === 1) into.sarSequence = value.charCodeAt(0);
  }
}

function verdict(reader: Reader, submit: Submit, addressMax: number): number {
  if (reader.broken) return STATUS.invalidCommandLength;
  if (submit.source.length > addressMax) return STATUS.invalidSource;
  if (!isNumber(submit.destination) || submit.destination.length > addressMax) return STATUS.invalidDestination;
  return STATUS.ok;
}

function isNumber(address: string): boolean {
  for (let index = 0; index < address.length; index++) {
    const code = address.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return address.length > 0;
}
