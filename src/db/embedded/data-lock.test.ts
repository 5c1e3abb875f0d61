import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownData } from '../../../test/support/program/own-data.ts';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';
import { DataHeld, lockData } from './data-lock.ts';

test('a second program is refused, and the error names the process that holds the data', async () => {
  const dataDir = temporaryFolder();
  const owner = await ownData(dataDir, 'lock');
  try {
    const refusal = await lockData(dataDir, 'program', 60_000).catch(cause => cause);
    expect(refusal).toBeInstanceOf(DataHeld);
    expect(refusal.message).toContain(`process ${owner.pid}`);
    expect(refusal.message).toContain('PEYK_DATA');
  } finally {
    await owner.kill();
  }
  const lock = await lockData(dataDir, 'program', 0);
  lock.release();
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a lock whose process id now belongs to another process is taken over', async () => {
  const dataDir = temporaryFolder();
  const stale = { pid: process.pid, start: 'another moment', holder: 'program', token: 'old' };
  writeFileSync(join(dataDir, 'lock'), JSON.stringify(stale));
  const lock = await lockData(dataDir, 'program', 0);
  expect(JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8')).token).not.toBe('old');
  lock.release();
});

test('a lock file that a power cut left empty is taken over', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'lock'), '');
  const lock = await lockData(dataDir, 'command', 0);
  lock.release();
});

test('a program waits for a command, and is refused when the wait is over', async () => {
  const dataDir = temporaryFolder();
  const command = await lockData(dataDir, 'command', 0);
  await expect(lockData(dataDir, 'program', 0)).rejects.toMatchObject({ holder: 'command', pid: process.pid });
  const waiting = lockData(dataDir, 'program', 30_000);
  command.release();
  (await waiting).release();
});

test('exactly one of several processes that find a dead owner at once gets the lock', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: 0, start: null, holder: 'program', token: 'dead' }));
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => ownData(dataDir, 'lock')));
  const won = results.filter(result => result.status === 'fulfilled');
  for (const one of won) await one.value.kill();
  expect(won).toHaveLength(1);
  for (const one of results) if (one.status === 'rejected') expect(String(one.reason)).toContain('is in use by');
});

test('releasing twice does not take the lock from the next owner', async () => {
  const dataDir = temporaryFolder();
  const first = await lockData(dataDir, 'program', 0);
  first.release();
  const second = await lockData(dataDir, 'program', 0);
  first.release();
  await expect(lockData(dataDir, 'program', 0)).rejects.toThrow(DataHeld);
  second.release();
});
