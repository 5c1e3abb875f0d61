import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';
import { silentLog } from '../../log.ts';
import { findBinaries, usablePackage } from './binaries.ts';

const stranger = { uid: 59_432, gid: 59_432 };

function packageWithoutLinks(): string {
  const root = temporaryFolder();
  for (const part of ['bin', 'lib', 'share']) mkdirSync(join(root, 'native', part), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"version":"18.4.0"}');
  writeFileSync(join(root, 'native', 'bin', 'postgres'), '#!/bin/sh\n', { mode: 0o700 });
  writeFileSync(join(root, 'native', 'lib', 'libone.so.1.2'), 'library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libone.so.1.2', target: 'native/lib/libone.so.1' }];
  writeFileSync(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  return root;
}

test('library links that no install script made are made in place', async () => {
  const root = packageWithoutLinks();
  for (let time = 0; time < 2; time++) {
    const native = await usablePackage(root, { dataDir: temporaryFolder(), identity: null, log: silentLog });
    expect(native).toBe(join(root, 'native'));
    expect(readFileSync(join(native, 'lib', 'libone.so.1'), 'utf8')).toBe('library');
  }
});

test('programs in a folder closed to the database user are copied once and opened for reading', async () => {
  const root = packageWithoutLinks();
  const dataDir = temporaryFolder();
  const native = await usablePackage(root, { dataDir, identity: stranger, log: silentLog });
  expect(native).toBe(join(dataDir, 'postgresql-18.4.0'));
  expect(readFileSync(join(native, 'lib', 'libone.so.1'), 'utf8')).toBe('library');
  expect(statSync(join(native, 'bin', 'postgres')).mode & 0o777).toBe(0o755);
  expect(statSync(join(native, 'lib', 'libone.so.1.2')).mode & 0o777).toBe(0o644);
  writeFileSync(join(native, 'mark'), '');
  expect(await usablePackage(root, { dataDir, identity: stranger, log: silentLog })).toBe(native);
  expect(existsSync(join(native, 'mark'))).toBe(true);
});

test('data of a major version that nobody can serve is refused with the ways out', async () => {
  const wanted = { dataMajor: 9, dataDir: temporaryFolder(), identity: null, log: silentLog };
  await expect(findBinaries(wanted)).rejects.toThrow(/PostgreSQL 9, which wrote the data.*DATABASE_URL/);
});

test('an explicit folder is the only one that counts', async () => {
  const binDir = temporaryFolder();
  chmodSync(binDir, 0o755);
  const wanted = { binDir, dataMajor: null, dataDir: temporaryFolder(), identity: null, log: silentLog };
  await expect(findBinaries(wanted)).rejects.toThrow('PEYK_POSTGRES_BIN');
});
