// Lists for people: columns under headings, as wide as their contents, numbers right-aligned.
import { toTurkeyTime } from '../time/clock.ts';

type Cell = string | number | Date | null | undefined;

export function table(headings: string[], lines: Cell[][]): string {
  const right = headings.map((_, i) => lines.some(line => typeof line[i] === 'number'));
  const texts = [headings, ...lines.map(line => line.map(cellText))];
  const widths = headings.map((_, i) => Math.max(...texts.map(line => line[i]!.length)));
  return texts
    .map(line =>
      line
        .map((text, i) => (right[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Times in Turkey's local time. */
function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? toTurkeyTime(cell) : String(cell);
}

/** `12.5000` becomes `12.50`: at least two decimals, more only if they are not zero. */
export function money(amount: string): string {
  const [whole, decimals = ''] = amount.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}
