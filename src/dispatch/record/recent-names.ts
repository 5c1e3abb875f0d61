// The last so-many names, oldest forgotten first. A ring beside the set: asking a Set for its oldest entry after many
// deletions walks over the gaps, which cost 15 µs a receipt.
export class RecentNames {
  readonly #ring: (string | undefined)[];
  readonly #names = new Set<string>();
  #next = 0;

  constructor(max: number) {
    this.#ring = new Array(max);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    if (this.#names.has(name)) return;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#names.delete(oldest);
    this.#ring[this.#next] = name;
    this.#next = (this.#next + 1) % this.#ring.length;
    this.#names.add(name);
  }
}
