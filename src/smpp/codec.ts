// Turns PDUs into octets and back, driven by the table in pdus.ts. The only errors that leave this file are
// PduErrors, whatever the bytes are. Text is read and written as Latin-1, so no octet is ever lost or changed.
// Decoded octet strings and TLV values are views into the given buffer: copy what must outlive it.
import { PduError } from './pdu-error.ts';
import type { CommandName, Destination, FailedDestination, Field, FieldsOf, PduSpec } from './pdus.ts';
import { commandName, isResponseId, pdus } from './pdus.ts';
import { status } from './status.ts';
import type { Tlv } from './tlv.ts';
import { readTlvs, tlvsBytes, writeTlvs } from './tlv.ts';

export type PduOf<C extends CommandName> = {
  command: C;
  status: number;
  sequence: number;
  fields: FieldsOf<C>;
  tlvs: Tlv[];
};
/** A union over `command`: testing it narrows `fields`. */
export type Pdu = { [C in CommandName]: PduOf<C> }[CommandName];

/** What encodePdu takes: fields left out are 0, '' or empty. */
export type PduDraft<C extends CommandName = CommandName> = {
  command: C;
  status?: number;
  sequence: number;
  fields?: Partial<FieldsOf<C>>;
  tlvs?: readonly Tlv[];
};

export const headerBytes = 16;
/** The longest PDU we send or take: a message_payload of 64,000 octets and everything else around it. */
export const pduBytesMax = 65_536;

type Values = Record<string, unknown>;

const noOctets = Buffer.alloc(0);
// Reused for every encode: mandatory fields stay far below it (254 + 255 × 24 octets), TLVs are checked.
const scratch = Buffer.allocUnsafeSlow(pduBytesMax);
// Position of the field readers. A module variable, because returning pairs costs an object per field.
let at = 0;

export function encodePdu<C extends CommandName>(pdu: PduDraft<C>): Buffer {
  const body = encodeBody(pdu.command, pdu.fields ?? {}, pdu.tlvs);
  const frame = Buffer.allocUnsafe(headerBytes + body.length);
  writeHeader(frame, 0, frame.length, pdus[pdu.command].id, pdu.status ?? 0, pdu.sequence);
  body.copy(frame, headerBytes);
  return frame;
}

export function writeHeader(out: Buffer, to: number, bytes: number, id: number, status: number, sequence: number) {
  out.writeUInt32BE(bytes, to);
  out.writeUInt32BE(id, to + 4);
  out.writeUInt32BE(status, to + 8);
  out.writeUInt32BE(sequence, to + 12);
}

/** Everything after the header. The result is a view of a shared buffer, valid until the next encode: copy it. */
export function encodeBody(command: CommandName, fields: object, tlvs: readonly Tlv[] = []): Buffer {
  const spec: PduSpec = pdus[command];
  const values = fields as Values;
  let to = 0;
  for (const field of spec.fields) to = writeField(field, values[field.name], to);
  if (to + tlvsBytes(tlvs) > pduBytesMax - headerBytes) {
    throw new PduError(`${command} over ${pduBytesMax} octets`, status.ESME_RINVCMDLEN, {});
  }
  return scratch.subarray(0, writeTlvs(scratch, to, tlvs));
}

function writeField(field: Field, value: unknown, to: number): number {
  switch (field.kind) {
    case 'u8':
      return writeU8(field, (value as number | undefined) ?? 0, to);
    case 'cstring':
      return writeCString(field, (value as string | undefined) ?? '', to);
    case 'octets':
      return writeOctets(field, (value as Buffer | undefined) ?? noOctets, to);
    case 'destinations':
      return writeDestinations(field, (value as Destination[] | undefined) ?? [], to);
    case 'failures':
      return writeFailures(field, (value as FailedDestination[] | undefined) ?? [], to);
  }
}

function writeU8(field: Field, value: number, to: number): number {
  if (value < 0 || value > 255 || !Number.isInteger(value)) throw bad(field, 'is no octet');
  scratch[to] = value;
  return to + 1;
}

function writeCString(field: Field, value: string, to: number): number {
  if (value.length >= field.bytesMax) throw bad(field, `is over ${field.bytesMax - 1} characters`);
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 0 || code > 255) throw bad(field, 'holds a character that is no octet');
    scratch[to + i] = code;
  }
  scratch[to + value.length] = 0;
  return to + value.length + 1;
}

function writeOctets(field: Field, value: Buffer, to: number): number {
  if (value.length > field.bytesMax) throw bad(field, `is over ${field.bytesMax} octets`);
  scratch[to] = value.length;
  value.copy(scratch, to + 1);
  return to + 1 + value.length;
}

function writeDestinations(field: Field, list: readonly Destination[], to: number): number {
  to = writeU8(field, list.length, to);
  for (const item of list) {
    if ('listName' in item) {
      scratch[to] = 2;
      to = writeCString(field, item.listName, to + 1);
    } else {
      scratch[to] = 1;
      to = writeU8(field, item.ton, to + 1);
      to = writeU8(field, item.npi, to);
      to = writeCString(field, item.address, to);
    }
  }
  return to;
}

function writeFailures(field: Field, list: readonly FailedDestination[], to: number): number {
  to = writeU8(field, list.length, to);
  for (const item of list) {
    to = writeU8(field, item.ton, to);
    to = writeU8(field, item.npi, to);
    to = writeCString(field, item.address, to);
    to = scratch.writeUInt32BE(item.status >>> 0, to);
  }
  return to;
}

/** One whole frame, as its own buffer. */
export function decodePdu(frame: Buffer): Pdu {
  if (frame.length < headerBytes || frame.readUInt32BE(0) !== frame.length) {
    throw new PduError('frame length differs from command_length', status.ESME_RINVCMDLEN, { recoverable: false });
  }
  return decodeFrame(frame, 0, frame.length);
}

/** The frame at [start, end) of a buffer, its length already checked by the framer. */
export function decodeFrame(buffer: Buffer, start: number, end: number): Pdu {
  const commandId = buffer.readUInt32BE(start + 4);
  const sequence = buffer.readUInt32BE(start + 12);
  const command = commandName(commandId);
  if (command === undefined) {
    const shown = commandId.toString(16).padStart(8, '0');
    throw new PduError(`unknown command_id 0x${shown}`, status.ESME_RINVCMDID, { commandId, sequence });
  }
  try {
    at = start + headerBytes;
    const fields = isMessage(commandId)
      ? readMessage(buffer, end)
      : readFields(pdus[command], buffer, end, isResponseId(commandId));
    const tlvs = at < end ? readTlvs(buffer, at, end) : [];
    return { command, status: buffer.readUInt32BE(start + 8), sequence, fields, tlvs } as unknown as Pdu;
  } catch (error) {
    if (!(error instanceof PduError)) throw error;
    throw new PduError(`${command}: ${error.message}`, error.status, { commandId, sequence });
  }
}

/**
 * Responses are read leniently, because the header already has the status: an absent body (usual with a status other than 0,
 * seen with 0) reads as empty fields, and the PDU's end also ends a C-octet string.
 */
function readFields(spec: PduSpec, buffer: Buffer, end: number, lenient: boolean): Values {
  const values: Values = {};
  for (const field of spec.fields) {
    if (lenient && at === end) values[field.name] = emptyValue(field);
    else values[field.name] = readField(field, buffer, end, lenient);
  }
  return values;
}

const isMessage = (commandId: number) => commandId === pdus.submit_sm.id || commandId === pdus.deliver_sm.id;
const messageFields = Object.fromEntries(pdus.submit_sm.fields.map(field => [field.name, field])) as {
  [N in keyof FieldsOf<'submit_sm'>]: Field<N>;
};

/**
 * readFields for the two most frequent PDUs. An object literal has one fixed shape; filling an empty object name by name took a
 * fifth of the receiving side's CPU. A test compares it with the table.
 */
function readMessage(buffer: Buffer, end: number): FieldsOf<'submit_sm'> {
  const f = messageFields;
  return {
    serviceType: readCString(f.serviceType, buffer, end, false),
    sourceAddrTon: readU8(f.sourceAddrTon, buffer, end),
    sourceAddrNpi: readU8(f.sourceAddrNpi, buffer, end),
    sourceAddr: readCString(f.sourceAddr, buffer, end, false),
    destAddrTon: readU8(f.destAddrTon, buffer, end),
    destAddrNpi: readU8(f.destAddrNpi, buffer, end),
    destinationAddr: readCString(f.destinationAddr, buffer, end, false),
    esmClass: readU8(f.esmClass, buffer, end),
    protocolId: readU8(f.protocolId, buffer, end),
    priorityFlag: readU8(f.priorityFlag, buffer, end),
    scheduleDeliveryTime: readCString(f.scheduleDeliveryTime, buffer, end, false),
    validityPeriod: readCString(f.validityPeriod, buffer, end, false),
    registeredDelivery: readU8(f.registeredDelivery, buffer, end),
    replaceIfPresentFlag: readU8(f.replaceIfPresentFlag, buffer, end),
    dataCoding: readU8(f.dataCoding, buffer, end),
    smDefaultMsgId: readU8(f.smDefaultMsgId, buffer, end),
    shortMessage: readOctets(f.shortMessage, buffer, end),
  };
}

function emptyValue(field: Field): unknown {
  if (field.kind === 'u8') return 0;
  if (field.kind === 'cstring') return '';
  return field.kind === 'octets' ? noOctets : [];
}

function readField(field: Field, buffer: Buffer, end: number, lenient: boolean): unknown {
  switch (field.kind) {
    case 'u8':
      return readU8(field, buffer, end);
    case 'cstring':
      return readCString(field, buffer, end, lenient);
    case 'octets':
      return readOctets(field, buffer, end);
    case 'destinations':
      return readDestinations(field, buffer, end);
    case 'failures':
      return readFailures(field, buffer, end);
  }
}

function readU8(field: Field, buffer: Buffer, end: number): number {
  if (at >= end) throw bad(field, 'is cut off', status.ESME_RINVCMDLEN);
  return buffer[at++] as number;
}

function readCString(field: Field, buffer: Buffer, end: number, lenient: boolean): string {
  const start = at;
  const limit = Math.min(end, start + field.bytesMax);
  let stop = start;
  while (stop < limit && buffer[stop] !== 0) stop++;
  if (stop < limit) at = stop + 1;
  else if (lenient && stop === end) at = end;
  else if (stop === end) throw bad(field, 'is cut off', status.ESME_RINVCMDLEN);
  else throw bad(field, `has no NUL within ${field.bytesMax} octets`);
  return stop === start ? '' : buffer.toString('latin1', start, stop);
}

function readOctets(field: Field, buffer: Buffer, end: number): Buffer {
  const length = readU8(field, buffer, end);
  const start = at;
  if (length > field.bytesMax || start + length > end) throw bad(field, `claims ${length} octets`);
  at = start + length;
  return length === 0 ? noOctets : buffer.subarray(start, at);
}

// Both lists count with one octet: 255 items at most.
function readDestinations(field: Field, buffer: Buffer, end: number): Destination[] {
  const list: Destination[] = [];
  for (let left = readU8(field, buffer, end); left > 0; left--) {
    const flag = readU8(field, buffer, end);
    if (flag === 2) list.push({ listName: readCString(field, buffer, end, false) });
    else if (flag === 1) list.push(readAddress(field, buffer, end));
    else throw bad(field, `has dest_flag ${flag}`, status.ESME_RINVDESTFLAG);
  }
  return list;
}

function readFailures(field: Field, buffer: Buffer, end: number): FailedDestination[] {
  const list: FailedDestination[] = [];
  for (let left = readU8(field, buffer, end); left > 0; left--) {
    const address = readAddress(field, buffer, end);
    if (at + 4 > end) throw bad(field, 'is cut off', status.ESME_RINVCMDLEN);
    list.push({ ...address, status: buffer.readUInt32BE(at) });
    at += 4;
  }
  return list;
}

function readAddress(field: Field, buffer: Buffer, end: number): { ton: number; npi: number; address: string } {
  const ton = readU8(field, buffer, end);
  const npi = readU8(field, buffer, end);
  return { ton, npi, address: readCString(field, buffer, end, false) };
}

function bad(field: Field, what: string, withStatus: number = field.badStatus): PduError {
  return new PduError(`${field.name} ${what}`, withStatus, {});
}
