import { expect, test } from 'vitest';
import { exportAddress, nameIn } from './take-export.ts';

test('a download carries the filters of its list, but not the page one stands on', () => {
  const filter = { search: 'a b&c', state: undefined, commercial: false, cursor: '9', limit: 30, from: '' };
  expect(exportAddress('orders', 'csv', 'tr', filter)).toBe(
    '/panel/api/export/orders?format=csv&language=tr&search=a+b%26c&commercial=false',
  );
});

test('the file is saved under the name that the server gave it', () => {
  expect(nameIn(`attachment; filename="peyk-inbox-1.csv"; filename*=UTF-8''peyk-inbox-1.csv`)).toBe('peyk-inbox-1.csv');
  expect(nameIn(null)).toBeNull();
});
