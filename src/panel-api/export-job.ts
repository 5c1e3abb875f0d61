// Downloads of more than 50,000 rows, made in the background: taken one at a time under a lease, walked page by page,
// stored in pieces, kept for a day. Any number of processes may run it.
import { findAccount } from '../accounts/account.ts';
import { now, nowMs } from '../clock.ts';
import { type Db, transaction } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { ExportKind, Language } from './contract.ts';
import { exportPages, exportTitles, type Pages } from './export-sources.ts';
import { claimExport, type ExportRow, finishExport, keepPiece, sweepExports } from './queries/export-files.ts';
import { byteOrderMark, csvLine } from './spreadsheet.ts';
import { xlsxPieces } from './xlsx-stream.ts';

const lifeMs = 24 * 3_600_000;
const leaseMs = 120_000;
const pauseMs = 2_000;
const pieceBytes = 1024 * 1024;
// A text of ten million recipients; what is larger is a matter for the API or for a narrower filter.
const fileBytesMax = 1024 * 1024 * 1024;

export function startExports(db: Db, log: Log): Loop {
  return startLoop('exports', log, async () => ((await makeNextExport(db, log)) ? 0 : pauseMs));
}

/** false when there is none to make. */
export async function makeNextExport(db: Db, log: Log): Promise<boolean> {
  await sweepExports(db, now());
  const claimed = await transaction(db, tx => claimExport(tx, now(), later(leaseMs), later(lifeMs)));
  if (!claimed) return false;
  try {
    await make(db, claimed);
  } catch (error) {
    // Asked again it would fail again: a filter that names nothing, a file beyond the bound.
    log.warn({ export: claimed.id, account: claimed.accountId, error: (error as Error).message }, 'export failed');
    await finishExport(db, claimed, 'failed', 0, later(lifeMs));
  }
  return true;
}

async function make(db: Db, one: ExportRow): Promise<void> {
  const account = await findAccount(db, one.accountId);
  if (!account) throw new Error('the account is gone');
  const kind = one.kind as ExportKind;
  const counter = { rows: 0 };
  const call = { db, account, input: one.filter };
  const pages = counted(exportPages(call, kind, one.language), counter);
  const titles = await exportTitles(call, kind, one.language);
  const content = one.format === 'csv' ? csvPieces(titles, pages, one.language) : xlsxPieces(titles, pages);
  let bytes = 0;
  let no = 0;
  for await (const piece of evenPieces(content)) {
    bytes += piece.length;
    if (bytes > fileBytesMax) throw new Error(`more than ${fileBytesMax} bytes`);
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

/** Pieces of one size: a row per megabyte, however the writer cuts its output. */
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
