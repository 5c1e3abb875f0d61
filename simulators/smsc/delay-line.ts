/*
 * Items that are due a fixed time after they were added. One line per delay needs no sorting, because the oldest is always due
 * first. All lines of a kind share one timer; a timer per message would cost more than the message itself at 50,000 a second.
 */
import { Ring } from './ring.ts';

const NEVER_MS = Number.POSITIVE_INFINITY;

type Delayed = { dueAtMs: number };

export class DelayLines<T extends Delayed> {
  readonly #lines = new Map<number, Ring<T>>();
  readonly #stepMs: number;
  readonly #release: (item: T) => void;
  readonly #afterRun: () => void;
  #timer: NodeJS.Timeout | null = null;
  #armedForMs = NEVER_MS;

  /* The timer fires at most every `stepMs`, so that what is due together also leaves together. */
  constructor(stepMs: number, release: (item: T) => void, afterRun: () => void) {
    this.#stepMs = stepMs;
    this.#release = release;
    this.#afterRun = afterRun;
  }

  get length(): number {
    let sum = 0;
    for (const line of this.#lines.values()) sum += line.length;
    return sum;
  }

  push(item: T, line: number, dueAtMs: number, nowMs: number): void {
    let waiting = this.#lines.get(line);
    if (waiting === undefined) {
      waiting = new Ring<T>();
      this.#lines.set(line, waiting);
    }
    item.dueAtMs = dueAtMs;
    waiting.push(item);
    if (dueAtMs < this.#armedForMs) this.#arm(dueAtMs, nowMs);
  }

  /* Everything at once, due or not. */
  releaseAll(): void {
    this.#run(NEVER_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#armedForMs = NEVER_MS;
  }

  #arm(dueAtMs: number, nowMs: number): void {
    this.stop();
    this.#armedForMs = dueAtMs;
    this.#timer = setTimeout(() => this.#run(Date.now()), Math.max(this.#stepMs, dueAtMs - nowMs));
  }

  #run(nowMs: number): void {
    this.stop();
    let nextMs = NEVER_MS;
    for (const line of this.#lines.values()) {
      let item = line.peek();
      while (item !== undefined && item.dueAtMs <= nowMs) {
        line.shift();
        this.#release(item);
        item = line.peek();
      }
      if (item !== undefined) nextMs = Math.min(nextMs, item.dueAtMs);
    }
    this.#afterRun();
    if (nextMs < this.#armedForMs) this.#arm(nextMs, Date.now());
  }
}
