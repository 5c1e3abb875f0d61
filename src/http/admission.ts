// Large bodies are let in by weight: while too many bytes are being worked on, the next ones wait with their sockets
// unread, and beyond a bound they are told 503 at once. So memory stays flat when a hundred 50,000-recipient requests
// arrive together. Small bodies never wait here.
import { limits } from '../limits.ts';
import { Overloaded } from '../orders/order-line.ts';

const bytesAtOnceMax = limits.bodyBytes;
const requestsAtOnceMax = 3;
const waitingMax = 100;
const waitMaxMs = 25_000;

type Waiting = { bytes: number; enter(): void; timer: NodeJS.Timeout };

export class Admission {
  #bytes = 0;
  #running = 0;
  readonly #waiting: Waiting[] = [];

  /** Resolves with a function that gives the place back. */
  enter(bytes: number): Promise<() => void> {
    if (bytes <= limits.largeBodyBytes) return Promise.resolve(() => {});
    if (this.#fits(bytes) && this.#waiting.length === 0) return Promise.resolve(this.#take(bytes));
    if (this.#waiting.length >= waitingMax) return Promise.reject(new Overloaded('too many large requests'));
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        bytes,
        enter: () => resolve(this.#take(bytes)),
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(one), 1);
          reject(new Overloaded('a large request waited too long'));
        }, waitMaxMs),
      };
      this.#waiting.push(one);
    });
  }

  #fits(bytes: number): boolean {
    return this.#running === 0 || (this.#running < requestsAtOnceMax && this.#bytes + bytes <= bytesAtOnceMax);
  }

  #take(bytes: number): () => void {
    this.#bytes += bytes;
    this.#running++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#bytes -= bytes;
      this.#running--;
      this.#next();
    };
  }

  #next(): void {
    while (this.#waiting[0] && this.#fits(this.#waiting[0].bytes)) {
      const one = this.#waiting.shift()!;
      clearTimeout(one.timer);
      one.enter();
    }
  }
}
