import { expect, test } from 'vitest';
import type { SendPreview } from '../../../src/panel-api/send/contract.ts';
import { emptyTable } from '../../../src/tables/read-table.ts';
import { RecipientBook } from './book.ts';

const tableOf = (rows: string[][]) => ({ ...emptyTable(), rows, lines: rows.map((_, at) => at + 1) });

test('a pasted table gives fields to personal texts, and its list goes to the server with its shape', () => {
  const book = new RecipientBook();
  const summary = book.loadText('Ad\tNumara\tŞehir\nAyşe\t5550000000\tİzmir\nAli\t5550000001\t');
  expect(summary).toMatchObject({ count: 2, names: ['ad', 'numara', 'şehir'], numberColumn: 1, problem: null });
  const local = book.local(null);
  expect(local.shape).toEqual({ fileName: null, header: true, numberColumn: 1, names: ['ad', 'numara', 'şehir'] });
  expect(local.rows).toHaveLength(3);
  const other = new RecipientBook();
  expect(other.resume(local.rows, local.shape)).toMatchObject({ count: 2, names: summary.names, numberColumn: 1 });
  expect(other.typed()).toBe('Ad\tNumara\tŞehir\nAyşe\t5550000000\tİzmir\nAli\t5550000001\t');
});

test('looking through the messages leaves out the rows that get none', () => {
  const book = new RecipientBook();
  book.loadText('5550000000\n123\n5550000000\n5550000001');
  const samples = { ...noRows(), invalid: [{ row: 1, number: '123' }], duplicate: [{ row: 2, number: '5550000000' }] };
  book.passOver(samples);
  expect([book.next(1, 1)?.at, book.next(2, -1)?.at, book.next(4, 1)]).toEqual([3, 0, null]);
});

test('the longest row decides the counter and empty fields are counted', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000\nAbdurrahman;5550000001\n;5550000002');
  const measured = book.measure('Sayin {ad}', 'english', { ad: 'musteri' });
  expect(measured.worst).toMatchObject({ row: 1, line: 3, text: 'Sayin Abdurrahman', parts: 1 });
  expect(measured.emptyFields).toEqual({ ad: 1 });
});

test('rows that get no message count neither as the longest nor for their empty fields', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000\nAbdurrahman;123\n;124\n;5550000002');
  const invalid = [
    { row: 1, number: '123' },
    { row: 2, number: '124' },
  ];
  book.passOver({ ...noRows(), invalid });
  const measured = book.measure('Sayin {ad}', 'english', {});
  expect(measured.worst).toMatchObject({ row: 0, line: 2, text: 'Sayin Ali' });
  expect(measured.emptyFields).toEqual({ ad: 1 });
});

test('a file without numbers says so, and a column can be chosen', () => {
  const book = new RecipientBook();
  expect(
    book.loadTable(
      tableOf([
        ['ad', 'soyad'],
        ['a', 'b'],
      ]),
    ),
    // Its rows are counted all the same: the page must not call the file empty.
  ).toMatchObject({ problem: 'no-numbers', count: 0, rowCount: 1 });
  expect(book.reshape(true, 1)).toMatchObject({ problem: null, count: 1 });
});

test('a file that cannot be read leaves nothing of the file before it', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000');
  expect(book.loadTable(emptyTable('unreadable'))).toMatchObject({ problem: 'unreadable', count: 0, names: [] });
});

test('the first row becomes a recipient when it is said to be no header', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000');
  expect(book.reshape(false, 1)).toMatchObject({ count: 2, names: ['alan1', 'alan2'] });
});

test('rows that the server names are found by their lines in the file', () => {
  const book = new RecipientBook();
  // The header is line 1, lines 3, 5 and 6 are blank.
  const rows = [['numara'], ['5550000001'], ['5550000001'], ['123']];
  book.loadTable({ ...emptyTable(), rows, lines: [1, 2, 4, 7] });
  const invalid = [{ row: 2, number: '123', fault: 'too-short' as const }];
  const duplicate = [{ row: 1, number: '5550000001' }];
  const answered = { rows: { ...noRows(), invalid, duplicate }, longest: null } as unknown as SendPreview;
  const shown = book.inFile(answered);
  expect(shown.rows.invalid).toEqual([{ line: 7, number: '123', fault: 'too-short' }]);
  expect(shown.rows.duplicate).toEqual([{ line: 4, number: '5550000001' }]);
});

function noRows(): SendPreview['rows'] {
  return { invalid: [], duplicate: [], blacklisted: [], nonConsented: [] };
}
