// Receipts and messages from phones that arrive at the wrong cell: a carrier sends them over any of its binds. A row that matches nothing here
// is offered to the other cells and stays stored until one of them takes it. A row that every cell was asked about is not offered again.
import type { Db } from '../db/db.ts';
import { inboundOffered, takeForeignInbound, type Unrouted, unofferedInbound } from '../inbound/receive.ts';
import { dropReceipts, receiptsOffered, takeForeignReceipts, unmatchedReceipts } from '../receipts/foreign-receipts.ts';
import type { CellPart, CellParts } from './cell-parts.ts';

export class Forwarder {
  readonly #own: number;
  readonly #db: Db;
  readonly #cells: CellParts<CellPart>;
  /** Rows up to these ids were offered; back to 0 at the end, for rows that a cell without an answer was not asked about. */
  #receiptsAfter = 0;
  #inboundAfter = 0;

  /** `own`: the cell of `db`. */
  constructor(own: number, db: Db, cells: CellParts<CellPart>) {
    this.#own = own;
    this.#db = db;
    this.#cells = cells;
  }

  /** Returns 0 when another cell took a row: there may be more. */
  async round(): Promise<number | undefined> {
    if (!this.#cells.several) return undefined;
    const went = (await this.#receipts()) + (await this.#inbound());
    return went > 0 ? 0 : undefined;
  }

  async #receipts(): Promise<number> {
    const found = await unmatchedReceipts(this.#db, this.#receiptsAfter);
    this.#receiptsAfter = found.at(-1)?.id ?? 0;
    let left = found;
    let isEverybodyAsked = this.#isComplete();
    for (const db of this.#others()) {
      if (left.length === 0) break;
      const taken = await takeForeignReceipts(db, left).catch(() => null);
      isEverybodyAsked &&= taken !== null;
      if (!taken) continue;
      await dropReceipts(
        this.#db,
        taken.map(one => one.id),
      );
      left = left.filter(one => !taken.includes(one));
    }
    const mature = left.filter(one => one.mature).map(one => one.id);
    if (isEverybodyAsked) await receiptsOffered(this.#db, mature);
    return found.length - left.length;
  }

  async #inbound(): Promise<number> {
    const found = await unofferedInbound(this.#db, this.#inboundAfter);
    this.#inboundAfter = found.at(-1)?.id ?? 0;
    let went = 0;
    for (const one of found) {
      const taken = await this.#settledElsewhere(one);
      if (taken === null) continue;
      await inboundOffered(this.#db, one.id, taken);
      if (taken) went++;
    }
    return went;
  }

  /** null: no cell took it, and not every cell answered. */
  async #settledElsewhere(one: Unrouted): Promise<boolean | null> {
    let isEverybodyAsked = this.#isComplete();
    for (const db of this.#others()) {
      const taken = await takeForeignInbound(db, one, this.#own).catch(() => null);
      if (taken) return true;
      if (taken === null) isEverybodyAsked = false;
    }
    return isEverybodyAsked ? false : null;
  }

  #others(): Db[] {
    const others = this.#cells.all().filter(([id]) => id !== this.#own);
    return others.map(([, part]) => part.db);
  }

  #isComplete(): boolean {
    return this.#cells.all().length === this.#cells.cells.length;
  }
}
