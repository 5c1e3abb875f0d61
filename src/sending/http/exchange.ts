// One request to a carrier and its answer, with everything that a hostile or broken one may try held in bounds: the address is
// resolved by us and checked, and exactly that one is connected to (the name stays in Host, SNI and certificate check),
// redirects are not followed, a time for the whole, 64 kB of answer. Connections are kept, as many as the window has places.
//
// What matters is whether the carrier may have got it: until the connection stands nothing was written ('unsent'); afterwards
// whoever does not answer may have sent it ('unknown'). A kept connection that the other side closes in that moment is no
// exception, so idle ones are given up after 3 s, before usual servers do (5 s and more).
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { isIP, isIPv4, connect as plainConnect, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { nowMs } from '../../time/clock.ts';
import { hostOf } from '../../webhooks/endpoint-url.ts';
import { isPublicAddress } from '../../webhooks/public-address.ts';
import { createResolver, withMemory } from '../../webhooks/resolve-host.ts';

export type HttpMessage = { method: string; path: string; headers: Record<string, string>; body: string | null };
export type Outcome =
  /** `retryAfterMs`: how long it asks to be left alone; 0 where it does not say. */
  | { kind: 'answer'; status: number; body: string; retryAfterMs: number }
  | { kind: 'unsent'; error: string }
  | { kind: 'unknown'; error: string; isSilent?: boolean };

export type PeerOptions = {
  url: string;
  tlsVerify: boolean;
  /** Loopback and private addresses, and plain http. */
  isPrivate: boolean;
  window: number;
  /** For the whole of an exchange. */
  timeoutMs: number;
};

const answerBytesMax = 64 * 1024;
const idleSocketMs = 3_000;
const resolve = withMemory(createResolver());

export class Peer {
  readonly #options: PeerOptions;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #flying = new Set<ClientRequest>();
  /** Which of several addresses is tried first; moves on when one cannot be connected to. */
  #turn = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#url = new URL(options.url);
    const settings = {
      keepAlive: true,
      maxSockets: options.window,
      maxFreeSockets: options.window,
      timeout: idleSocketMs,
      scheduling: 'lifo' as const,
    };
    this.#agent = this.#isSecure
      ? new TlsAgent({ ...settings, rejectUnauthorized: options.tlsVerify })
      : new PlainAgent(settings);
  }

  get #isSecure(): boolean {
    return this.#url.protocol === 'https:';
  }

  get #port(): number {
    return Number(this.#url.port || (this.#isSecure ? 443 : 80));
  }

  /** Throws when nobody can be connected to; sends nothing. */
  async reach(): Promise<void> {
    const address = await this.#address();
    const place = { host: address, port: this.#port };
    const { rejectUnauthorized, servername } = this.#tls();
    const socket: Socket = this.#isSecure
      ? secureConnect({ ...place, rejectUnauthorized, ...(servername ? { servername } : {}) })
      : plainConnect(place);
    try {
      await new Promise<void>((done, failed) => {
        socket.setTimeout(this.#options.timeoutMs, () => failed(new Error('connecting takes too long')));
        socket.once('error', failed);
        socket.once(this.#isSecure ? 'secureConnect' : 'connect', done);
      });
    } catch (error) {
      this.#turn++;
      throw error;
    } finally {
      socket.destroy();
    }
  }

  /** `mayWrite` is asked in the moment before the request is written. */
  async ask(message: HttpMessage, mayWrite: () => boolean = () => true): Promise<Outcome> {
    try {
      const outcome = await this.#exchange(await this.#address(), message, mayWrite);
      if (outcome.kind === 'unsent') this.#turn++;
      return outcome;
    } catch (error) {
      // No address, or a value that no header can hold: nothing was written.
      return { kind: 'unsent', error: (error as Error).message };
    }
  }

  /** Whoever still waits for an answer is told that it is unknown. */
  close(): void {
    for (const request of this.#flying) request.destroy(new Error('the link is closed'));
    this.#agent.destroy();
  }

  #tls(): { rejectUnauthorized: boolean; servername?: string } {
    const host = hostOf(this.#url);
    return { rejectUnauthorized: this.#options.tlsVerify, ...(isIP(host) ? {} : { servername: host }) };
  }

  async #address(): Promise<string> {
    const host = hostOf(this.#url);
    if (!this.#isSecure && !this.#options.isPrivate) throw new Error('plain http is only for private carriers');
    const found = isIP(host) ? [host] : await resolve(host).catch(() => []);
    if (found.length === 0) throw new Error(`${host} has no address`);
    if (!this.#options.isPrivate && !found.every(isPublicAddress)) throw new Error(`${host} has a private address`);
    const ordered = [...found.filter(isIPv4), ...found.filter(one => !isIPv4(one))];
    return ordered[this.#turn % ordered.length]!;
  }

  #exchange(address: string, message: HttpMessage, mayWrite: () => boolean): Promise<Outcome> {
    return new Promise(done => {
      let isWritten = false;
      const request = (this.#isSecure ? secureRequest : plainRequest)({
        method: message.method,
        host: address,
        port: this.#port,
        path: this.#url.pathname.replace(/\/$/, '') + message.path,
        agent: this.#agent,
        setHost: false,
        headers: { host: this.#url.host, ...message.headers, 'content-length': Buffer.byteLength(message.body ?? '') },
        ...(this.#isSecure ? this.#tls() : {}),
      });
      this.#flying.add(request);
      const timer = setTimeout(() => {
        end(failed(`no answer within ${this.#options.timeoutMs / 1_000} s`, true));
        request.destroy();
      }, this.#options.timeoutMs);
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        this.#flying.delete(request);
        done(outcome);
      };
      const failed = (error: string, isSilent = false): Outcome =>
        isWritten ? { kind: 'unknown', error, isSilent } : { kind: 'unsent', error };
      const write = () => {
        if (!mayWrite()) return void request.destroy(new Error('the lease is no longer ours'));
        isWritten = true;
        // As a text it leaves together with the headers, in one piece; as bytes it would be copied and gathered.
        request.end(message.body ?? undefined);
      };
      request.once('socket', socket => {
        // The idle time of the pool is not meant for answers.
        socket.setTimeout(0);
        if (request.reusedSocket || !socket.connecting) write();
        else socket.once(this.#isSecure ? 'secureConnect' : 'connect', write);
      });
      request.once('error', error => end(failed(errorText(error))));
      request.once('response', response => readAnswer(response, end, failed));
    });
  }
}

function readAnswer(response: IncomingMessage, end: (one: Outcome) => void, failed: (error: string) => Outcome): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= answerBytesMax) return void chunks.push(chunk);
    end(failed('an answer of more than 64 kB'));
    response.destroy();
  });
  response.on('error', error => end(failed(errorText(error))));
  response.on('close', () => {
    if (!response.complete) return end(failed('the answer was cut off'));
    const retryAfterMs = pauseOf(response.headers['retry-after']);
    const body = Buffer.concat(chunks).toString('utf8');
    end({ kind: 'answer', status: response.statusCode ?? 0, body, retryAfterMs });
  });
}

/** Seconds, or the time of day when it is over. */
export function pauseOf(header: string | undefined): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function errorText(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code ? `${code}: ${error.message}`.slice(0, 150) : error.message.slice(0, 150);
}
