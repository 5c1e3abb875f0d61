// The last so-many ids, each of a carrier, oldest forgotten first. Rings beside the sets: asking a Set for its oldest entry after many
// deletions walks over the gaps, which cost 15 µs a receipt; and names made of both would be hashed anew for every question.
export class RecentNames {
  readonly #max: number;
  readonly #ids: string[] = [];
  readonly #carriers: number[] = [];
  readonly #known = new Map<number, Set<string>>();
  #next = 0;

  constructor(max: number) {
    this.#max = max;
  }

  has(carrier: number, id: string): boolean {
    return this.#known.get(carrier)?.has(id) ?? false;
  }

  add(carrier: number, id: string): void {
    const ids = this.#idsOf(carrier);
    if (ids.has(id)) return;
    const oldest = this.#ids[this.#next];
    if (oldest !== undefined) this.#known.get(this.#carriers[this.#next]!)!.delete(oldest);
    this.#ids[this.#next] = id;
    this.#carriers[this.#next] = carrier;
    this.#next = (this.#next + 1) % this.#max;
    ids.add(id);
  }

  #idsOf(carrier: number): Set<string> {
    const known = this.#known.get(carrier);
    if (known) return known;
    const ids = new Set<string>();
    this.#known.set(carrier, ids);
    return ids;
  }
}
