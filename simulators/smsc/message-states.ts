/*
 * The state of the last 262,144 accepted messages, for query_sm. Ids count up by one, so the id itself gives the position, and
 * the stored number shows whether it is still this message's: 9 bytes each.
 */
const KEPT = 1 << 18;

export class MessageStates {
  #ids = new Float64Array(KEPT);
  #states = new Uint8Array(KEPT);

  set(id: number, state: number): void {
    this.#ids[id % KEPT] = id;
    this.#states[id % KEPT] = state;
  }

  /* 0 for an id that is unknown or forgotten. */
  get(id: number): number {
    return Number.isSafeInteger(id) && id > 0 && this.#ids[id % KEPT] === id ? this.#states[id % KEPT]! : 0;
  }
}
