// A column of an exported file, and the forms of its cells. Each list declares its columns beside its lines.
import type { Cell } from '../../exports/spreadsheet.ts';
import { deliveryRate, shownShare } from '../../text/rate.ts';
import type { Both, Language } from '../contract/shapes.ts';
import { shownTime } from './words.ts';

/** Its title in both languages, and its cell. */
export type Column<Row> = [tr: string, en: string, cell: (row: Row, language: Language) => Cell];

export function titlesOf<Row>(columns: Column<Row>[]): Both[] {
  return columns.map(([tr, en]) => ({ tr, en }));
}

export function cellsOf<Row>(columns: Column<Row>[], row: Row, language: Language): Cell[] {
  return columns.map(([, , cell]) => cell(row, language));
}

export function timeCell(instant: string | null, language: Language): string | null {
  return instant && shownTime(new Date(instant), language);
}

/** The definition used everywhere: delivered ÷ (delivered + undelivered), in per cent with one decimal. */
export function rateCell(delivered: number, undelivered: number): number | null {
  const share = deliveryRate(delivered, undelivered);
  return share === null ? null : Math.round(shownShare(share) * 1_000) / 10;
}
