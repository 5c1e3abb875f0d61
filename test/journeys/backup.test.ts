// Restoring a backup: under traffic the machine is lost, and the data of a chosen moment are restored elsewhere. Orders
// answered 200 before it are there, erased data are not, people who refused since get no message, nothing is sent before the
// operator allows it, and the ledger is right. The target is a bucket whose service fails at times; a copy of it in a folder
// becomes another server's data directory.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listBases, names } from '../../src/backup/catalogue.ts';
import { planRestores, requireReach } from '../../src/backup/choose.ts';
import { folderStore } from '../../src/backup/folder-store.ts';
import { type Bucket, s3Store } from '../../src/backup/s3-store.ts';
import type { Store } from '../../src/backup/store.ts';
import { verify } from '../../src/backup/verify.ts';
import { openPool } from '../../src/db/db.ts';
import { startEmbedded } from '../../src/db/embedded/server.ts';
import { silentLog } from '../../src/log.ts';
import { brandCode, consentEntry, consentQuery } from '../support/customers/samples.ts';
import { SteadyTraffic } from '../support/customers/steady-traffic.ts';
import { startBucket } from '../support/peers/bucket.ts';
import { Customer, Program, startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

test('a machine that is lost under traffic comes back as it was at the chosen moment, held, with every order answered 200 before, without what was erased since and with who refused since', async () => {
  const folder = temporaryFolder();
  const { bucket, faults } = await startBucket();
  const store = s3Store(bucket);
  // Of the first base backup: it goes on where it was, without a second one.
  faults.push({ method: 'PUT', fault: 'busy' }, { method: 'PUT', fault: 'cut' }, { method: 'GET', fault: 'busy' });
  const env = {
    ...settingsOf(bucket),
    PEYK_BACKUP_LAG_SECONDS: '1',
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const lost = await startProgram({ env });
  const customer = await lost.account({ credits: 9_000, senders: ['PEYK'], brand: brandCode });
  const traffic = new SteadyTraffic(7);
  traffic.start([customer]);
  const base = await wait('the first backup', async () => (await listBases(store))[0]);
  await traffic.more(20);
  const readAgain = async () =>
    (await (await lost.db()).query('select damage from backup_state where verified_at is not null')).rows[0];
  expect(await wait('it to be read again by itself', readAgain)).toEqual({ damage: null });

  const [first] = traffic.accepted;
  await customer.finished(first!.id);
  const before = traffic.accepted.map(one => one.id);
  const at = new Date();
  expect(await lost.cli('privacy', 'erase', first!.number)).toMatchObject({ messages: 1, open: 0 });
  await refuse(customer);
  const refusedAt = Date.now();
  await traffic.more(20);
  const reached = (moment: number) =>
    wait('the archive to reach beyond a moment', async () => {
      const reach = await requireReach(store, base.chain);
      return reach !== null && Date.parse(reach.at) > moment;
    });
  await reached(refusedAt);
  // From here on in a segment that the restore of the moment does not need.
  await (await lost.db()).query('select pg_switch_wal()');
  await traffic.more(5);
  await reached(Date.now());
  const last = traffic.accepted.at(-1)!.id;
  await traffic.stop();
  lost.signal('first', 'SIGKILL');
  await lost.exited();
  await wait('the others to end', () => lost.processes().length === 0);
  process.kill(lost.postmaster()!, 'SIGKILL');

  expect(await verify(store)).toMatchObject({ ok: true, wrong: [] });
  expect(faults).toEqual([]);
  await damaged(store, base.parts[0]!.key, async () => {
    expect((await verify(store)).wrong).toEqual([expect.stringContaining('is damaged')]);
  });

  const back = new Program({ data: join(folder, 'back'), env: { ...env, ...keysOf(lost) } });
  const [brought, elsewhere] = await Promise.all([
    back.cli('restore', '--at', at.toISOString()),
    recoveredByServer(back, await damagedAfter(at, await copied(store, join(folder, 'copy'))), at),
  ]);
  expect(brought).toMatchObject({
    at: at.toISOString(),
    from: base.finishedAt,
    erasures: 1,
    refusals: 2,
    audit: { ok: true },
  });
  expect(elsewhere).toEqual(expect.arrayContaining(before));
  expect(elsewhere).not.toContain(last);
  await expect(back.cli('restore')).rejects.toThrow('holds a database');
  const restored = await startProgram({ data: back.data, env: back.env });
  expect(await restored.cli('dispatch', 'status')).toMatchObject({ held: true, reason: 'other-timeline' });
  const there = new Customer(restored, customer.id, customer.key, customer.hash);
  const reports = await Promise.all(
    before.map(id => there.call('get-report', { order: { id, page: 1, rowCount: 1 } })),
  );
  expect(reports.map(one => one.code)).toEqual(before.map(() => 200));
  // Erased after that moment, so the data of that moment had it still.
  expect((await there.report(first!.id)).message.map(one => one.number)).toEqual(['***']);
  expect((await there.call('get-report', { order: { id: last, page: 1, rowCount: 1 } })).code).not.toBe(200);
  expect(await refused(there)).toEqual([['+905550009999'], 'RET']);
  expect(await restored.audit()).toEqual({ ok: true, findings: [] });
  const fresh = await there.send('Yeniden', ['5550000001'], { sender: 'PEYK' });
  // Also of orders that were answered after the moment and are gone, no id is given again.
  expect(Number(fresh) - Number(last)).toBeGreaterThan(500_000_000);
  await restored.cli('dispatch', 'release', '--close');
  expect(await there.finished(fresh)).toMatchObject({ status: 114, delivered: 1 });
  // Its history is another one from here on, under another name.
  const next = await wait('a backup of the restored data', async () =>
    (await listBases(store)).find(one => one.chain !== base.chain),
  );
  expect(await restored.cli('backup')).toMatchObject({ chain: next.chain, isArchived: true });
});

const person = { recipient: '+905550009998' };

async function refuse(customer: Customer): Promise<void> {
  const list = [consentEntry({ ...person, status: 'RET' })];
  const calls = [
    await customer.call('add-blacklist', { blacklist: { number: '905550009999' } }),
    await customer.call('consent/create', { consent: { brandCode, list } }),
  ];
  expect(calls.map(one => one.code)).toEqual([200, 200]);
}

/** Whom the blacklist names, and what the person said last. */
async function refused(customer: Customer): Promise<unknown[]> {
  const listed = await customer.call('get-blacklist', { blacklist: { page: '1', rowCount: '10' } });
  const checked = await customer.call('consent/show', { consent: consentQuery(person) });
  return [listed.response.blacklist!.number, checked.response.consent!.status];
}

function keysOf(program: Program): Record<string, string> {
  return { PEYK_DEMO_KEY: program.demo.key, PEYK_DEMO_HASH: program.demo.hash };
}

function settingsOf({ url, endpoint, keyId, secret }: Bucket): Record<string, string> {
  return {
    PEYK_BACKUP: url,
    PEYK_BACKUP_S3_ENDPOINT: endpoint,
    PEYK_BACKUP_S3_KEY_ID: keyId,
    PEYK_BACKUP_S3_SECRET: secret,
  };
}

/** With one bit turned, for as long as the check takes. */
async function damaged(store: Store, key: string, check: () => Promise<void>): Promise<void> {
  const whole = (await store.get(key))!;
  const other = Buffer.from(whole);
  const at = Math.floor(other.length / 2);
  other[at] = other[at]! ^ 1;
  await store.put(key, other);
  await check();
  await store.put(key, whole);
}

/** The newest segment of the log is garbage: it begins after the moment. */
async function damagedAfter(at: Date, folder: string): Promise<string> {
  const store = folderStore(folder);
  const [plan] = (await planRestores(store, at)).plans;
  const logs = (await store.list(names.logs(plan.base.chain))).map(one => one.key);
  const last = logs.at(-1)!;
  expect(plan.log.map(one => one.key)).not.toContain(last);
  await store.put(last, randomBytes(1_000));
  return folder;
}

async function copied(from: Store, folder: string): Promise<string> {
  const to = folderStore(folder);
  for (const { key } of await from.list('')) await to.put(key, (await from.get(key))!);
  return folder;
}

/** Orders that a server finds when it starts on what `restore --into` made of the folder. */
async function recoveredByServer(program: Program, target: string, at: Date): Promise<string[]> {
  const dataDir = join(target, 'server');
  mkdirSync(dataDir);
  const into = ['--at', at.toISOString(), '--into', join(dataDir, 'postgres'), '--peyk-backup', target];
  expect(await program.cli('restore', ...into)).toMatchObject({ at: at.toISOString(), unpacked: into[3] });
  const server = await startEmbedded({ dataDir, log: silentLog, reserveBytes: 0 });
  const db = openPool(server.connection, { max: 1, name: 'peyk test', onError: () => {} });
  try {
    await wait('its recovery', async () => {
      const { rows } = await db.query('select pg_is_in_recovery() as recovering');
      return rows[0].recovering === false;
    });
    return (await db.query('select id from orders')).rows.map(one => String(one.id));
  } finally {
    await db.end();
    await server.stop();
  }
}
