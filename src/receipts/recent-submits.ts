// A cache of recent submits, by the id that their carrier gave them: most receipts are about one of these, so nobody has to look for their
// message. Losing it costs time and nothing else. Columns, because objects that live for seconds cost 3 µs each to keep.
import { monotonicMs } from '../time/clock.ts';

const max = 131_072;
const lastTen = 10_000_000_000;
const column = () => new Float64Array(max);

export class RecentSubmits {
  readonly #places = new Map<number, Map<string, number>>();
  readonly #names: { carrier: number; id: string }[] = [];
  #messages = new Float64Array(0);
  #numbers = new Float64Array(0);
  #takenMs = new Float64Array(0);
  #next = 0;

  add(carrier: number, id: string, message: number, number: number): void {
    if (this.#next === 0 && this.#messages.length === 0)
      [this.#messages, this.#numbers, this.#takenMs] = [column(), column(), column()];
    const oldest = this.#names[this.#next];
    if (oldest && this.#places.get(oldest.carrier)?.get(oldest.id) === this.#next)
      this.#places.get(oldest.carrier)!.delete(oldest.id);
    const places = this.#places.get(carrier) ?? new Map<string, number>();
    this.#places.set(carrier, places);
    places.set(id, this.#next);
    this.#names[this.#next] = { carrier, id };
    this.#messages[this.#next] = message;
    this.#numbers[this.#next] = number % lastTen;
    this.#takenMs[this.#next] = monotonicMs();
    this.#next = (this.#next + 1) % max;
  }

  /** The message of the newest submit under this id; 0: not known, or for another number. `number`: as the receipt tells it, 0 = not at all. */
  messageOf(carrier: number, id: string, number: number): number {
    const place = this.#places.get(carrier)?.get(id);
    if (place === undefined || (number !== 0 && number % lastTen !== this.#numbers[place])) return 0;
    return this.#messages[place]!;
  }

  /** How long ago the carrier took the newest submit under this id; null: not known. */
  ageMsOf(carrier: number, id: string): number | null {
    const place = this.#places.get(carrier)?.get(id);
    return place === undefined ? null : monotonicMs() - this.#takenMs[place]!;
  }
}
