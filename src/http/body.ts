// Reads a request body up to the limit. Bodies up to 64 kB are not counted. A larger one has a hold on memory
// (admission.ts) in which each byte counts as it arrives, and it must keep a minimum rate, so that nobody occupies
// memory without sending. A body over the limit is still read to its end, without storing it and for a bounded time, so
// that the sender sees the answer instead of a reset connection. A closed connection releases its hold at once.
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
  /** Whether the first 64 kB contain valid credentials. */
  callerOf(start: Buffer, address: string): Promise<Caller>;
  /** Bytes that must arrive in each interval in which we read. 16 kB/s is slower than any line in use. */
  pace: { everyMs: number; bytes: number };
};

export const usualPace = { everyMs: 5_000, bytes: 80_000 };

/** `hold`: null for a small body. */
export type Body = { bytes: Buffer; hold: Hold | null };

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** By the headers: a body of unknown length may be large. */
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

/**
 * Reads and drops a body that is not needed, so that the sender reads the answer. Returns its start, which shows its
 * format.
 */
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

/** A body of more than 64 kB: its credentials are checked, and the rest is read at a minimum rate. */
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
    // Also after the last byte, while the complete body waits for its turn.
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
    // Unread bytes must not close the connection when reading is given up: the answer is sent over it.
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

  /** Only intervals in which we waited for the sender count, not those in which the sender waited for us. */
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
