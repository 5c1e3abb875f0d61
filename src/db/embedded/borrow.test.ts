import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownData } from '../../../test/support/program/own-data.ts';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';
import { silentLog } from '../../log.ts';
import { openClient } from '../db.ts';
import { type Borrowed, borrowEmbedded } from './borrow.ts';
import { isAlive } from './liveness.ts';
import { runningEmbedded, startEmbedded } from './server.ts';

const dataDir = temporaryFolder();
const borrow = () => borrowEmbedded({ dataDir, log: silentLog, waitMs: 30_000 });

async function use(borrowed: Borrowed): Promise<unknown> {
  const client = await openClient(borrowed.connection, { name: 'peyk test', onError: () => {} });
  const answer = await client.query('select 1 as one').finally(() => client.end());
  await borrowed.close();
  return answer.rows[0].one;
}

test('a command on a folder without a database says so and creates nothing', async () => {
  const mistyped = join(dataDir, 'mistyped');
  const command = (folder: string) => borrowEmbedded({ dataDir: folder, log: silentLog, waitMs: 1_000 });
  await expect(command(mistyped)).rejects.toThrow(`There is no Peyk database in ${mistyped}`);
  expect(existsSync(mistyped)).toBe(false);
  await expect(command(dataDir)).rejects.toThrow('peyk start makes a new one');
  expect(readdirSync(dataDir)).toEqual([]);
});

test('concurrent commands without a running program share the database and stop it afterwards', async () => {
  const made = await startEmbedded({ dataDir, log: silentLog, reserveBytes: 0 });
  await made.stop();
  expect(await Promise.all([borrow().then(use), borrow().then(use), borrow().then(use)])).toEqual([1, 1, 1]);
  expect(await runningEmbedded(dataDir)).toBeNull();
});

test('a command beside a running program uses its server and leaves it running', async () => {
  const owner = await ownData(dataDir, 'database');
  expect(await use(await borrow())).toBe(1);
  expect(isAlive(owner.serverPid!)).toBe(true);
  await owner.kill();
  const adopted = await startEmbedded({ dataDir, log: silentLog, reserveBytes: 0 });
  await adopted.stop();
});
