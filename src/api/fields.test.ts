import { expect, test } from 'vitest';
import { fieldsOf } from './fields.ts';
import { operations } from './operations.ts';

test('every field of the API reference is explained in Turkish', () => {
  const fields = operations.flatMap(operation => Object.entries(fieldsOf(operation)));
  expect(
    fields.filter(
      ([, { en, tr }]) => tr === '' || /string|required|default/.test(tr) || en.includes(':') !== tr.includes(':'),
    ),
  ).toEqual([]);
  expect(fieldsOf(operations[0]!)['sender']).toEqual({
    en: 'string, required: an approved sender ID, or APITEST while none is approved',
    tr: 'metin, zorunlu: onaylı bir başlık ya da hiç onaylı başlık yokken APITEST',
  });
});
