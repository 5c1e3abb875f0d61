/*
 * Remembers which messages the phones already got, to count copies. It stores a 53-bit hash in flat tables, because a chaos run
 * sends millions: 8 bytes a message instead of about 60 in a Set.
 * Two generations: at least the last 600,000 messages are known, at most twice that; 16 MB when full.
 */
const SLOTS = 1 << 20;
const FILL_MAX = 600_000;

export class Seen {
  #current = new Float64Array(0);
  #previous = new Float64Array(0);
  #filled = 0;

  /* True if this hash was added before and is still remembered. */
  add(hash: number): boolean {
    if (this.#current.length === 0) this.#current = new Float64Array(SLOTS);
    if (has(this.#previous, hash) || has(this.#current, hash)) return true;
    if (this.#filled === FILL_MAX) this.#turn();
    this.#current[slotOf(this.#current, hash)] = hash;
    this.#filled++;
    return false;
  }

  clear(): void {
    this.#current = new Float64Array(0);
    this.#previous = new Float64Array(0);
    this.#filled = 0;
  }

  #turn(): void {
    this.#previous = this.#current;
    this.#current = new Float64Array(SLOTS);
    this.#filled = 0;
  }
}

function has(table: Float64Array, hash: number): boolean {
  return table.length > 0 && table[slotOf(table, hash)] === hash;
}

/* The slot that holds the hash, or the empty one where it belongs. Never full, so the walk ends. */
function slotOf(table: Float64Array, hash: number): number {
  let slot = hash % SLOTS;
  while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/*
 * Two 32-bit multiplicative hashes side by side give 53 bits: among a million messages the chance of one
 * false copy is about 1 in 18,000. Never 0, which marks an empty slot.
 */
export function hashText(text: string, seed = 1): number {
  let high = (seed ^ 0x9e3779b9) | 0;
  let low = (Math.floor(seed / 0x100000000) ^ 0x85ebca6b ^ seed) | 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + 0x7f), 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 13;
  high = Math.imul(high, 0xc2b2ae35);
  high ^= high >>> 16;
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0) || 1;
}
