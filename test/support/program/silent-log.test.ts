// What the check of a program's log finds.
import { expect, test } from 'vitest';
import { Sent } from './silent-log.ts';

test('a number in any spelling, a text and a hash are found; ids, times and masked numbers are not', () => {
  const sent = new Sent();
  sent.note({ authentication: { key: 'k', hash: 'abcdef123456' } });
  sent.note({ order: { message: [{ text: 'Kodunuz "42" 9931', receipents: { number: ['0555 000 12 34'] } }] } });
  const bad = ['{"to":"905550001234"}', '{"text":"Kodunuz \\"42\\" 9931"}', '{"error":"abcdef123456"}'];
  const good = ['{"time":1763294567890,"order":1234}', '{"to":"+90555*****34"}', '{"msg":"Kodunuz"}'];
  expect(sent.foundIn([...bad, ...good])).toHaveLength(3);
});
