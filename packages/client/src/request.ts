// Performs one operation: the envelope, and retries where they are safe. Reads are retried; so is send-sms, because
// each order carries an idempotency key, and add-blacklist, which changes nothing the second time. Other operations are
// sent once: after a lost answer a retry would report a wrong refusal (455, 474) or store a second record.
import { PeykError, PeykUnavailable } from './errors.ts';
import { type Answers, type ErrorCode, type OperationName, operations, type Requests } from './wire.ts';

export type ClientOptions = {
  /** `https://sms.example.com`, without /v1. */
  baseUrl: string;
  key: string;
  hash: string;
  /** Time limit of one attempt; default 60 s, because a list of 50,000 may wait for its turn. */
  timeoutMs?: number;
  /** Attempts of operations that may be retried; default 4. */
  attempts?: number;
  /** The first pause, doubled each time up to 30 s, with jitter; default 500 ms. */
  pauseMs?: number;
  fetch?: typeof globalThis.fetch;
};

export type CallOptions = {
  signal?: AbortSignal;
  idempotencyKey?: string;
};

type Kind = 'reads' | 'repeatable' | 'once';
const kinds: Record<OperationName, Kind> = {
  'send-sms': 'repeatable',
  'cancel-order': 'once',
  'get-report': 'reads',
  'get-reports': 'reads',
  'get-balance': 'reads',
  'get-sender': 'reads',
  'get-blacklist': 'reads',
  'add-blacklist': 'repeatable',
  'delete-blacklist': 'once',
  'iys-register': 'once',
  'iys-check': 'reads',
  'get-inbox': 'reads',
};

const pauseMaxMs = 30_000;
const temporary = [429, 500, 502, 503, 504];

export type Request = <Name extends OperationName>(
  operation: Name,
  members: Requests[Name],
  options?: CallOptions,
) => Promise<Answers[Name]>;

export function requester(options: ClientOptions): Request {
  const baseUrl = baseUrlOf(options.baseUrl);
  const { key, hash, timeoutMs = 60_000, attempts = 4, pauseMs = 500 } = options;
  const call = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (operation, members, { signal, idempotencyKey } = {}) => {
    const body = JSON.stringify({ request: { authentication: { key, hash }, ...members } });
    const mayRepeat = kinds[operation] !== 'once';
    let last: Outcome = { httpStatus: null, cause: undefined, isTemporary: false, pauseMs: 0 };
    let attempt = 0;
    let mayBeDone = false;
    do {
      if (attempt > 0) await pause(Math.max(last.pauseMs, backoffMs(pauseMs, attempt)), signal);
      attempt++;
      signal?.throwIfAborted();
      const outcome = await ask(
        call,
        `${baseUrl}${operations[operation].path}`,
        body,
        idempotencyKey,
        limitOf(timeoutMs, signal),
      );
      if ('response' in outcome) return answerOf(operation, outcome.response);
      // The caller has aborted the call.
      signal?.throwIfAborted();
      last = outcome;
      mayBeDone ||= mayHaveReached(outcome);
    } while (mayRepeat && last.isTemporary && attempt < attempts);
    const { httpStatus, cause } = last;
    const unsure = kinds[operation] !== 'reads' && mayBeDone;
    throw new PeykUnavailable({ operation, attempts: attempt, httpStatus, unsure, idempotencyKey, cause });
  };
}

// Codes of Node's fetch: no connection was made, so nothing was sent.
const unreached =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** Whether the server may have executed the operation. 429 is answered before it does anything. */
function mayHaveReached({ httpStatus, cause }: Outcome): boolean {
  return httpStatus === null ? !isUnreached(cause) : httpStatus !== 429;
}

function isUnreached(error: unknown): boolean {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && unreached.test(code)) return true;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnreached);
  return cause !== undefined && isUnreached(cause);
}

function baseUrlOf(given: string): string {
  const { protocol, origin, pathname } = new URL(given);
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with https:// or http://');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

type WireResponse = { status: { code: number; message: string }; errors?: Record<string, string> };
type Outcome = { httpStatus: number | null; cause: unknown; isTemporary: boolean; pauseMs: number };

async function ask(
  call: typeof globalThis.fetch,
  url: string,
  body: string,
  idempotencyKey: string | undefined,
  signal: AbortSignal,
): Promise<{ response: WireResponse } | Outcome> {
  try {
    const answer = await call(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
      // Credentials are never sent to another address.
      redirect: 'manual',
      signal,
    });
    const response = envelopeOf(await answer.text());
    if (response && response.status.code !== 503) return { response };
    const seconds = Number(answer.headers.get('retry-after'));
    return {
      httpStatus: answer.status,
      cause: response?.status.message ?? 'the answer is not the interface’s',
      isTemporary: temporary.includes(answer.status),
      pauseMs: seconds > 0 ? Math.min(seconds * 1_000, pauseMaxMs) : 0,
    };
  } catch (cause) {
    return { httpStatus: null, cause, isTemporary: true, pauseMs: 0 };
  }
}

function envelopeOf(text: string): WireResponse | null {
  try {
    const { response } = JSON.parse(text) as { response?: WireResponse };
    return typeof response?.status?.code === 'number' ? response : null;
  } catch {
    return null;
  }
}

function answerOf<Name extends OperationName>(operation: Name, response: WireResponse): Answers[Name] {
  const { status, errors, ...answer } = response;
  if (status.code === 200) return answer as unknown as Answers[Name];
  throw new PeykError(operation, status.code as ErrorCode, status.message, errors);
}

function limitOf(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Half of it is random, so that many clients do not retry at the same moment. */
function backoffMs(firstMs: number, attempt: number): number {
  const whole = Math.min(firstMs * 2 ** (attempt - 1), pauseMaxMs);
  return whole / 2 + (Math.random() * whole) / 2;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal!.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
