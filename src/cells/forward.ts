// Receipts and messages from phones that arrive at the wrong cell: a carrier sends them over any of its binds. A row that matches nothing here
// is offered to the other cells and stays stored until one of them takes it. A row that every cell was asked about is not offered again.
import type { Db } from '../db/db.ts';
import { inboundOffered, takeForeignInbound, unofferedInbound } from '../inbound/receive.ts';
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
    const { left, isEverybodyAsked } = await this.#offer(found, async (db, some) => {
      const taken = await takeForeignReceipts(db, some);
      await dropReceipts(this.#db, idsOf(taken));
      return taken;
    });
    if (isEverybodyAsked) await receiptsOffered(this.#db, idsOf(left.filter(one => one.mature)));
    return found.length - left.length;
  }

  async #inbound(): Promise<number> {
    const found = await unofferedInbound(this.#db, this.#inboundAfter);
    this.#inboundAfter = found.at(-1)?.id ?? 0;
    let went = 0;
    for (const one of found) {
      const offered = await this.#offer([one], async db =>
        (await takeForeignInbound(db, one, this.#own)) ? [one] : [],
      );
      const isTaken = offered.left.length === 0;
      if (isTaken || offered.isEverybodyAsked) await inboundOffered(this.#db, one.id, isTaken);
      if (isTaken) went++;
    }
    return went;
  }

  /** Offers rows to each of the other cells. `take` returns those that a cell took; a cell that fails counts as not asked. */
  async #offer<Row>(rows: Row[], take: (db: Db, some: Row[]) => Promise<Row[]>) {
    let left = rows;
    let isEverybodyAsked = this.#cells.all().length === this.#cells.cells.length;
    for (const [id, { db }] of this.#cells.all()) {
      if (id === this.#own || left.length === 0) continue;
      const taken = await take(db, left).catch(() => null);
      isEverybodyAsked &&= taken !== null;
      left = left.filter(one => !taken?.includes(one));
    }
    return { left, isEverybodyAsked };
  }
}

const idsOf = (rows: { id: number }[]) => rows.map(one => one.id);
