// Answers and receipts of carriers are translated to verdicts and ends.
import { expect, test } from 'vitest';
import { reasons } from '../orders/reasons.ts';
import { receiptStates } from '../smpp/receipt.ts';
import { statusName } from '../smpp/status.ts';
import { receiptEnd, retryDelaysMs, submitVerdict, submitVerdicts } from './verdicts.ts';

test.each([
  [0x0b, { kind: 'failed', reason: 12 }],
  [0x0a, { kind: 'failed', reason: 13 }],
  [0x01, { kind: 'failed', reason: 19 }],
  [0x14, { kind: 'retry', reason: 17 }],
  [0x08, { kind: 'retry', reason: 17 }],
  [0x58, { kind: 'slow' }],
  [0x04, { kind: 'link' }],
  [0x0400, { kind: 'retry', reason: 13 }],
])('the answer 0x%s has its verdict', (status, verdict) => {
  expect(submitVerdict(status)).toEqual(verdict);
});

test('every status in the table is one of the standard, and every reason has a sentence for customers', () => {
  for (const [status, verdict] of Object.entries(submitVerdicts)) {
    expect(statusName(Number(status))).toMatch(/^ESME_R/);
    if ('reason' in verdict) expect(reasons[verdict.reason].tr).not.toBe('');
  }
});

test('a message is retried after growing pauses, at most five times', () => {
  expect(retryDelaysMs).toEqual([...retryDelaysMs].sort((a, b) => a - b));
  expect(retryDelaysMs.length).toBeLessThanOrEqual(5);
});

test('only a final state ends a message: one for delivery, four for failures', () => {
  const ends = receiptStates.map(state => [state, receiptEnd({ state, error: '000' })?.status ?? null]);
  expect(Object.fromEntries(ends)).toEqual({
    ENROUTE: null,
    ACCEPTD: null,
    DELIVRD: 111,
    EXPIRED: 112,
    DELETED: 112,
    UNDELIV: 112,
    UNKNOWN: null,
    REJECTD: 112,
  });
});

test('a published error number of an undelivered message gives a more precise reason', () => {
  expect(receiptEnd({ state: 'UNDELIV', error: '027' })).toEqual({ status: 112, reason: 10 });
  expect(receiptEnd({ state: 'UNDELIV', error: '001' })).toEqual({ status: 112, reason: 12 });
  expect(receiptEnd({ state: 'UNDELIV', error: '999' })).toEqual({ status: 112, reason: 10 });
  expect(receiptEnd({ state: 'DELIVRD', error: '001' })).toEqual({ status: 111, reason: 0 });
});
