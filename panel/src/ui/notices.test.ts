import { expect, test } from 'vitest';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { noticesOf } from './notices.ts';

type Live = OutputOf<'live'>;

const quiet: Live = {
  now: '2026-01-01T00:00:00.000Z',
  version: 'x',
  balance: 100,
  usedPerDay: 0,
  running: [],
  scheduled: 0,
  inboxLatest: 0,
  apiRefusals: 0,
  webhookState: 'none',
  webhookReason: null,
  webhookWaiting: 0,
  lowBalance: null,
  notices: [],
  exports: [],
  staff: null,
};
const file: Live['exports'][number] = {
  id: 1,
  kind: 'inbox',
  format: 'csv',
  state: 'ready',
  rows: 60_000,
  bytes: 5_000_000,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
  isFetched: false,
};
const newOnes = (live: Live) =>
  noticesOf(live)
    .filter(notice => notice.isNew)
    .map(notice => notice.key);

test('a quiet account has an empty bell', () => {
  expect(noticesOf(quiet)).toEqual([]);
  expect(noticesOf({ ...quiet, webhookState: 'healthy' })).toEqual([]);
});

test('a file is news when it is done and until it is fetched', () => {
  for (const state of ['waiting', 'running'] as const)
    expect(newOnes({ ...quiet, exports: [{ ...file, state }] })).toEqual([]);
  for (const state of ['ready', 'failed'] as const)
    expect(newOnes({ ...quiet, exports: [{ ...file, state }] })).toEqual(['export 1']);
  const fetched = { ...quiet, exports: [{ ...file, isFetched: true }] };
  expect([newOnes(fetched), noticesOf(fetched).length]).toEqual([[], 1]);
});

test('a balance below the chosen figure comes first', () => {
  expect(newOnes({ ...quiet, balance: 4, lowBalance: 5, webhookState: 'failing' })).toEqual(['low-balance', 'webhook']);
});

test('a webhook that fails or stands still is news', () => {
  expect(newOnes({ ...quiet, webhookState: 'failing' })).toEqual(['webhook']);
  expect(newOnes({ ...quiet, webhookState: 'paused' })).toEqual(['webhook']);
});
