import { expect, test } from 'vitest';
import { RecipientBook } from './book.ts';

test('a pasted table gives fields to personal texts and only those the text uses are sent', () => {
  const book = new RecipientBook();
  const summary = book.loadText('Ad\tNumara\tŞehir\nAyşe\t5550000000\tİzmir\nAli\t5550000001\t');
  expect(summary).toMatchObject({ count: 2, names: ['ad', 'numara', 'şehir'], numberColumn: 1, problem: null });
  expect(book.slice('Merhaba {ad}', 0, 2)).toEqual({
    recipients: ['5550000000', '5550000001'],
    fields: ['ad'],
    values: [['Ayşe'], ['Ali']],
  });
  expect(book.slice('Merhaba', 1, 2)).toEqual({ recipients: ['5550000001'] });
});

test('the longest row decides the counter and empty fields are counted', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000\nAbdurrahman;5550000001\n;5550000002');
  const measured = book.measure('Sayin {ad}', 'english', { ad: 'musteri' });
  expect(measured.worst).toMatchObject({ row: 1, text: 'Sayin Abdurrahman', parts: 1 });
  expect(measured.emptyFields).toEqual({ ad: 1 });
});

test('a file without rows and one without numbers each say so', () => {
  const book = new RecipientBook();
  expect(book.loadBytes(new Uint8Array()).problem).toBe('empty');
  expect(book.loadBytes(new TextEncoder().encode('ad;soyad\na;b')).problem).toBe('no-numbers');
  expect(book.reshape(true, 1)).toMatchObject({ problem: null, count: 1 });
});

test('the first row becomes a recipient when it is said to be no header', () => {
  const book = new RecipientBook();
  book.loadText('ad;numara\nAli;5550000000');
  expect(book.reshape(false, 1)).toMatchObject({ count: 2, names: ['alan1', 'alan2'] });
});
