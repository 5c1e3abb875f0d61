// Commands about backups, on a target that has none and on one with a backup that lacks a piece.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { type Base, names } from '../backup/catalogue.ts';
import { folderStore } from '../backup/folder-store.ts';
import { lsnOf, segmentName } from '../backup/log-position.ts';
import { Marks } from '../backup/marks.ts';
import { putJson } from '../backup/store.ts';
import { command, commandLine } from './command-fixture.ts';
import { execute } from './execute.ts';
import { momentOf } from './restore.ts';

const { database, run, json } = await commandLine();
const every = [
  command('backup'),
  command('backup list'),
  command('backup verify'),
  command('backup prune'),
  command('restore'),
];

test('without PEYK_BACKUP every command about backups says what is missing', async () => {
  for (const words of every) await expect(run(...words)).rejects.toThrow('PEYK_BACKUP is not set');
});

test('an empty target has nothing to list, to verify or to restore, and pruning takes nothing', async () => {
  const target = ['--peyk-backup', temporaryFolder()];
  expect(await run(...command('backup list'), ...target)).toBe('there is no backup');
  expect(await json(...command('backup verify'), ...target)).toMatchObject({
    ok: false,
    wrong: [expect.stringContaining('no whole backup')],
  });
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  expect(await json(...command('backup prune'), '--days', '3', ...target)).toEqual({ bases: 0, objects: 0 });
  await expect(run(...command('restore'), ...target)).rejects.toThrow('no whole backup');
});

test('backups are listed with the moments they reach, and one that lacks a piece is reported', async () => {
  const folder = temporaryFolder();
  const store = folderStore(folder);
  const key = `${names.base('aa', '20260301T000000000Z')}part-00001`;
  const parts = [{ key, bytes: 2 * 1024 ** 2, sha256: '00' }];
  const facts = { major: 18, segmentBytes: 16_777_216, program: 'test', archiveBytes: 9, system: '1', timeline: 1 };
  const lsn = { startLsn: '0/2000028', endLsn: '0/2000100' };
  const base: Base = { ...facts, ...lsn, chain: 'aa', finishedAt: '2026-03-01T09:00:00.000Z', parts };
  await putJson(store, names.baseFile(names.base('aa', '20260301T000000000Z')), base);
  const target = ['--peyk-backup', folder];
  const line = '2026-03-01 12:00:00 – 2026-03-01 12:00:00  2.0 MiB  20260301T000000000Z  aa';
  expect(await run(...command('backup list'), ...target)).toBe(`${line}  USELESS: ${key} is missing`);
  expect(await run(...command('backup verify'), ...target)).toContain(`${key} is missing`);
  process.exitCode = 0;
  await store.put(key, Buffer.from('x'));
  expect(await run(...command('backup list'), ...target)).toBe(line);
  // Before anything is made: without the key nobody could use what comes back.
  await expect(run(...command('restore'), ...target)).rejects.toThrow('server of DATABASE_URL are its own');
  const own = ['restore', ...target, '--peyk-data', temporaryFolder()];
  await expect(execute(own)).rejects.toThrow('secret.key');
  await expect(execute([...own, '--into', folder])).rejects.toThrow('is not empty');
  await expect(execute([...own, '--into', join(folder, 'new')])).rejects.toThrow(`${key} is damaged`);
  // Of what failed half-way nothing is left.
  expect(readdirSync(folder).sort()).toEqual(['chains']);
});

test('a backup whose log lacks a piece is listed with the gap, and reaches only up to it', async () => {
  const folder = temporaryFolder();
  const store = folderStore(folder);
  const segmentBytes = 16_777_216;
  const at = (n: number) => lsnOf(BigInt(n * segmentBytes));
  const segment = (n: number) => names.log('aa', segmentName(1, BigInt(n * segmentBytes), segmentBytes));
  const day = (n: number) => `2026-03-0${n}T00:00:00.000Z`;
  const facts = { major: 18, segmentBytes, program: 'test', archiveBytes: 9, system: '1', timeline: 1, parts: [] };
  const base: Base = { ...facts, startLsn: at(1), endLsn: at(1), chain: 'aa', finishedAt: day(1) };
  await putJson(store, names.baseFile(names.base('aa', '20260301T000000000Z')), base);
  const marks = new Marks(store, 'aa');
  for (let n = 1; n < 5; n++) {
    await store.put(segment(n), Buffer.from('x'));
    await marks.add({ at: day(n + 1), lsn: at(n + 1), timeline: 1 });
  }
  await putJson(store, names.reach('aa'), { at: day(5), lsn: at(5), timeline: 1 });
  const target = ['--peyk-backup', folder];
  const line = '2026-03-01 03:00:00 – 2026-03-05 03:00:00  0.0 MiB  20260301T000000000Z  aa';
  expect(await run(...command('backup list'), ...target)).toBe(line);
  await store.remove(segment(3));
  const shorter = line.replace('03-05', '03-03');
  expect(await run(...command('backup list'), ...target)).toBe(`${shorter}  GAP: ${segment(3)} is missing`);
});

test('a number is erased by command; without PEYK_BACKUP where backups are taken, and for what is no number, nothing is', async () => {
  const erase = command('privacy erase');
  expect(await json(...erase, '5550000003')).toEqual({ messages: 0, open: 0, inbound: 0, elsewhere: 0 });
  await expect(run(...erase, '12')).rejects.toThrow('is not a phone number');
  await database.pool.query("insert into backup_state (chain) values ('x')");
  await expect(run(...erase, '5550000003')).rejects.toThrow('PEYK_BACKUP is not set here');
  const target = temporaryFolder();
  await json(...erase, '5550000003', '--peyk-backup', target);
  expect(await folderStore(target).list('erasures/')).toHaveLength(1);
});

test('a moment is given with its zone, or in Turkey’s time', () => {
  expect(momentOf('2026-11-16 15:00:00').toISOString()).toBe('2026-11-16T12:00:00.000Z');
  expect(momentOf('2026-11-16 15:00').toISOString()).toBe('2026-11-16T12:00:00.000Z');
  expect(momentOf('2026-11-16T12:00:00.250Z').toISOString()).toBe('2026-11-16T12:00:00.250Z');
  for (const wrong of ['yesterday', '2026-02-30 10:00:00', '2026-11-16', ''])
    expect(() => momentOf(wrong)).toThrow('is not a time');
});
