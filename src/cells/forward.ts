// Receipts and messages from phones that arrive at the wrong cell: a carrier sends them over any of its binds. A row that matches nothing here
// is offered to the other cells and stays stored until one of them takes it. A row that every cell was asked about is not offered again.
import type { Db } from '../db/db.ts';
import { inboundOffered, takeForeignInbound, unofferedInbound } from '../inbound/receive.ts';
import { dropReceipts, receiptsOffered, takeForeignReceipts, unmatchedReceipts } from '../receipts/foreign-receipts.ts';
import type { CellPart, CellParts } from './cell-parts.ts';

/** `own`: the cell of `db`. A round returns 0 when another cell took a row: there may be more. */
export function forwarder(own: number, db: Db, cells: CellParts<CellPart>): () => Promise<number | undefined> {
  /**
   * Rows up to these ids were offered; reset to 0 at the end, for rows that were not offered to a cell because it did
   * not answer.
   */
  const after = { receipts: 0, inbound: 0 };

  async function receipts(): Promise<boolean> {
    const found = await unmatchedReceipts(db, after.receipts);
    after.receipts = found.at(-1)?.id ?? 0;
    if (found.length === 0) return false;
    const { left, isEverybodyAsked } = await offer(found, async (other, some) => {
      const taken = await takeForeignReceipts(other, some);
      await dropReceipts(db, idsOf(taken));
      return taken;
    });
    if (isEverybodyAsked) await receiptsOffered(db, idsOf(left.filter(one => one.mature)));
    return left.length < found.length;
  }

  async function inbound(): Promise<boolean> {
    const found = await unofferedInbound(db, after.inbound);
    after.inbound = found.at(-1)?.id ?? 0;
    let went = false;
    for (const one of found) {
      const { left, isEverybodyAsked } = await offer([one], async other =>
        (await takeForeignInbound(other, one, own)) ? [one] : [],
      );
      const isTaken = left.length === 0;
      if (isTaken || isEverybodyAsked) await inboundOffered(db, one.id, isTaken);
      went ||= isTaken;
    }
    return went;
  }

  /** Offers rows to each of the other cells. `take` returns those that a cell took; a cell that fails counts as not asked. */
  async function offer<Row>(rows: Row[], take: (db: Db, some: Row[]) => Promise<Row[]>) {
    let left = rows;
    let isEverybodyAsked = cells.all().length === cells.cells.length;
    for (const [id, part] of cells.all()) {
      if (id === own || left.length === 0) continue;
      const taken = await take(part.db, left).catch(() => null);
      isEverybodyAsked &&= taken !== null;
      left = left.filter(one => !taken?.includes(one));
    }
    return { left, isEverybodyAsked };
  }

  return async () => {
    if (!cells.several) return undefined;
    const went = [await receipts(), await inbound()];
    return went.includes(true) ? 0 : undefined;
  };
}

const idsOf = (rows: { id: number }[]) => rows.map(one => one.id);
