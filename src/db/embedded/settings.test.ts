import { expect, test } from 'vitest';
import { settingsFor } from './settings.ts';

const gib = 1024 ** 3;

test('a large machine gets at most 512 MB of shared buffers and 4 GB of WAL', () => {
  expect(settingsFor(64 * gib, 500 * gib)).toMatchObject({ shared_buffers: '512MB', max_wal_size: '4096MB' });
});

test('a small machine gives a quarter of its memory and of its free disk', () => {
  expect(settingsFor(gib, 4 * gib)).toMatchObject({ shared_buffers: '256MB', max_wal_size: '1024MB' });
  expect(settingsFor(0.1 * gib, 0.1 * gib)).toMatchObject({ shared_buffers: '32MB', max_wal_size: '256MB' });
});
