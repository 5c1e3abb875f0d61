// For which empty fields a wording is suggested.
import { expect, test } from 'vitest';
import { isName } from './field-names.ts';

test('a wording is suggested for empty names, and for nothing that is no name', () => {
  expect(['ad', 'Ad Soyad', 'adı', 'isim', 'soyadı', 'Müşteri', 'name', 'Surname'].filter(one => !isName(one))).toEqual(
    [],
  );
  expect(['kod', 'tutar', 'tarih', 'randevu', 'code', 'amount', 'link', 'şehir'].filter(isName)).toEqual([]);
});
