// Posts one event to the endpoint of a customer: 10 s for the whole exchange, no redirects, and the first 4 kB of the answer are
// kept. The address check and the bounds are those of every outgoing request (src/http-client).
import { type Exchange, HttpClient, type HttpClientOptions } from '../http-client/http-client.ts';
import { monotonicMs } from '../time/clock.ts';
import type { Failure } from './failures.ts';

export type Outcome = { failure: Failure | null; status: number | null; answer: string; ms: number };
export type Endpoint = { post(headers: Record<string, string>, body: string): Promise<Outcome>; close(): void };
export type Poster = { open(url: string): Endpoint };
export type PosterOptions = Pick<HttpClientOptions, 'allowPrivate' | 'resolve' | 'isPublic' | 'ca'> & {
  timeoutMs?: number;
};

const answerTimeoutMs = 10_000;
const answerKeptBytes = 4 * 1024;
const agent = { maxFreeSockets: 16, timeout: 30_000 };
// The receiver may close a kept connection at the moment of a post: the post never arrived and is sent again.
const staleSocketsMax = 3;

export function createPoster({ timeoutMs = answerTimeoutMs, ...options }: PosterOptions): Poster {
  return {
    open(url) {
      const client = new HttpClient({ ...options, url, timeoutMs, agent });
      return {
        async post(headers, body) {
          const startedMs = monotonicMs();
          const leftMs = () => Math.max(1, timeoutMs - (monotonicMs() - startedMs));
          const request = { method: 'POST', headers, body };
          let exchange = await client.ask(request);
          for (let i = 0; exchange.isStale && i < staleSocketsMax; i++)
            exchange = await client.ask(request, undefined, leftMs());
          const answer = exchange.body.subarray(0, answerKeptBytes).toString('utf8');
          const ms = Math.round(monotonicMs() - startedMs);
          return { failure: failureOf(exchange), status: exchange.status || null, answer, ms };
        },
        close: () => client.close(),
      };
    },
  };
}

/** The status decides also when the answer is too long to be read. */
function failureOf({ failure, status }: Exchange): Failure | null {
  if (failure && failure.reason !== 'long') return failure.reason;
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}
