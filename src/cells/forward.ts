// What arrives at the wrong cell: a carrier sends receipts and messages from phones over any of its binds, whichever cell holds it. What
// matches nothing here is offered to the others, who take what is theirs; until one has, it stays stored where it arrived. What
// every cell was asked about is not offered again.
import type { Db } from '../db/db.ts';
import { inboundOffered, takeForeignInbound, type Unrouted, unofferedInbound } from '../inbound/receive.ts';
import {
  dropReceipts,
  type ForeignReceipt,
  receiptsOffered,
  takeForeignReceipts,
  unmatchedReceipts,
} from '../receipts/foreign-receipts.ts';
import type { CellPart, CellParts } from './cell-parts.ts';

export class Forwarder {
  readonly #own: number;
  readonly #db: Db;
  readonly #cells: CellParts<CellPart>;
  /** Behind these nothing waits; back to 0 when the end was reached, for what a cell that was down had no answer to. */
  #receiptsAfter = 0;
  #inboundAfter = 0;

  /** `own`: the cell of `db`. */
  constructor(own: number, db: Db, cells: CellParts<CellPart>) {
    this.#own = own;
    this.#db = db;
    this.#cells = cells;
  }

  /** 0 when something went: there may be more. */
  async round(): Promise<number | undefined> {
    if (!this.#cells.several) return undefined;
    const went = (await this.#receipts()) + (await this.#inbound());
    return went > 0 ? 0 : undefined;
  }

  async #receipts(): Promise<number> {
    const found = await unmatchedReceipts(this.#db, this.#receiptsAfter);
    this.#receiptsAfter = found.at(-1)?.id ?? 0;
    if (found.length === 0) return 0;
    let left: ForeignReceipt[] = found;
    let isEverybodyAsked = this.#isComplete();
    let went = 0;
    for (const [, { db }] of this.#others()) {
      if (left.length === 0) break;
      const taken = await takeForeignReceipts(db, left).catch(() => null);
      if (!taken) isEverybodyAsked = false;
      else if (taken.length > 0) {
        await dropReceipts(
          this.#db,
          taken.map(one => one.id),
        );
        left = left.filter(one => !taken.includes(one));
        went += taken.length;
      }
    }
    if (isEverybodyAsked)
      await receiptsOffered(
        this.#db,
        left.filter(one => one.ripe).map(one => one.id),
      );
    return went;
  }

  async #inbound(): Promise<number> {
    const found = await unofferedInbound(this.#db, this.#inboundAfter);
    this.#inboundAfter = found.at(-1)?.id ?? 0;
    let went = 0;
    for (const one of found) {
      const taken = await this.#takenElsewhere(one);
      if (taken === null) continue;
      await inboundOffered(this.#db, one.id, taken);
      if (taken) went++;
    }
    return went;
  }

  /** null: nobody said yes, and not everybody could be asked. */
  async #takenElsewhere(one: Unrouted): Promise<boolean | null> {
    let isEverybodyAsked = this.#isComplete();
    for (const [, { db }] of this.#others()) {
      const taken = await takeForeignInbound(db, one, this.#own).catch(() => null);
      if (taken) return true;
      if (taken === null) isEverybodyAsked = false;
    }
    return isEverybodyAsked ? false : null;
  }

  #others(): [number, CellPart][] {
    return this.#cells.all().filter(([id]) => id !== this.#own);
  }

  #isComplete(): boolean {
    return this.#cells.all().length === this.#cells.cells.length;
  }
}
