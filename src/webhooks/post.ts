// One POST to a customer's server, with everything that a hostile or broken one may try held in bounds: the address is
// resolved by us, checked, and exactly the checked one is connected to (the name stays in Host, SNI and certificate
// check), redirects are not followed, 10 s for the whole answer, 64 kB of it read at most, 4 kB kept.
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { isIP, isIPv4 } from 'node:net';
import { monotonicMs } from '../time/clock.ts';
import { hostOf } from './endpoint-url.ts';
import { type Failure, failureOf } from './failures.ts';
import { isPublicAddress } from './public-address.ts';
import { createResolver, type ResolveHost, withMemory } from './resolve-host.ts';

export type Outcome = { failure: Failure | null; status: number | null; answer: string; ms: number };
export type Endpoint = { post(headers: Record<string, string>, body: string): Promise<Outcome>; close(): void };
export type Poster = { open(url: string): Endpoint };

export type PosterOptions = {
  allowPrivate: boolean;
  timeoutMs?: number;
  /** For tests: names, what counts as public, and whom to trust. */
  resolve?: ResolveHost;
  isPublic?: (address: string) => boolean;
  ca?: string;
};

const answerTimeoutMs = 10_000;
const answerBytesMax = 64 * 1024;
const answerKeptBytes = 4 * 1024;
const idleSocketMs = 30_000;
const idleSocketsMax = 16;
// A kept connection may have been closed by the other side just now: such a post never arrived and is sent again.
const staleSocketsMax = 3;

export function createPoster(options: PosterOptions): Poster {
  const resolve = withMemory(options.resolve ?? createResolver());
  const isAllowed = options.allowPrivate ? () => true : (options.isPublic ?? isPublicAddress);
  return { open: url => openEndpoint(new URL(url), options, resolve, isAllowed) };
}

type Target = { secure: boolean; host: string; port: number; path: string; hostHeader: string; agent: Agent };

function openEndpoint(
  url: URL,
  options: PosterOptions,
  resolve: ResolveHost,
  isAllowed: (one: string) => boolean,
): Endpoint {
  const secure = url.protocol === 'https:';
  const settings = {
    keepAlive: true,
    maxFreeSockets: idleSocketsMax,
    timeout: idleSocketMs,
    scheduling: 'lifo' as const,
  };
  const agent = secure ? new TlsAgent({ ...settings, ca: options.ca }) : new PlainAgent(settings);
  const port = Number(url.port || (secure ? 443 : 80));
  const target: Target = {
    secure,
    host: hostOf(url),
    port,
    path: url.pathname + url.search,
    hostHeader: url.host,
    agent,
  };
  // Which of several addresses is tried first; moves on when one cannot be connected to.
  let turn = 0;
  return {
    async post(headers, body) {
      const startedMs = monotonicMs();
      const exchange: Exchange = { status: null, answer: [], bytes: 0, request: null };
      const failure = await within(options.timeoutMs ?? answerTimeoutMs, exchange, async () => {
        if (!secure && !options.allowPrivate) return 'url';
        const addresses = isIP(target.host) ? [target.host] : await resolve(target.host).catch(() => []);
        if (addresses.length === 0) return 'dns';
        if (!addresses.every(isAllowed)) return 'address';
        const ordered = [...addresses.filter(isIPv4), ...addresses.filter(one => !isIPv4(one))];
        const failed = await send(target, ordered[turn % ordered.length]!, headers, body, exchange);
        if (failed === 'refused' || failed === 'unreachable') turn++;
        return failed;
      });
      const answer = Buffer.concat(exchange.answer).subarray(0, answerKeptBytes).toString('utf8');
      return { failure, status: exchange.status, answer, ms: Math.round(monotonicMs() - startedMs) };
    },
    close: () => agent.destroy(),
  };
}

type Exchange = { status: number | null; answer: Buffer[]; bytes: number; request: ClientRequest | null };

function within(timeoutMs: number, exchange: Exchange, work: () => Promise<Failure | null>): Promise<Failure | null> {
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      resolve('timeout');
      exchange.request?.destroy();
    }, timeoutMs);
    void work().then(failure => {
      clearTimeout(timer);
      resolve(failure);
    });
  });
}

async function send(
  target: Target,
  address: string,
  headers: Record<string, string>,
  body: string,
  exchange: Exchange,
): Promise<Failure | null> {
  for (let stale = 0; ; stale++) {
    const result = await sendOnce(target, address, headers, body, exchange);
    if (result !== 'stale') return result;
    if (stale >= staleSocketsMax) return 'cut';
  }
}

function sendOnce(
  target: Target,
  address: string,
  headers: Record<string, string>,
  body: string,
  exchange: Exchange,
): Promise<Failure | null | 'stale'> {
  return new Promise(resolve => {
    const request = (target.secure ? secureRequest : plainRequest)({
      method: 'POST',
      host: address,
      port: target.port,
      path: target.path,
      agent: target.agent,
      setHost: false,
      headers: { Host: target.hostHeader, 'Content-Length': Buffer.byteLength(body), ...headers },
      ...(target.secure && !isIP(target.host) ? { servername: target.host } : {}),
    });
    exchange.request = request;
    request.on('error', error => {
      const failure = failureOf(error);
      resolve(failure === 'cut' && request.reusedSocket && exchange.status === null ? 'stale' : failure);
    });
    request.on('response', response => readAnswer(response, exchange, resolve));
    request.end(body);
  });
}

function readAnswer(response: IncomingMessage, exchange: Exchange, resolve: (failure: Failure | null) => void): void {
  const status = response.statusCode ?? 0;
  const verdict = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'status';
  exchange.status = status;
  response.on('data', (chunk: Buffer) => {
    if (exchange.bytes < answerKeptBytes) exchange.answer.push(chunk.subarray(0, answerKeptBytes));
    exchange.bytes += chunk.length;
    if (exchange.bytes <= answerBytesMax) return;
    resolve(verdict);
    response.destroy();
  });
  response.on('error', () => resolve('cut'));
  response.on('close', () => resolve(response.complete ? verdict : 'cut'));
  response.on('end', () => resolve(response.complete ? verdict : 'cut'));
}
