// Numbers that enter the log inside messages of other systems; lines for people.
import { expect, test } from 'vitest';
import { hasColour, lineForPeople, withoutNumbers } from './log.ts';

test('a number inside the words of a carrier or an error is masked, whatever its spelling; ids and times stay', () => {
  const fields = {
    error: 'invalid destination 905550001234, also +905550001234 and 05550001234',
    words: 'no route to +4915550001234',
    order: 905550001234,
    url: 'https://example.com/hook',
    id: '1763294567890123',
  };
  expect(withoutNumbers(fields)).toEqual({
    ...fields,
    error: 'invalid destination +90555*****34, also +90555*****34 and +90555*****34',
    words: 'no route to +49155*****34',
  });
});

test('a line for people says time, level, component, event and fields; colours only where they are wanted', () => {
  const entry = { level: 40, time: Date.UTC(2026, 10, 18, 19, 44, 13), role: 'dispatch', pid: 7, msg: 'link lost' };
  expect(lineForPeople({ ...entry, carrier: 'a', reason: 'two words' }, false)).toBe(
    '22:44:13 warn  dispatch    link lost  carrier=a reason="two words"',
  );
  expect(lineForPeople(entry, true)).toContain('\x1b[33mwarn');
  expect(hasColour({})).toBe(false);
});
