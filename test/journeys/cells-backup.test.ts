// A cell whose server is lost comes back from its own part of the target while everything else works on.
import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listBases } from '../../src/backup/catalogue.ts';
import { requireReach } from '../../src/backup/choose.ts';
import { folderStore } from '../../src/backup/folder-store.ts';
import { verify } from '../../src/backup/verify.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/server.ts';
import { silentLog } from '../../src/log.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

const urlOf = ({ connection: { host, user, database } }: EmbeddedDatabase) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

async function customerIn(program: Program, cell: string): Promise<Customer> {
  const made = await program.cli<{ id: string; key: string; hash: string }>(
    ...['account', 'create', '--name', `Hesap ${cell}`, '--cell', cell],
  );
  await program.cli('credit', 'grant', made.id, '1000', '--reason', 'test');
  return new Customer(program, made.id, made.key, made.hash);
}

test('a cell that is lost comes back as it was at the chosen moment, held, without what was erased since, and the others work on', async () => {
  const folder = temporaryFolder();
  const [dataDir, target] = [join(folder, 'cell'), join(folder, 'target')];
  const start = () => startEmbedded({ dataDir, log: silentLog, reserveBytes: 0 });
  let server = await start();
  atEndOfFile(() => server.stop());
  const PEYK_SECRET_KEY = randomBytes(32).toString('base64');
  const program = await startProgram({
    env: { PEYK_BACKUP: target, PEYK_BACKUP_LAG_SECONDS: '1', PEYK_SECRET_KEY, PEYK_WORKERS: '1' },
  });
  await program.cli('carrier', 'add', '--name', 'simulator', '--binds', '2');
  await program.cli('cell', 'add', urlOf(server));
  const [atHome, inCell] = [await customerIn(program, '0'), await customerIn(program, '1')];
  const store = folderStore(join(target, 'cells', '1'));
  const base = await wait('its first backup', async () => (await listBases(store))[0]);
  const numbers = plainNumbers(4);
  const before = [await inCell.send('Bir', [numbers[0]!]), await inCell.send('İki', [numbers[1]!])];
  for (const id of before) await inCell.finished(id);
  const at = new Date();
  expect(await program.cli('privacy', 'erase', numbers[0]!)).toMatchObject({ messages: 1, open: 0 });
  const last = await inCell.send('Son', [numbers[2]!]);
  await wait('the archive to reach the moment', async () => {
    const reach = await requireReach(store, base.chain);
    return reach !== null && Date.parse(reach.at) > at.getTime();
  });

  await server.stop();
  renameSync(join(dataDir, 'postgres'), join(folder, 'lost'));
  expect(await verify(store)).toMatchObject({ ok: true, wrong: [] });
  await wait('the account to be refused', async () => (await inCell.trySend('Yok', [numbers[3]!])).code === 503);
  const meanwhile = await atHome.send('Evde', [numbers[3]!]);
  expect((await atHome.finished(meanwhile)).status).toBe(114);
  const into = ['--at', at.toISOString(), '--into', join(dataDir, 'postgres')];
  await program.cli('restore', ...into, '--peyk-backup', join(target, 'cells', '1'));

  server = await start();
  const report = (id: string) => inCell.call('get-report', { order: { id, page: 1, rowCount: 10 } });
  await wait('its recovery', async () => (await report(before[0]!)).code === 200);
  expect((await report(before[1]!)).code).toBe(200);
  expect((await report(last)).code).not.toBe(200);
  await wait('what was erased to be erased again', async () =>
    (await report(before[0]!)).response.order!.message.every(one => one.number === '***'),
  );
  const isHeld = async () => (await program.cli<{ held: boolean }>('dispatch', 'status', '--cell', '1')).held;
  await wait('sending to be held there', isHeld);
  const waiting = await inCell.send('Bekler', [numbers[3]!]);
  const again = await atHome.send('Yine evde', [numbers[2]!]);
  expect((await atHome.finished(again)).status).toBe(114);
  expect((await inCell.report(waiting)).waiting).toBe(1);
  await program.cli('dispatch', 'release');
  expect((await inCell.finished(waiting)).status).toBe(114);
  expect(await program.cli('audit')).toEqual({ ok: true, findings: [] });
});
