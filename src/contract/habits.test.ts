// A schema allows every value that its reader accepts; the reader accepts what the schema shows as usual.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkerOf } from './check.ts';
import * as habits from './habits.ts';
import { type Lenient, readingOf } from './lenient.ts';
import { type TSchema, Type } from './type.ts';

const anything = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.nat().map(String),
  fc.constantFrom(
    '',
    null,
    '1',
    '01',
    '0',
    1,
    0,
    -1,
    true,
    'a',
    'b',
    '2026-05-01',
    '2026-05-01 10:00',
    ' 2026-05-01T10:00:00 ',
  ),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.nat().map(String), fc.string(), { maxKeys: 3 }),
  fc.object({ maxDepth: 1 }),
);

/** Habit → whether a value was understood, not merely tolerated. */
const kinds: Record<string, { schema: TSchema; understood: (read: unknown, given: unknown) => boolean }> = {
  id: { schema: habits.id(), understood: read => read !== null },
  page: { schema: habits.page(), understood: read => read !== null },
  pageIfGiven: { schema: habits.pageIfGiven(), understood: read => read !== null && read !== undefined },
  rowCount: { schema: habits.rowCount(10), understood: read => read !== 10 },
  text: { schema: habits.text(), understood: read => read !== '' },
  oneOf: { schema: habits.oneOf(['a', 'b']), understood: read => read !== null },
  moment: { schema: habits.moment(), understood: read => read !== null },
  momentIfGiven: {
    schema: habits.momentIfGiven(),
    understood: (read, given) => read !== 'malformed' && given !== undefined,
  },
};

for (const [name, { schema, understood }] of Object.entries(kinds))
  test(`${name}: whatever its reading understands, its schema allows`, () => {
    const read = readingOf(schema)!;
    const faultOf = checkerOf(schema);
    fc.assert(
      fc.property(anything, given => {
        if (understood(read(given), given)) expect([given, faultOf(given)]).toEqual([given, null]);
      }),
      { numRuns: 2_000 },
    );
  });

test('a list as an array or as an object with whole numbers for keys is allowed and read alike', () => {
  const forms = checkerOf(Type.Union([...habits.listForms(Type.String(), { minItems: 1 })]));
  fc.assert(
    fc.property(anything, given => {
      const list = habits.readList(given);
      const isTexts = list !== null && list.length > 0 && list.every(one => typeof one === 'string');
      expect([given, forms(given) === null]).toEqual([given, isTexts]);
    }),
    { numRuns: 2_000 },
  );
  expect(habits.readList({ 10: 'c', 2: 'b', 0: 'a' })).toEqual(['a', 'b', 'c']);
});

test('members of what is no object are those of an empty one, and an older spelling is read too', () => {
  const schema = habits.members({ rowCount: habits.rowCount(10, { 'x-also': 'row_count' }), id: habits.id() });
  const read = (schema as Lenient)['~read'];
  for (const none of [undefined, null, 5, 'x', []]) expect(read(none)).toEqual({ rowCount: 10, id: null });
  expect(read({ row_count: '3', id: 7 })).toEqual({ rowCount: 3, id: 7 });
  expect(read({ rowCount: 2, row_count: '3' })).toEqual({ rowCount: 2, id: null });
});
