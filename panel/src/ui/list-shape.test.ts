import { expect, test } from 'vitest';
import { askedOf, asNumber, filterKeys, pagings } from './list-shape.ts';
import { merged, validSearch } from './search-state.ts';

const shape = {
  search: { key: 'ara' as const, field: 'search', label: 'ara' },
  filters: [
    { key: 'siparis' as const, field: 'orderId', as: asNumber },
    { key: 'bas' as const, label: 'tarih', kind: 'days' as const },
  ],
};

test('a list asks for what its address says, in the fields of its operation', () => {
  const address = { ara: 'deneme', siparis: '4711', bas: '2026-03-01', bit: '2026-03-02', baska: 'x' };
  expect(askedOf(shape, address)).toEqual({
    search: 'deneme',
    orderId: 4711,
    from: '2026-02-28T21:00:00.000Z',
    to: '2026-03-02T20:59:59.999Z',
  });
  expect(askedOf(shape, {})).toEqual({});
  expect(filterKeys(shape)).toEqual(['ara', 'siparis', 'bas', 'bit']);
});

test('an address edited by hand breaks no list: what is no number or day asks for nothing', () => {
  for (const wrong of ['x', '-1', '1e99', '2026-02-99', '2026-13-01'])
    expect([wrong, askedOf(shape, { siparis: wrong, bas: wrong, bit: wrong })]).toEqual([wrong, {}]);
  expect(pagings.numbers.input('x')).toEqual({ page: 1 });
});

test('another filter begins at the first page, whichever way pages are named; a drawer keeps the page', () => {
  const address = { imlec: 'abc', sayfa: '3', durum: 'sending' };
  expect(merged(address, { durum: null })).toEqual({});
  expect(merged(address, { ac: '7' })).toEqual({ ...address, ac: '7' });
  expect(merged(address, { sayfa: '4' })).toEqual({ ...address, sayfa: '4' });
  expect(pagings.numbers.next({ hasMore: true }, '3')).toBe('4');
});

test('pages read the known keys of an address, and only those that have a value', () => {
  expect(validSearch({ ara: 'deneme', baslik: '', numara: 5, utm_source: 'mail' })).toEqual({ ara: 'deneme' });
});
