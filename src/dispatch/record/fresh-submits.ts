// Submits of the last seconds, by the id that their carrier gave them. Most are reported before anybody else asks for them: their receipt
// finds them here, and they are never entered in the table where everybody finds them (docs/decisions/0022-fresh-submits.md). Each
// flush stores its own in one row, so that nothing is lost with this memory; what has no receipt after a while is entered.
import { monotonicMs } from '../../clock.ts';
import type { FreshColumns } from '../../orders/fresh-columns.ts';
import type { ReceiptColumns } from '../../orders/inbox.ts';
import type { RecordBatch, Recorded } from '../../orders/record.ts';
import { RecentNames } from './recent-names.ts';

/** Receipts of phones that are on come within seconds. */
export const ripeMs = 15_000;
/** So many are remembered, some 150 bytes each. */
const freshMax = 131_072;
/** For so long submits are entered at once after this memory was of no use. */
const pauseMs = 10_000;
/** And those of a carrier whose receipts take longer. */
const slowMs = 60_000;
const earlyMax = 20_000;

export type Told = Pick<ReceiptColumns, 'carriers' | 'ids'>;

/** What one flush stores: submits in `count` places from `start` on, of which `open` have no receipt. */
export type FreshRow = {
  no: number;
  sinceMs: number;
  start: number;
  count: number;
  open: number;
  columns: FreshColumns;
};

export class FreshSubmits {
  /** Receipts about nothing that is remembered: one that came before the answer to its submit waits where only submits that are entered find it. */
  readonly #early = new RecentNames(earlyMax);
  /** Where a submit is remembered, by its carrier and its id. Columns, because objects that live for seconds cost 3 µs each to keep. */
  readonly #places = new Map<number, Map<string, number>>();
  #accounts = new Float64Array(0);
  #messages = new Float64Array(0);
  #rowAt: (FreshRow | null)[] = [];
  #next = 0;
  /** Those stored, or about to be, oldest first. */
  readonly #rows = new Set<FreshRow>();
  #filling: FreshRow | null = null;
  /** Until when submits are entered at once: all of them, and those of carriers whose receipts take longer than we remember. */
  #pausedUntilMs = 0;
  readonly #slowUntilMs = new Map<number, number>();
  #seen = 0;
  readonly #clock: () => number;

  constructor(clock = monotonicMs) {
    this.#clock = clock;
  }

  /** False: not remembered, to be entered at once. */
  add(columns: FreshColumns, carrier: number, id: string, account: number, message: number): boolean {
    if (this.#rowAt.length === 0) this.#begin();
    const place = this.#next;
    if (this.#rowAt[place] !== null || this.#isPaused(carrier) || this.#early.has(carrier, id)) return false;
    const places = this.#placesOf(carrier);
    if (places.has(id)) {
      columns.isForgetful = true;
      return false;
    }
    this.#filling ??= { no: 0, sinceMs: 0, start: place, count: 0, open: 0, columns };
    this.#filling.count++;
    this.#filling.open++;
    places.set(id, place);
    this.#accounts[place] = account;
    this.#messages[place] = message;
    this.#rowAt[place] = this.#filling;
    this.#next = (place + 1) % freshMax;
    columns.carriers.push(carrier);
    columns.ids.push(id);
    columns.accounts.push(account);
    columns.messages.push(message);
    return true;
  }

  /** Not before there is something to remember: many a recorder has none (src/dispatch/links/http/callback-desk.ts). */
  #begin(): void {
    this.#accounts = new Float64Array(freshMax);
    this.#messages = new Float64Array(freshMax);
    this.#rowAt = new Array(freshMax).fill(null);
  }

  has(carrier: number, id: string): boolean {
    return this.#places.get(carrier)?.has(id) ?? false;
  }

  #placesOf(carrier: number): Map<string, number> {
    const known = this.#places.get(carrier);
    if (known) return known;
    const places = new Map<string, number>();
    this.#places.set(carrier, places);
    return places;
  }

  #isPaused(carrier: number): boolean {
    if (this.#pausedUntilMs === 0 && this.#slowUntilMs.size === 0) return false;
    return this.#clock() < Math.max(this.#pausedUntilMs, this.#slowUntilMs.get(carrier) ?? 0);
  }

  /** Fills in what is known of these receipts. Returns the row of the new submits, which gets its number from whoever stores it. */
  take(columns: FreshColumns, told: Told[]): FreshRow | null {
    const row = this.#filling;
    this.#filling = null;
    columns.seen = this.#seen;
    const relied = new Set<FreshRow>();
    this.#meet(columns, told, relied);
    this.#ripen(columns, relied);
    for (const one of relied) {
      if (one === row) continue;
      columns.relied.push(one.no);
      if (one.open > 0) continue;
      columns.gone.push(one.no);
      this.#rows.delete(one);
    }
    if (!row) return null;
    row.sinceMs = this.#clock();
    columns.isOpen = row.open > 0;
    if (columns.isOpen) this.#rows.add(row);
    return row;
  }

  #meet(columns: FreshColumns, told: Told[], relied: Set<FreshRow>): void {
    const { knownAccounts, knownMessages } = columns;
    let met = 0;
    for (const { carriers, ids } of told)
      for (let i = 0; i < ids.length; i++) {
        const place = this.#places.get(carriers[i]!)?.get(ids[i]!);
        knownAccounts.push(place === undefined ? 0 : this.#accounts[place]!);
        knownMessages.push(place === undefined ? 0 : this.#messages[place]!);
        if (place === undefined) {
          this.#early.add(carriers[i]!, ids[i]!);
          continue;
        }
        met++;
        relied.add(this.#forgetAt(place, carriers[i]!, ids[i]!));
      }
    if (met === 0) {
      knownAccounts.length = 0;
      knownMessages.length = 0;
    } else if (met < knownMessages.length) passOverRepeats(knownMessages, told);
  }

  #forgetAt(place: number, carrier: number, id: string): FreshRow {
    const row = this.#rowAt[place]!;
    this.#places.get(carrier)!.delete(id);
    this.#rowAt[place] = null;
    row.open--;
    return row;
  }

  /** Those without a receipt for long are entered for everybody. */
  #ripen(columns: FreshColumns, relied: Set<FreshRow>): void {
    for (const row of this.#rows) {
      if (this.#clock() - row.sinceMs < ripeMs) return;
      const isSlow = row.open > row.count / 2;
      for (let i = 0; i < row.count; i++) {
        const place = (row.start + i) % freshMax;
        if (this.#rowAt[place] !== row) continue;
        const carrier = row.columns.carriers[i]!;
        columns.kept.push(this.#messages[place]!);
        this.#forgetAt(place, carrier, row.columns.ids[i]!);
        if (isSlow) this.#slowUntilMs.set(carrier, this.#clock() + slowMs);
      }
      relied.add(row);
    }
  }

  /** In how long the oldest of them are to be entered; null: there are none. */
  get ripeInMs(): number | null {
    for (const row of this.#rows) return Math.max(0, row.sinceMs + ripeMs - this.#clock());
    return null;
  }

  /** What became of a flush, and the one that is being filled. */
  stored({ isForgotten, lastReceipt }: Recorded, filling: RecordBatch): void {
    this.#seen = lastReceipt ?? this.#seen;
    if (isForgotten) this.forget(filling, true);
  }

  /** None of them may be relied on. Those of the flush that is being filled are entered with it. */
  forget(filling: RecordBatch, pauses: boolean): void {
    const { fresh } = filling;
    this.#places.clear();
    this.#rowAt.fill(null);
    this.#rows.clear();
    this.#filling = null;
    if (pauses) this.#pausedUntilMs = this.#clock() + pauseMs;
    for (const [i, id] of fresh.ids.entries())
      filling.enter(fresh.carriers[i]!, id, fresh.accounts[i]!, fresh.messages[i]!, 1, 1);
    for (const column of [fresh.carriers, fresh.ids, fresh.accounts, fresh.messages]) column.length = 0;
  }
}

/** A second receipt under an id that the first has used up says nothing new. */
function passOverRepeats(knownMessages: number[], told: Told[]): void {
  const met = new Set<string>();
  let at = 0;
  for (const { carriers, ids } of told)
    for (let i = 0; i < ids.length; i++, at++) {
      const name = `${carriers[i]} ${ids[i]}`;
      if (knownMessages[at] !== 0) met.add(name);
      else if (met.has(name)) knownMessages[at] = -1;
    }
}
