// What can go wrong, as three classes: the server said no (PeykError, by code), nobody knows (PeykUnavailable), and a list that
// was split was taken in part (PeykPartlyDone). None of them carries credentials.
import type { ErrorCode, OperationName } from './wire.ts';

/** The server refused; nothing was done. `message` is its Turkish text. */
export class PeykError<Code extends number = ErrorCode> extends Error {
  override readonly name = 'PeykError';
  readonly operation: OperationName;
  readonly code: Code;
  /** Of 422: field → Turkish text. */
  readonly fields: Record<string, string>;

  constructor(operation: OperationName, code: Code, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.operation = operation;
    this.code = code;
    this.fields = fields;
  }
}

/** Whether the server refused with one of these codes (any, where none is given). */
export function isPeykError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PeykError<Code> {
  return error instanceof PeykError && (codes.length === 0 || codes.some(code => code === error.code));
}

/** No answer that can be trusted: no connection, a time limit, a server in trouble, something else at that address. */
export class PeykUnavailable extends Error {
  override readonly name = 'PeykUnavailable';
  readonly operation: OperationName;
  readonly attempts: number;
  /** Of the last answer; null = there was none. */
  readonly httpStatus: number | null;
  /** Whether the operation may have been carried out all the same; never true of what only reads. */
  readonly unsure: boolean;
  /** Of send-sms: asked again with it, the order is sent at most once. */
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

/** A list that was split: `done` was taken, then `cause` happened. */
export class PeykPartlyDone<Done> extends Error {
  override readonly name = 'PeykPartlyDone';
  /** Orders: their ids. Consents: how many records from the beginning of the list. */
  readonly done: Done;
  /** Of orders: the same call again with this key sends only what is missing. */
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
