// A cache of recent submits by the id that their carrier gave them: most receipts find their message here without a query. Losing the
// cache costs time only. It consists of columns, because objects that live for seconds cost 3 µs each.
import { monotonicMs } from '../time/clock.ts';

const max = 131_072;
const lastTen = 10_000_000_000;
const column = () => new Float64Array(max);

export class RecentSubmits {
  readonly #slots = new Map<number, Map<string, number>>();
  readonly #names: { carrier: number; id: string }[] = [];
  #messages = new Float64Array(0);
  #numbers = new Float64Array(0);
  #answeredMs = new Float64Array(0);
  #next = 0;

  add(carrier: number, id: string, message: number, number: number): void {
    if (this.#next === 0 && this.#messages.length === 0)
      [this.#messages, this.#numbers, this.#answeredMs] = [column(), column(), column()];
    const oldest = this.#names[this.#next];
    if (oldest && this.#slots.get(oldest.carrier)?.get(oldest.id) === this.#next)
      this.#slots.get(oldest.carrier)!.delete(oldest.id);
    const slots = this.#slots.get(carrier) ?? new Map<string, number>();
    this.#slots.set(carrier, slots);
    slots.set(id, this.#next);
    this.#names[this.#next] = { carrier, id };
    this.#messages[this.#next] = message;
    this.#numbers[this.#next] = number % lastTen;
    this.#answeredMs[this.#next] = monotonicMs();
    this.#next = (this.#next + 1) % max;
  }

  /** The message of the newest submit under this id; 0: unknown, or for another number. `number`: as in the receipt; 0 = missing. */
  messageOf(carrier: number, id: string, number: number): number {
    const slot = this.#slots.get(carrier)?.get(id);
    if (slot === undefined || (number !== 0 && number % lastTen !== this.#numbers[slot])) return 0;
    return this.#messages[slot]!;
  }

  /** Time since the carrier accepted the newest submit under this id; null: unknown. */
  ageMsOf(carrier: number, id: string): number | null {
    const slot = this.#slots.get(carrier)?.get(id);
    return slot === undefined ? null : monotonicMs() - this.#answeredMs[slot]!;
  }
}
