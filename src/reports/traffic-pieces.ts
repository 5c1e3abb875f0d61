// Counts messages of busy hours five minutes at a time and caches pieces that cannot change any more: an account with hundreds
// of single messages a second has a million orders in the current hour, and its pages ask every few seconds.

import type { Db } from '../db/db.ts';
import { keepNewest } from '../limits.ts';

export const pieceMs = 300_000;
/** Hours with up to this many messages are counted whole, in a tenth of a second. */
export const wholeHourMax = 20_000;
// A few rows each.
const rememberedMax = 10_000;

export type Piece = { from: number; to: number };

/** From the newest: consecutive quiet hours together, busy ones piece by piece. */
export function piecesOf(from: number, to: number, hourMs: number, isBusy: (hour: number) => boolean): Piece[] {
  const pieces: Piece[] = [];
  let whole: Piece | null = null;
  for (let hour = to - hourMs; hour >= from; hour -= hourMs) {
    if (!isBusy(hour)) {
      if (whole) whole.from = hour;
      else {
        whole = { from: hour, to: hour + hourMs };
        pieces.push(whole);
      }
      continue;
    }
    whole = null;
    for (let at = hour + hourMs - pieceMs; at >= hour; at -= pieceMs) pieces.push({ from: at, to: at + pieceMs });
  }
  return pieces;
}

/** Counts of past pieces, per database; valid until a late report changes their hour. */
export class PieceMemory<Counted> {
  readonly #known = new WeakMap<Db, Map<string, { changes: number; counted: Counted }>>();

  get(db: Db, accountId: number, piece: Piece, changes: number): Counted | undefined {
    const found = this.#of(db).get(`${accountId} ${piece.from}`);
    return found?.changes === changes ? found.counted : undefined;
  }

  set(db: Db, accountId: number, piece: Piece, changes: number, counted: Counted): void {
    const known = this.#of(db);
    keepNewest(known, `${accountId} ${piece.from}`, { changes, counted }, rememberedMax);
  }

  #of(db: Db) {
    const known = this.#known.get(db) ?? new Map<string, { changes: number; counted: Counted }>();
    this.#known.set(db, known);
    return known;
  }
}
