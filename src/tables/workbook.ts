// Reads one sheet of an XLSX workbook row by row in bounded memory: shared texts and number formats first, then the sheet while
// it is unpacked. Everything that a writer may leave out (cell addresses, shared texts, styles) is optional.

import { cellsMax, charactersMax, Unreadable } from './limits.ts';
import { attribute, type MarkupListener, type MarkupScanner, scanMarkup } from './markup.ts';
import { type DateForm, plainNumber, type Shown, shownBy } from './shown-cell.ts';
import { readDirectory, unfolded, type ZipEntry } from './zip.ts';

type Workbook = {
  sheets: string[];
  /** The cell texts of a row and its number in the sheet; `onShare` gets the share of the file read so far. */
  readSheet(at: number, onRow: OnRow, onShare: (share: number) => void, onGap?: OnGap): Promise<void>;
};
/** Why a cell is empty here but not in the program that wrote it. */
export type Gap = { line: number; cell: string; kind: 'formula' | 'merged' };
type OnGap = (gap: Gap) => void;
type OnRow = (cells: string[], line: number) => void;
type Parts = { file: Blob; entries: Map<string, ZipEntry>; check: () => Promise<void> };
type Relations = { byId: Map<string, string>; byType: Map<string, string> };

/** `check` is called for every piece and stops the reading by throwing. */
export async function openWorkbook(file: Blob, dates: DateForm, check: () => Promise<void>): Promise<Workbook> {
  const parts: Parts = { file, entries: await readDirectory(file), check };
  const root = await relationsOf(parts, '');
  const bookName = root.byType.get('officeDocument') ?? 'xl/workbook.xml';
  const relations = await relationsOf(parts, bookName);
  const { sheets, is1904 } = await sheetsOf(parts, bookName, relations);
  if (sheets.length === 0) throw new Unreadable('unreadable', 'no sheets');
  const shared = await sharedTexts(parts, relations.byType.get('sharedStrings'));
  const shown = await shownByStyle(parts, relations.byType.get('styles'), dates, is1904);
  return {
    sheets: sheets.map(sheet => sheet.name),
    readSheet: (at, onRow, onShare, onGap = () => {}) =>
      scanMarkup(pieces(parts, (sheets[at] ?? sheets[0])!.path, onShare), scanner =>
        sheetListener(scanner, { shared, shown, dates, is1904 }, onRow, onGap),
      ),
  };
}

async function* pieces(parts: Parts, path: string, onShare?: (share: number) => void): AsyncGenerator<Uint8Array> {
  const entry = parts.entries.get(path.toLowerCase());
  if (!entry) throw new Unreadable('unreadable', `no ${path}`);
  for await (const piece of unfolded(parts.file, entry, onShare)) {
    await parts.check();
    yield piece;
  }
}

const silent = { open: () => {}, close: () => {}, text: () => {} };

/** The targets of a part's relations: by id, and by kind (the last word of the type). */
async function relationsOf(parts: Parts, path: string): Promise<Relations> {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
  const relations: Relations = { byId: new Map(), byType: new Map() };
  const listPath = `${folder}_rels/${name}.rels`;
  if (!parts.entries.has(listPath.toLowerCase())) return relations;
  await scanMarkup(pieces(parts, listPath), () => ({
    ...silent,
    open(tag, attributes) {
      if (tag !== 'Relationship') return;
      const target = attribute(attributes, 'Target') ?? '';
      const place = target.startsWith('/') ? target.slice(1) : withoutDots(folder + target);
      const type = (attribute(attributes, 'Type') ?? '').replace(/^.*\//, '');
      relations.byId.set(attribute(attributes, 'Id') ?? '', place);
      if (!relations.byType.has(type)) relations.byType.set(type, place);
      // Sheets of charts and dialogs have no rows.
      if (/^(chart|dialog|macro)sheet$/.test(type)) relations.byId.delete(attribute(attributes, 'Id') ?? '');
    },
  }));
  return relations;
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') kept.pop();
    else if (step !== '.' && step !== '') kept.push(step);
  }
  return kept.join('/');
}

type Sheet = { name: string; path: string; isHidden: boolean };

async function sheetsOf(
  parts: Parts,
  path: string,
  relations: Relations,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const all: Sheet[] = [];
  let is1904 = false;
  await scanMarkup(pieces(parts, path), () => ({
    ...silent,
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '');
      if (tag !== 'sheet') return;
      const target = relations.byId.get(attribute(attributes, 'id') ?? '');
      const state = attribute(attributes, 'state') ?? 'visible';
      if (target) all.push({ name: attribute(attributes, 'name') ?? '', path: target, isHidden: state !== 'visible' });
    },
  }));
  // Hidden sheets are not offered, unless there is nothing else.
  const visible = all.filter(sheet => !sheet.isHidden);
  return { sheets: visible.length > 0 ? visible : all, is1904 };
}

async function sharedTexts(parts: Parts, path: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (!path || !parts.entries.has(path.toLowerCase())) return texts;
  let characters = 0;
  let current = '';
  let isReading = false;
  await scanMarkup(pieces(parts, path), scanner => ({
    open(tag) {
      if (tag === 'si') current = '';
      // Phonetic text is stored beside the text and is not part of it.
      else if (tag === 'rPh') isReading = true;
      else if (tag === 't') scanner.wantsText = !isReading;
    },
    text(text) {
      current += text;
    },
    close(tag) {
      if (tag === 't') scanner.wantsText = false;
      else if (tag === 'rPh') isReading = false;
      else if (tag === 'si') {
        characters += current.length;
        if (texts.length >= cellsMax || characters > charactersMax) throw new Unreadable('too-full');
        texts.push(ownCopy(current.trim()));
      }
    },
  }));
  return texts;
}

async function shownByStyle(
  parts: Parts,
  path: string | undefined,
  dates: DateForm,
  is1904: boolean,
): Promise<Shown[]> {
  const formats = new Map<number, string>();
  const ids: number[] = [];
  if (path && parts.entries.has(path.toLowerCase())) {
    let isInside = false;
    await scanMarkup(pieces(parts, path), () => ({
      ...silent,
      open(tag, attributes) {
        if (tag === 'cellXfs') isInside = true;
        if (tag === 'numFmt')
          formats.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '');
        if (tag === 'xf' && isInside) ids.push(Number(attribute(attributes, 'numFmtId') ?? 0));
      },
      close(tag) {
        if (tag === 'cellXfs') isInside = false;
      },
    }));
  }
  return ids.map(id => shownBy(id, formats, dates, is1904));
}

type Context = { shared: string[]; shown: Shown[]; dates: DateForm; is1904: boolean };

function sheetListener(scanner: MarkupScanner, context: Context, onRow: OnRow, onGap: OnGap): MarkupListener {
  const isoDate = shownBy(22, new Map(), context.dates, context.is1904);
  let cells: string[] = [];
  let line = 0;
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let address = '';
  let isFormula = false;
  const read: Record<string, () => string> = {
    s: () => context.shared[Number(value)] ?? '',
    b: () => (value.trim() === '1' ? 'DOĞRU' : 'YANLIŞ'),
    d: () => isoDate(Date.parse(`${value.replace(/Z$/, '')}Z`) / 86_400_000 + 25_569),
    n: () => shownNumber(value.trim(), context.shown[style]),
  };
  return {
    open(tag, attributes) {
      if (tag === 'row') {
        line = Number(attribute(attributes, 'r') ?? line + 1);
        column = -1;
        cells = [];
      } else if (tag === 'c') {
        address = attribute(attributes, 'r') ?? '';
        isFormula = false;
        column = columnOf(attribute(attributes, 'r')) ?? column + 1;
        type = attribute(attributes, 't') ?? 'n';
        style = Number(attribute(attributes, 's') ?? 0);
        value = '';
      } else if (tag === 'f') isFormula = true;
      else if (tag === 'mergeCell') reportMerged(attribute(attributes, 'ref') ?? '', onGap);
      else if (tag === 'v' || tag === 't') scanner.wantsText = true;
    },
    text(text) {
      value += text;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') scanner.wantsText = false;
      else if (tag === 'c' && value !== '') {
        // inlineStr, str (of a formula) and e (an error as shown) are already texts.
        const shown = (read[type] ?? (() => ownCopy(value.trim())))();
        if (shown !== '') placeCell(cells, column, shown);
      } else if (tag === 'c' && isFormula) onGap({ line, cell: address, kind: 'formula' });
      else if (tag === 'row') onRow(cells, line);
    },
  };
}

/** Of cells merged over several rows only the first row has the value. */
function reportMerged(range: string, onGap: OnGap): void {
  const [, first, last] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
  if (first && last && first !== last) onGap({ line: Number(first), cell: range, kind: 'merged' });
}

const columnsOfFormat = 16_384;

function placeCell(cells: string[], column: number, text: string): void {
  if (column >= columnsOfFormat) throw new Unreadable('unreadable', 'a column beyond the format');
  while (cells.length < column) cells.push('');
  cells[column] = text;
}

function shownNumber(value: string, shown: Shown | undefined): string {
  const figure = Number(value);
  return value === '' || !Number.isFinite(figure) ? value : (shown ?? plainNumber)(figure);
}

/** "BC12" → 54. */
function columnOf(address: string | undefined): number | null {
  if (!address) return null;
  let column = 0;
  for (let at = 0; at < address.length; at += 1) {
    const letter = address.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > columnsOfFormat) throw new Unreadable('unreadable', 'a column beyond the format');
  }
  return column > 0 ? column - 1 : null;
}

/** A slice of a long text keeps the whole text in memory; a copy does not. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
