// Reads a request body up to the limit. Up to 64 kB it costs nobody anything. Beyond that it has a hold on memory (admission.ts) in
// which each byte counts as it arrives, and it must keep up a pace, so that nobody holds memory by sending nothing. What
// is too large is still read to its end, unstored and for a bounded time, so that the sender sees our answer instead of
// a reset connection. Who leaves gives it back at once.
import type { IncomingMessage } from 'node:http';
import { Overloaded } from '../accept/order-line.ts';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import type { Admission, Caller, Hold } from './admission.ts';

const drainMaxBytes = 512 * 1024 * 1024;
const readMaxMs = 60_000;
const startBytes = 1_000;

export type BodyRules = {
  admission: Admission;
  /** Whose body this is, as far as its first 64 kB tell. */
  callerOf(start: Buffer, address: string): Promise<Caller>;
  /** Bytes that must come in each stretch of time in which we do read. 16 kB/s is a bad line of years ago. */
  pace: { everyMs: number; bytes: number };
};

export const usualPace = { everyMs: 5_000, bytes: 80_000 };

/** A small body has none. */
export type Body = { bytes: Buffer; hold: Hold | null };

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** By its announcement: an unknown length may be any. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.largeBodyBytes;
}

export function readBody(message: IncomingMessage, rules: BodyRules, address: string): Promise<Body> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const stop = () => {
      message.off('data', onData);
      message.off('end', onEnd);
      message.off('error', onLoss);
      message.off('close', onLoss);
    };
    const onData = (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= limits.largeBodyBytes) return;
      stop();
      message.pause();
      new LargeBody(message, rules, parts).read(address).then(resolve, reject);
    };
    const onEnd = () => {
      stop();
      resolve({ bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), hold: null });
    };
    const onLoss = () => {
      stop();
      reject(new Refusal(400));
    };
    message.on('data', onData);
    message.once('end', onEnd);
    message.once('error', onLoss);
    message.once('close', onLoss);
    if (message.destroyed) onLoss();
  });
}

/** Lets a body that nobody wants pass by, so that its sender comes to read our answer; its start shows its form. */
export async function passBody(message: IncomingMessage): Promise<Buffer> {
  let start = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const part of message.iterator({ destroyOnReturn: false })) {
      if (bytes < startBytes) start = Buffer.concat([start, part.subarray(0, startBytes - bytes)]);
      bytes += part.length;
      if (bytes > drainMaxBytes) break;
    }
  } catch {
    throw new Refusal(400);
  }
  return start;
}

/** A body that has turned out to have more than 64 kB: its sender is looked at, and the rest is read at a pace. */
class LargeBody {
  readonly #message: IncomingMessage;
  readonly #rules: BodyRules;
  readonly #parts: Buffer[];
  #bytes = 0;
  #hold: Hold | null = null;
  #isWaiting = true;
  #hasWaited = true;
  #hasFailed = false;

  constructor(message: IncomingMessage, rules: BodyRules, parts: Buffer[]) {
    this.#message = message;
    this.#rules = rules;
    this.#parts = parts;
  }

  async read(address: string): Promise<Body> {
    const { socket } = this.#message;
    let fail = () => {};
    const failed = new Promise<never>((_resolve, reject) => {
      fail = () => {
        this.#hasFailed = true;
        reject(new Refusal(400));
      };
    });
    // Listened to also after the last byte, while the whole body waits for its turn.
    socket.once('close', fail);
    const clock = this.#watchPace(fail);
    try {
      await Promise.race([failed, this.#readAll(address)]);
      return { bytes: Buffer.concat(this.#parts.splice(0)), hold: this.#hold };
    } catch (error) {
      this.#hold?.leave();
      this.#parts.length = 0;
      throw error instanceof Overloaded ? error : new Refusal(400);
    } finally {
      socket.off('close', fail);
      clearInterval(clock);
    }
  }

  async #readAll(address: string): Promise<void> {
    const caller = await this.#rules.callerOf(Buffer.concat(this.#parts), address);
    if (this.#hasFailed) return;
    const hold = this.#rules.admission.begin(caller);
    this.#hold = hold;
    await this.#take(hold, bytesOf(this.#parts));
    // What stays unread when we give up must not take the connection with it: the answer goes there.
    for await (const part of this.#message.iterator({ destroyOnReturn: false })) {
      if (this.#hasFailed) return;
      this.#parts.push(part);
      await this.#take(hold, part.length);
    }
    if (this.#bytes > limits.bodyBytes) throw new Refusal(400);
    this.#isWaiting = true;
    await hold.work();
  }

  async #take(hold: Hold, bytes: number): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes > drainMaxBytes) throw new Refusal(400);
    if (this.#bytes > limits.bodyBytes) {
      hold.leave();
      this.#parts.length = 0;
      return;
    }
    const room = hold.add(bytes);
    if (room) {
      this.#isWaiting = true;
      this.#hasWaited = true;
    }
    await room;
    this.#isWaiting = false;
  }

  /** Only stretches of time count in which we waited for the sender, not the sender for us. */
  #watchPace(fail: () => void): NodeJS.Timeout {
    const { everyMs, bytes } = this.#rules.pace;
    let before = 0;
    let readMs = 0;
    return setInterval(() => {
      const came = this.#bytes - before;
      before = this.#bytes;
      const waited = this.#hasWaited;
      this.#hasWaited = this.#isWaiting;
      if (waited) return;
      readMs += everyMs;
      if (came < bytes || readMs > readMaxMs) fail();
    }, everyMs);
  }
}

function bytesOf(parts: Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
