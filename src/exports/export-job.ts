// Makes downloads of more than 50,000 rows in the background: one at a time under a lease, walked page by page, stored in
// pieces, kept for a day. Any number of processes may run it.
import { type Account, findAccount } from '../accounts/account.ts';
import { type Db, transaction } from '../db/db.ts';
import type { Log } from '../log.ts';
import { now, nowMs } from '../time/clock.ts';
import { claimExport, type ExportRow, finishExport, keepPiece, sweepExports } from './export-files.ts';
import { byteOrderMark, type Cell, csvLine, type Language } from './spreadsheet.ts';
import { xlsxPieces } from './xlsx-stream.ts';

const lifeMs = 24 * 3_600_000;
const leaseMs = 120_000;
const pieceBytes = 1024 * 1024;
// The size of a text file with ten million recipients; larger exports need a narrower filter or the API.
const fileBytesMax = 1024 * 1024 * 1024;

export type Pages = AsyncGenerator<Cell[][]>;
/** The request of a download: who asked, for which list, with which filter. */
export type ExportCall = { db: Db; account: Account; input: Record<string, unknown> };
/** Yields the rows of a list, a page at a time. The owner of the lists passes it to the job. */
export type ExportSource = (
  call: ExportCall,
  kind: string,
  language: Language,
) => { titles: () => Promise<string[]>; pages: Pages };

/** Returns false if no export is pending. */
export async function makeNextExport(db: Db, log: Log, source: ExportSource): Promise<boolean> {
  await sweepExports(db, now());
  const claimed = await transaction(db, tx => claimExport(tx, now(), later(leaseMs), later(lifeMs)));
  if (!claimed) return false;
  try {
    await make(db, claimed, source);
  } catch (error) {
    // A repeat would fail again: an invalid filter, or a file beyond the limit.
    log.warn({ export: claimed.id, account: claimed.accountId, error: (error as Error).message }, 'export failed');
    await finishExport(db, claimed, 'failed', 0, later(lifeMs));
  }
  return true;
}

async function make(db: Db, one: ExportRow, source: ExportSource): Promise<void> {
  const account = await findAccount(db, one.accountId);
  if (!account) throw new Error(`account ${one.accountId} does not exist any more`);
  const counter = { rows: 0 };
  const made = source({ db, account, input: one.filter }, one.kind, one.language);
  const pages = counted(made.pages, counter);
  const titles = await made.titles();
  const content = one.format === 'csv' ? csvPieces(titles, pages, one.language) : xlsxPieces(titles, pages);
  let bytes = 0;
  let no = 0;
  for await (const piece of evenPieces(content)) {
    bytes += piece.length;
    if (bytes > fileBytesMax) throw new Error(`the file has more than ${fileBytesMax} bytes: narrow the filter`);
    if (!(await keepPiece(db, one, no++, piece, counter.rows, later(leaseMs)))) return;
  }
  await finishExport(db, one, 'ready', counter.rows, later(lifeMs));
}

function later(ms: number): Date {
  return new Date(nowMs() + ms);
}

async function* counted(pages: Pages, counter: { rows: number }): Pages {
  for await (const page of pages) {
    counter.rows += page.length;
    yield page;
  }
}

async function* csvPieces(titles: string[], pages: Pages, language: Language): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvLine(titles, language));
  for await (const page of pages) yield Buffer.from(page.map(row => csvLine(row, language)).join(''));
}

/** Cuts the writer's output into pieces of equal size, a row per megabyte. */
async function* evenPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    held.push(piece);
    size += piece.length;
    if (size < pieceBytes) continue;
    const whole = Buffer.concat(held);
    let at = 0;
    for (; whole.length - at >= pieceBytes; at += pieceBytes) yield whole.subarray(at, at + pieceBytes);
    held = [whole.subarray(at)];
    size = whole.length - at;
  }
  if (size > 0) yield Buffer.concat(held);
}
