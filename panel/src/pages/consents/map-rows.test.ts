import { beforeAll, expect, test } from 'vitest';
import { loadLanguage, withTexts } from '../../text/language.ts';
import { brandColumn, columnsOf, consentRows, guessMap, ofBrand, wireDate } from './map-rows.ts';

beforeAll(() => withTexts(['frame', 'recipients'], () => loadLanguage('tr')));

test('columns are found by Turkish and English names and the rest is the same for all rows', () => {
  const map = guessMap(['Telefon', 'İzin', 'TARİH']);
  expect(map).toMatchObject({ recipient: '#0', status: '#1', consentDate: '#2', type: '=MESAJ', source: '=HS_WEB' });
  expect(consentRows([['5550000000', 'RET', '15.11.2026 09:05']], columnsOf(map), map)).toEqual([
    {
      recipient: '5550000000',
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'RET',
      source: 'HS_WEB',
      consentDate: '2026-11-15 09:05:00',
    },
  ]);
});

test('a date in no known form is left for the server to refuse', () => {
  expect(wireDate('dün')).toBe('dün');
  expect(wireDate('2026-11-15 09:05')).toBe('2026-11-15 09:05:00');
  expect(wireDate('5.1.2026')).toBe('2026-01-05 00:00:00');
});

test('rows that name another brand are left out', () => {
  const place = brandColumn(['Alıcı', 'Marka kodu']);
  expect(place).toBe(1);
  expect(
    ofBrand(
      [
        ['a', '600100'],
        ['b', '600101'],
        ['c', ''],
      ],
      place,
      600_100,
    ),
  ).toEqual([0, 2]);
  expect(ofBrand([['a'], ['b']], brandColumn(['Alıcı']), 600_100)).toEqual([0, 1]);
});
