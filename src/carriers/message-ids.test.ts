// One id, two spellings: answers and receipts of the same carrier.
import { expect, test } from 'vitest';
import { normaliseMessageId } from './message-ids.ts';

test.each([
  ['1A2B', 'hex', '0006699', 'decimal'],
  ['00001a2b', 'hex', '6699', 'text'],
  ['0000123', 'text', '123', 'decimal'],
  ['AbC-17', 'text', ' abc-17 ', 'text'],
  ['0', 'text', '000', 'decimal'],
] as const)('%s as %s is %s as %s', (answer, answerFormat, receipt, receiptFormat) => {
  expect(normaliseMessageId(answer, answerFormat)).toBe(normaliseMessageId(receipt, receiptFormat));
});

test('an id that is no number stays what it is, whatever the format', () => {
  expect(normaliseMessageId('xyz-1', 'hex')).toBe('xyz-1');
  expect(normaliseMessageId('', 'hex')).toBe('');
});

test('what a carrier sends can always be stored: no NUL, nothing unprintable, at most 128 characters', () => {
  expect(normaliseMessageId('a\0b\u00ffc', 'text')).toBe('a?b?c');
  expect(normaliseMessageId('7'.repeat(500), 'text')).toHaveLength(128);
  expect(normaliseMessageId('f'.repeat(500), 'hex')).toHaveLength(128);
});
