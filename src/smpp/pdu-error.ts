// The two errors of this folder. PduError: bytes (or field values) that are not a valid PDU. SmppError: a request that gets no
// usable answer. Callers must expect both; neither is a bug of the caller.
import { statusName } from './status.ts';

/**
 * `recoverable`: the byte stream is still in step. A bad body of a well framed PDU is answered with `status` and the session
 * continues; a bad length is fatal, because the start of the next PDU is unknown.
 */
export class PduError extends Error {
  readonly recoverable: boolean;
  readonly status: number;
  readonly commandId: number;
  readonly sequence: number;

  constructor(message: string, status: number, at: { recoverable?: boolean; commandId?: number; sequence?: number }) {
    super(`${message} (${statusName(status)})`);
    this.name = 'PduError';
    this.recoverable = at.recoverable ?? true;
    this.status = status;
    this.commandId = at.commandId ?? 0;
    this.sequence = at.sequence ?? 0;
  }
}

/**
 * closed: the link went away; timeout: no answer in time; window: no room in the send window; state: not allowed in
 * the session's state; answer: the answer came but could not be decoded.
 */
type SmppErrorReason = 'closed' | 'timeout' | 'window' | 'state' | 'answer';

export class SmppError extends Error {
  readonly reason: SmppErrorReason;

  constructor(reason: SmppErrorReason, message: string) {
    super(message);
    this.name = 'SmppError';
    this.reason = reason;
  }
}

/** The peer answered the bind with a status other than 0. */
export class BindError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`bind refused: ${statusName(status)}`);
    this.name = 'BindError';
    this.status = status;
  }
}
