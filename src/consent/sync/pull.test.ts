// Changes made elsewhere, outages, and a worker that is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startScene } from '../../../test/support/peers/consent-scene.ts';
import { projectRoot } from '../../db/version.ts';
import { setClock } from '../../time/clock.ts';
import { addBrand } from '../brands.ts';
import { reconciledSource } from './reconcile.ts';
import { consentSyncState } from './state.ts';
import { startConsentSync } from './sync.ts';
import { draft, numbered, type Scene } from './sync-fixture.ts';

const one = numbered(1);
const two = numbered(2);
const hour = 3_600_000;
let scene: Scene;
let aheadMs: number;
let restoreClock: () => void;

beforeEach(async () => {
  aheadMs = 0;
  restoreClock = setClock(() => Date.now() + aheadMs);
  scene = await startScene({ now: () => Date.now() + aheadMs });
});
afterEach(async () => {
  restoreClock();
  await scene.close();
});

const pulled = async () => (await scene.stored()).filter(record => record.origin === 'registry');

test('a citizen’s RET made elsewhere is pulled and blocks the next commercial send', async () => {
  await scene.register(draft(one), draft(two));
  await scene.sync();
  expect(await scene.blocked(905550000001, 905550000002)).toEqual([0, 0]);
  await scene.citizen(one, 'RET');
  expect(await scene.sync()).toEqual({ sent: 0, accepted: 0, refused: 0, pulled: 1 });
  expect(await pulled()).toMatchObject([{ recipient: one, status: 'RET', source: 'IYS_WEB', state: 'accepted' }]);
  expect(await scene.blocked(905550000001, 905550000002)).toEqual([3, 0]);
});

test('pulling again adds nothing, even from the beginning', async () => {
  await scene.citizen(one, 'ONAY');
  await scene.citizen(two, 'RET');
  expect((await scene.sync()).pulled).toBe(2);
  expect((await scene.sync()).pulled).toBe(0);
  await scene.db.query('update consent_cursors set after = null');
  expect((await scene.sync()).pulled).toBe(0);
  expect(await pulled()).toHaveLength(2);
});

test('two decisions of one second share a transaction id, are both kept, and the later one holds', async () => {
  const consentDate = '2026-03-11 12:00:00';
  const at = Date.now();
  restoreClock();
  await scene.close();
  scene = await startScene({ now: () => at });
  await scene.citizen(one, 'ONAY', { consentDate });
  await scene.citizen(one, 'RET', { consentDate });
  expect((await scene.sync()).pulled).toBe(2);
  const [first, second] = await pulled();
  expect(first?.transactionId).toBe(second?.transactionId);
  expect(await scene.blocked(905550000001)).toEqual([3]);
});

test('a pull that dies before its page is stored is repeated without loss', async () => {
  await scene.citizen(one, 'RET');
  const onStep = (step: string) => {
    if (step === 'changes read') throw new Error('died here');
  };
  await expect(scene.sync({ onStep })).rejects.toThrow('died here');
  expect((await scene.sync()).pulled).toBe(1);
});

test('more changes than fit a page are pulled to the end', async () => {
  const calls = Array.from({ length: 1_205 }, (_, i) => () => scene.citizen(numbered(i), 'RET'));
  while (calls.length > 0) await Promise.all(calls.splice(0, 50).map(call => call()));
  expect((await scene.sync()).pulled).toBe(1_205);
});

test('each account pulls the changes of its own brands only', async () => {
  await addBrand(scene.db, scene.accountId, 7002, null);
  await scene.control('citizen', { brandCode: 7002, recipient: one, status: 'RET' });
  await scene.control('citizen', { brandCode: 7003, recipient: two, status: 'RET' });
  expect((await scene.sync()).pulled).toBe(1);
});

test('after an outage longer than 167 hours, who no longer consents is found by asking for everybody', async () => {
  const merchant = draft(numbered(3), { recipientType: 'TACIR' });
  const mail = draft('deneme@example.org', { type: 'EPOSTA' });
  await scene.register(draft(one), draft(two), merchant, mail);
  expect(await scene.sync()).toMatchObject({ accepted: 4 });
  await scene.citizen(one, 'RET');
  await scene.citizen('deneme@example.org', 'RET', { type: 'EPOSTA' });
  // The registry loses its changes; a pending consent is not affected.
  aheadMs = 200 * hour;
  await scene.register(draft(numbered(4)));
  expect(await scene.sync()).toMatchObject({ sent: 1, accepted: 1, pulled: 2 });
  const found = { status: 'RET', source: reconciledSource, state: 'accepted', counts: true };
  expect(await pulled()).toMatchObject([
    { recipient: 'deneme@example.org', ...found },
    { recipient: one, ...found },
  ]);
  expect(await scene.blocked(905550000001, 905550000002, 905550000004)).toEqual([3, 0, 0]);
  expect((await scene.sync()).pulled).toBe(0);
});

test('a consent given after the refusal that reconciliation found counts again', async () => {
  await scene.register(draft(one));
  await scene.sync();
  await scene.citizen(one, 'RET');
  aheadMs = 200 * hour;
  expect((await scene.sync()).pulled).toBe(1);
  await scene.register(draft(one, { minutesAgo: 5 }));
  expect(await scene.sync()).toMatchObject({ accepted: 1 });
  expect(await scene.blocked(905550000001)).toEqual([0]);
});

test('a reconciliation that dies in the middle is taken up by the next round', async () => {
  await scene.register(draft(one));
  await scene.sync();
  await scene.citizen(one, 'RET');
  aheadMs = 200 * hour;
  const onStep = (step: string) => {
    if (step === 'status read') throw new Error('died here');
  };
  await expect(scene.sync({ onStep })).rejects.toThrow('died here');
  expect((await consentSyncState(scene.db, scene.accountId)).brands).toMatchObject([{ isReconciling: true }]);
  expect((await scene.sync()).pulled).toBe(1);
  expect((await consentSyncState(scene.db, scene.accountId)).brands).toMatchObject([{ isReconciling: false }]);
});

test('the running worker pulls by itself', async () => {
  const config = { ...scene.options.config, PEYK_REGISTRY_SYNC_SECONDS: 1 };
  const worker = await startConsentSync({ ...scene.options, config });
  try {
    await scene.citizen(one, 'RET');
    await vi.waitFor(async () => expect(await pulled()).toHaveLength(1), { timeout: 90_000 });
    await scene.citizen(two, 'RET');
    await vi.waitFor(async () => expect(await pulled()).toHaveLength(2), { timeout: 90_000 });
  } finally {
    await worker.stop();
  }
});

const killedScript = `
  import { load } from './test/support/run/load-source.mjs';
  const { url, options, step } = JSON.parse(process.argv[1]);
  const { openPool } = await load('db/db.ts');
  const { startConsentSync } = await load('consent/sync/sync.ts');
  const { silentLog } = await load('log.ts');
  const db = openPool({ connectionString: url }, { max: 4, name: 'peyk killed', onError() {} });
  const onStep = reached => reached === step && process.kill(process.pid, 'SIGKILL');
  await startConsentSync({ ...options, db, log: silentLog, onStep });
`;

test.each(['batch added', 'result read'])('kill -9 of the worker at "%s": every record is counted once', async step => {
  await scene.register(...Array.from({ length: 150 }, (_, i) => draft(numbered(i))));
  const { config, pace } = scene.options;
  const task = JSON.stringify({ url: scene.database.url, options: { config, pace }, step });
  const child = spawn(process.execPath, ['--input-type=module', '-e', killedScript, task], {
    cwd: projectRoot(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  await scene.sync();
  expect((await scene.stored()).every(record => record.state === 'accepted')).toBe(true);
  const { records, movements } = await scene.stats();
  expect([records, movements]).toEqual([150, 150]);
  expect((await scene.held()).every(consent => consent.movements === 1)).toBe(true);
});
