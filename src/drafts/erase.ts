// Removes a number's rows from the lists of drafts. A change of a list is a change of its draft, so that a person who has it
// open is warned.
import { type Db, type Queryable, rows, run, sql, transaction } from '../db/db.ts';
import { type Eraser, inKeyOrder } from '../db/erase.ts';
import { isWritten } from '../numbers/written.ts';
import { Unreadable } from '../sealing/content.ts';
import { wholeNumber } from '../text/number-cell.ts';
import { lockDraft } from './drafts.ts';
import { packCells, readPiece } from './pieces.ts';

type Place = { draftId: number; accountId: number; no: number };

const findSql = sql<Place>('draft erase find')`
  select draft_id as "draftId", account_id as "accountId", no from send_draft_pieces
  where (draft_id, no, account_id) > ($1::bigint, $2::integer, $3::bigint) order by draft_id, no, account_id limit 100`;
const pieceSql = sql('draft erase piece')`
  update send_draft_pieces set row_count = $4, content = $5 where draft_id = $1 and account_id = $2 and no = $3`;
const countSql = sql('draft erase count')`
  update send_drafts set row_count = row_count - $3, version = version + 1 where id = $1 and account_id = $2`;

const start = { draftId: 0, no: 0, accountId: 0 };

export const eraseFromDrafts: Eraser = (db, number) =>
  inKeyOrder<Place>(
    after => {
      const { draftId, no, accountId } = after ?? start;
      return rows(db, findSql, [draftId, no, accountId]);
    },
    async places => {
      let erased = 0;
      // Loads one piece at a time, because pieces may be large.
      for (const place of places) erased += await eraseFrom(db, place, number);
      return erased;
    },
  );

/** The draft is locked only if there is something to remove. */
async function eraseFrom(db: Db, place: Place, number: number): Promise<number> {
  if ((await rowsWithout(db, place, number)).erased === 0) return 0;
  return transaction(db, async tx => {
    const { draftId, accountId, no } = place;
    await lockDraft(tx, accountId, draftId);
    const { left, erased } = await rowsWithout(tx, place, number);
    if (erased === 0) return 0;
    await run(tx, pieceSql, [draftId, accountId, no, left.length, await packCells(left)]);
    await run(tx, countSql, [draftId, accountId, erased]);
    return erased;
  });
}

/** A piece that was changed in the database cannot be read by anybody: it is removed with its draft. */
async function rowsWithout(db: Queryable, { draftId, accountId, no }: Place, number: number) {
  const cells = (await readPiece(db, accountId, draftId, no).catch(unreadable)) ?? [];
  const left = cells.filter(row => !row.some(cell => isWritten(number, wholeNumber(cell.trim()))));
  return { left, erased: cells.length - left.length };
}

function unreadable(error: unknown): string[][] {
  if (error instanceof Unreadable) return [];
  throw error;
}
