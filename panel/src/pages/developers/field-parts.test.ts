import { expect, test } from 'vitest';
import { fieldsOf } from '../../../../src/api/fields.ts';
import { operations } from '../../../../src/api/operations.ts';
import { fieldParts } from './field-parts.ts';

test('a field is shown by type, requirement and sentence, and no word of the contract is lost', () => {
  expect(fieldParts('metin, zorunlu: onaylı bir başlık: ya da APITEST')).toEqual({
    type: 'metin',
    isRequired: true,
    note: 'onaylı bir başlık: ya da APITEST',
  });
  expect(fieldParts('number, default 10')).toEqual({ type: 'number, default 10', isRequired: false, note: '' });
  const described = operations.flatMap(one => Object.values(fieldsOf(one)).flatMap(({ tr, en }) => [tr, en]));
  expect(described.length).toBeGreaterThan(20);
  for (const about of described) {
    const { type, isRequired, note } = fieldParts(about);
    expect(type, about).not.toBe('');
    const required = about.includes('zorunlu') ? ', zorunlu' : ', required';
    expect(`${type}${isRequired ? required : ''}${note && `: ${note}`}`).toBe(about);
  }
});
