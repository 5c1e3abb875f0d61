// One request to an S3-compatible service. Faults of the service or the network are retried, so that one 503 does not end a base
// backup of hours. Other errors say what to do.
import { setTimeout as pause } from 'node:timers/promises';

// Short beside the pause after which the caller starts over; the program can stop during it.
const pausesMs = [250, 500, 1_000, 2_000];
const busyStatuses = [408, 429, 500, 502, 503, 504];

const refused: Record<string, string> = {
  InvalidAccessKeyId: 'the access key id is not known there: check PEYK_BACKUP_S3_KEY_ID',
  SignatureDoesNotMatch: 'the secret does not fit the key: check PEYK_BACKUP_S3_SECRET (and PEYK_BACKUP_S3_REGION)',
  AccessDenied: 'the key has no right to do this: it needs to put, get, list and delete objects below the prefix',
  RequestTimeTooSkewed: 'the clock of this machine is wrong: set it (NTP)',
  AuthorizationHeaderMalformed: 'the region is another one: check PEYK_BACKUP_S3_REGION',
};

export async function asked<T>(
  url: string,
  request: () => Promise<T>,
  pauses: readonly number[] = pausesMs,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await request();
    } catch (error) {
      const next = pauses[tries];
      if (next === undefined || !isPassing(error as Failure)) throw explained(url, error as Failure);
      await pause(next);
    }
  }
}

/** An error of the library: with the service's answer, unless the network failed. */
type Failure = Error & { status?: number; serviceCode?: string; body?: string };

/** Anything but an HTTP answer is a network error. A request that timed out after five minutes is not retried. */
function isPassing({ status, name }: Failure): boolean {
  return status === undefined ? name !== 'TimeoutError' : busyStatuses.includes(status);
}

/** For a lost connection fetch throws "fetch failed", with the reason as its cause. */
function explained(url: string, error: Failure): Error {
  const { message, cause } = error;
  const inner = cause instanceof Error ? ` (${cause.message || (cause as NodeJS.ErrnoException).code})` : '';
  return new Error(`${url}: ${refused[codeOf(error)] ?? message}${inner}`, { cause: error });
}

/** The error code in the body; the library reads it from one content type only. */
function codeOf({ serviceCode, body }: Failure): string {
  return /<Code>(\w+)<\/Code>/.exec(body ?? '')?.[1] ?? serviceCode ?? '';
}
