// Downloads made during the request: up to 50,000 rows, complete before the answer begins, so that a refusal is an answer and
// not a broken file. Larger ones are made in the background (src/exports).

import { type Db, transaction } from '../../db/db.ts';
import { type ExportRow, exportLines, queueExport } from '../../exports/export-files.ts';
import type { ExportCall } from '../../exports/export-job.ts';
import { byteOrderMark, type Cell, csvLine } from '../../exports/spreadsheet.ts';
import { xlsxFile } from '../../exports/xlsx-stream.ts';
import { notedText } from '../../sealing/content.ts';
import { toTurkeyTime } from '../../time/clock.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { type ExportKind, exportKinds, exportRowsMax, memberRoles } from '../contract/facts.ts';
import { iso, type Members } from '../contract/input.ts';
import type { Language } from '../contract/shapes.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { ExportLine } from './contract.ts';
import { exportPages, exportTitles } from './sources.ts';
import { fileWords } from './words.ts';

export type Download = { fileName: string; type: string; body: AsyncGenerator<Buffer> | Buffer };

const formats = ['csv', 'xlsx'] as const;
export const fileTypes: Record<(typeof formats)[number], string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type Named = { kind: ExportKind; format: string; language: Language; filter: Members; at: Date };

/** In the caller's language; names the order if the list belongs to one. */
export function fileNameOf({ kind, format, language, filter, at }: Named): string {
  const order = kind === 'recipients' ? `-${fileWords.order[language]}-${Number(filter['id'])}` : '';
  const time = toTurkeyTime(at).slice(0, 16).replace(/[ :]/g, '-');
  return `peyk-${fileWords[kind][language]}${order}-${time}.${format}`;
}

export async function makeExport(
  call: ExportCall & Pick<AccountCall, 'now'>,
  kind: ExportKind,
  format: 'csv' | 'xlsx',
  language: Language,
): Promise<Download> {
  const all: Cell[][] = [];
  for await (const page of exportPages(call, kind, language)) {
    all.push(...page);
    if (all.length > exportRowsMax) throw new PanelRefusal('too-many-rows');
  }
  const titles = await exportTitles(call, kind, language);
  const body =
    format === 'xlsx'
      ? await xlsxFile(titles, all)
      : Buffer.from(byteOrderMark + [titles, ...all].map(row => csvLine(row, language)).join(''));
  return {
    fileName: fileNameOf({ kind, format, language, filter: call.input, at: call.now }),
    type: fileTypes[format],
    body,
  };
}

export const exportHandlers = {
  async 'exports.start'(call) {
    const { kind, format, language } = call.input;
    if (!mayExport(kind, call.role)) throw new PanelRefusal('forbidden');
    const { cursor: _, limit: __, ...filter } = call.input.filter;
    // The first page is read now, so that an invalid filter is refused and not queued.
    await exportPages({ ...call, input: filter }, kind, language).next();
    const asked = { kind, format, language, filter };
    const id = await transaction(call.db, tx => queueExport(tx, call.account.id, asked));
    if (id === null) throw new PanelRefusal('too-many-exports');
    await auditEntry(call, 'export', { kind, ...notedFilter(filter) });
    return { id };
  },
} satisfies Partial<Handlers>;

/** As the audit log names it. */
export function notedFilter(filter: Members): Members {
  const noted = { ...filter };
  for (const name of ['text', 'search']) if (typeof noted[name] === 'string') noted[name] = notedText(noted[name]);
  return noted;
}

function mayExport(kind: ExportKind, role: AccountCall['role']): boolean {
  return memberRoles.indexOf(role) >= memberRoles.indexOf(exportKinds[kind]);
}

/** The account's large downloads that this person may fetch. */
export async function shownExports(
  db: Db,
  accountId: number,
  role: AccountCall['role'],
  now: Date,
): Promise<ExportLine[]> {
  const lines = await exportLines(db, accountId, now);
  return lines.filter(one => mayExport(one.kind as ExportKind, role)).map(showExport);
}

function showExport(one: ExportRow): ExportLine {
  const { id, format, state, rowCount, bytes, isFetched } = one;
  const times = { createdAt: iso(one.createdAt), expiresAt: iso(one.expiresAt) };
  return { id, kind: one.kind as ExportKind, format, state, rows: rowCount, bytes, isFetched, ...times };
}
