// Sealed texts are searched in the program, unsealed ones in the database: both find the same.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { foldTurkish } from '../../text/fold-turkish.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('Turkish letters are folded alike in the program and in the database', async () => {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i));
  // Folding of other letters depends on the server's locale.
  const letters = [...ascii, ...'İIıÇĞÖŞÜçğöşüÂâÎîÛû'];
  const text = `select u.letter, fold_turkish(u.letter) as folded from unnest($1::text[]) u(letter)`;
  const { rows } = await database.pool.query(text, [letters]);
  expect(rows).toHaveLength(letters.length);
  expect(rows.filter(one => foldTurkish(one.letter) !== one.folded)).toEqual([]);
});
