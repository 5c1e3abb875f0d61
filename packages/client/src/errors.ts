// The three ways in which a call fails: the server refused it (PeykError, by code), the outcome is unknown
// (PeykUnavailable), or only part of a divided list was accepted (PeykPartlyDone). None of them contains credentials.
import type { ErrorCode, OperationName } from './wire.ts';

/** The server refused; nothing was done. `message` is its Turkish text. */
export class PeykError<Code extends number = ErrorCode> extends Error {
  override readonly name = 'PeykError';
  readonly operation: OperationName;
  readonly code: Code;
  /** For 422: field → Turkish text. */
  readonly fields: Record<string, string>;

  constructor(operation: OperationName, code: Code, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.operation = operation;
    this.code = code;
    this.fields = fields;
  }
}

/** Whether the server refused with one of these codes (with any code if none is given). */
export function isPeykError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PeykError<Code> {
  return error instanceof PeykError && (codes.length === 0 || codes.some(code => code === error.code));
}

/** No usable answer: no connection, a time limit, a failing server, or another program at that address. */
export class PeykUnavailable extends Error {
  override readonly name = 'PeykUnavailable';
  readonly operation: OperationName;
  readonly attempts: number;
  /** Status of the last answer; null if there was none. */
  readonly httpStatus: number | null;
  /** Whether the operation may have been executed nevertheless; never true for operations that only read. */
  readonly unsure: boolean;
  /** For send-sms: a retry with this key sends the order at most once. */
  readonly idempotencyKey: string | undefined;

  constructor(facts: {
    operation: OperationName;
    attempts: number;
    httpStatus: number | null;
    unsure: boolean;
    idempotencyKey: string | undefined;
    cause: unknown;
  }) {
    const why = facts.httpStatus === null ? reasonOf(facts.cause) : `HTTP ${facts.httpStatus}`;
    super(`${facts.operation} was not answered: ${why}`, { cause: facts.cause });
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.httpStatus = facts.httpStatus;
    this.unsure = facts.unsure;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

/** A list was divided into several requests: `done` was accepted, then `cause` happened. */
export class PeykPartlyDone<Done> extends Error {
  override readonly name = 'PeykPartlyDone';
  /** Orders: their ids. Consents: how many records from the beginning of the list. */
  readonly done: Done;
  /** For orders: a retry with this key sends only the missing ones. */
  readonly idempotencyKey: string | undefined;

  constructor(done: Done, cause: unknown, idempotencyKey?: string) {
    super(`taken in part: ${reasonOf(cause)}`, { cause });
    this.done = done;
    this.idempotencyKey = idempotencyKey;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message
    ? `${cause.message} (${cause.cause.message})`
    : cause.message;
}
