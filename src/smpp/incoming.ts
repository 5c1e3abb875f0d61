// Decodes the frames a session receives: a request becomes a PDU for the handler or a refusal to send back, an answer becomes a
// message id or a PDU. It decides nothing about the session.
import type { Pdu } from './codec.ts';
import { decodeFrame, headerBytes } from './codec.ts';
import { PduError } from './pdu-error.ts';
import type { BindType, Side } from './pdus.ts';
import { answerName, commandName, isBindId, maySend, pdus } from './pdus.ts';
import { status } from './status.ts';

/** answerId null: there is no answer to this PDU (alert_notification, outbind). */
export class RefusedRequest {
  readonly answerId: number | null;
  readonly sequence: number;
  readonly status: number;
  readonly error: PduError | null;

  constructor(commandId: number, sequence: number, withStatus: number, error: PduError | null) {
    const command = commandName(commandId);
    const answer = command === undefined ? 'generic_nack' : answerName(command);
    this.answerId = answer === undefined ? null : pdus[answer].id;
    this.sequence = sequence;
    this.status = withStatus;
    this.error = error;
  }
}

/**
 * Decodes a request from `peer` over a session with this bind: returns the PDU, or why it is refused (body, state, unknown
 * command). From an ESME without a bind only binds are decoded.
 */
export function readRequest(
  buffer: Buffer,
  start: number,
  end: number,
  peer: Side,
  bound: BindType | null,
): Pdu | RefusedRequest {
  const commandId = buffer.readUInt32BE(start + 4);
  if (peer === 'esme' && bound === null && !isBindId(commandId))
    return new RefusedRequest(commandId, buffer.readUInt32BE(start + 12), status.ESME_RINVBNDSTS, null);
  try {
    const pdu = decodeFrame(buffer, start, end);
    if (maySend(pdu.command, peer, bound)) return pdu;
    const again = bound !== null && pdu.command.startsWith('bind_');
    const withStatus = again ? status.ESME_RALYBND : status.ESME_RINVBNDSTS;
    return new RefusedRequest(pdus[pdu.command].id, pdu.sequence, withStatus, null);
  } catch (error) {
    if (!(error instanceof PduError)) throw error;
    return new RefusedRequest(error.commandId, error.sequence, error.status, error);
  }
}

/**
 * The message_id of a submit_sm_resp, read by hand: it is the most frequent PDU of all. Liberal on purpose: the message
 * is accepted and paid for, so an id over 64 octets or without its NUL still counts.
 */
export function readMessageId(buffer: Buffer, start: number, end: number): string {
  const from = start + headerBytes;
  let to = from;
  while (to < end && buffer[to] !== 0) to++;
  return to === from ? '' : buffer.toString('latin1', from, to);
}

/** Any other answer. A nack stands for the answer expected, with empty fields, as an error answer may have. */
export function readAnswer(buffer: Buffer, start: number, end: number, answerId: number): Pdu | PduError {
  try {
    const pdu = decodeFrame(buffer, start, end);
    if (pdu.command !== 'generic_nack') return pdu;
    const bare = Buffer.alloc(headerBytes);
    bare.writeUInt32BE(answerId, 4);
    return { ...decodeFrame(bare, 0, headerBytes), status: pdu.status, sequence: pdu.sequence };
  } catch (error) {
    if (error instanceof PduError) return error;
    throw error;
  }
}
