// The counter under the text field against the server's dry run. Both use src/text; what may differ is the path: the browser's
// list of recipients fills and measures rows, the server reads a draft, fills it and prices it.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { RecipientBook } from '../../../panel/src/recipients/book.ts';
import { emptyTable } from '../../tables/read-table.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
afterAll(() => panel.stop());

const textsPerMode = 10_000;
const rowsPerCall = 500;
const modes = ['english', 'turkish', 'unicode'] as const;
const pieces = [
  ...'abcXYZ 0189',
  ...'çğıöşüÇĞİÖŞÜâîû',
  ...'€^{}[]~\\|@£$¥èéùìòΔΦΓ',
  ...['ё', '漢', '“', '’', '–', '…', '\t', '\n', '\u00a0', '\u200d', '\u0301', 'I\u0307'],
  ...['😀', '👩‍👩‍👧', '🇹🇷', '{ad}', '{ AD }', '{yok}', 'Kampanya %50 ', 'İndirim '.repeat(9), 'a'.repeat(152)],
];
const text = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...pieces), weight: 30 }, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 60,
    size: 'max',
  })
  .map(list => list.join('').replaceAll('\0', '').slice(0, 900));

const tableOf = (rows: string[][]) => ({ ...emptyTable(), rows, lines: rows.map((_, at) => at + 1) });

/** As files give them: one row per text, the text in a column of its own. */
function bookOf(texts: string[]): RecipientBook {
  const book = new RecipientBook();
  book.loadTable(
    tableOf([['numara', 'metin', 'ad'], ...texts.map((one, i) => [`55${50_000_000 + i}`, one, i % 3 ? 'Ayşe' : ' '])]),
  );
  return book;
}

test.each(modes)('in mode %s the browser counts 10,000 random texts as the server does', async mode => {
  const owner = await panel.owner();
  await owner.ok('settings.setSending', { mode });
  const texts = fc.sample(text, { numRuns: textsPerMode, seed: 20_261_115 });
  let moreThanOnePart = 0;
  for (let from = 0; from < texts.length; from += rowsPerCall) {
    const part = texts.slice(from, from + rowsPerCall);
    const book = bookOf(part);
    const template = 'Sayın {Ad}: {metin}';
    const fallbacks = { ad: 'müşterimiz' };
    const head = { sender: 'APITEST', text: template, fallbacks, sendAt: null, commercial: false };
    const rows = part.map((_, at) => book.row(at)!);
    const values = rows.map(({ fields }) => [fields['metin']!, fields['ad']!]);
    const given = { recipients: rows.map(row => row.number), fields: ['metin', 'ad'], values };
    const seen = await owner.ok('send.prepare', { ...head, ...given });
    const { worst, emptyFields } = book.measure(template, mode, fallbacks);
    const parts = part.map((_, at) => single(book, at, template, mode, fallbacks));
    expect({ ...seen.longest, line: seen.longest!.row + 2 }).toEqual(worst);
    expect(seen.credits).toBe(parts.reduce((sum, one) => sum + one, 0));
    expect(seen.emptyFields['Ad']).toBe(emptyFields['ad']);
    moreThanOnePart += parts.filter(one => one > 1).length;
  }
  // Otherwise the generated texts would be too simple.
  expect(moreThanOnePart).toBeGreaterThan(textsPerMode / 10);
});

/** The counter's result for one row. */
function single(
  whole: RecipientBook,
  at: number,
  template: string,
  mode: (typeof modes)[number],
  fallbacks: Record<string, string>,
): number {
  const { number, fields } = whole.row(at)!;
  const book = new RecipientBook();
  book.loadTable(
    tableOf([
      ['numara', 'metin', 'ad'],
      [number, fields['metin']!, fields['ad']!],
    ]),
  );
  return book.measure(template, mode, fallbacks).worst!.parts;
}

test('a text without fields is counted alike to the last character, braces and all', async () => {
  const owner = await panel.owner();
  for (const mode of modes) {
    await owner.ok('settings.setSending', { mode });
    for (const one of fc.sample(text, { numRuns: 100, seed: 7 })) {
      const book = new RecipientBook();
      book.loadText('5550000001');
      const head = { sender: 'APITEST', text: one, sendAt: null, commercial: false };
      const seen = await owner.ok('send.prepare', { ...head, recipients: ['5550000001'] });
      expect({ ...seen.longest, line: 1 }).toEqual(book.measure(one, mode, {}).worst);
    }
  }
});
