// What staff see when an external system fails: a customer's webhook server, and the consent registry.
import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startHookReceiver } from '../../../simulators/hook-receiver/main.ts';
import { startRegistry } from '../../../simulators/registry/server.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { brand, createScene, draft, numbered, quickRegistry } from '../../consent/sync/sync-fixture.ts';
import { silentLog } from '../../log.ts';
import { setClock } from '../../time/clock.ts';
import { startWebhooks } from '../../webhooks/deliver.ts';
import { createPoster } from '../../webhooks/post.ts';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
const staff = await panel.staff();
let shiftMs = 0;
const restoreClock = setClock(() => Date.now() + shiftMs);
const webhooks = await startWebhooks({
  db: panel.database.pool,
  connection: panel.database.connection,
  key: panel.key,
  config: { PEYK_ALLOW_PRIVATE_WEBHOOKS: true, PEYK_LEASE_SECONDS: 2 },
  log: silentLog,
  poster: createPoster({ allowPrivate: true, timeoutMs: 10_000 }),
});
const registry = await startRegistry(quickRegistry);
afterAll(async () => {
  await webhooks.stop();
  await registry.stop();
  await panel.stop();
  restoreClock();
});

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function endpointOf(accountId: number) {
  const { endpoints } = await staff.ok('staff.webhooks', {});
  return endpoints.find(one => one.accountId === accountId);
}

test('an address where nobody listens is listed with its cause, counted, and gone once it answers', async () => {
  const owner = await panel.owner('Kapalı Ltd');
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}/kanca`;
  const { id } = await owner.ok('webhook.add', { url });
  expect(await endpointOf(owner.accountId)).toBeUndefined();
  await owner.ok('webhook.test', { id });
  const listed = await wait('the address to be listed', () => endpointOf(owner.accountId));
  expect(listed).toMatchObject({ accountName: 'Kapalı Ltd', url, state: 'failing', failures: 1, nextProbeAt: null });
  expect(listed.reason).toMatchObject({
    tr: 'Sunucu bağlantıyı kabul etmedi',
    en: 'The server refused the connection',
  });
  expect(listed.failingSince).not.toBeNull();
  expect((await staff.ok('staff.status', {})).webhooks).toEqual({ failing: 1, paused: 0 });

  const receiver = await startHookReceiver({ port });
  try {
    await owner.ok('webhook.test', { id });
    await wait('the address to be healthy', async () => !(await endpointOf(owner.accountId)));
    expect((await staff.ok('staff.status', {})).webhooks).toEqual({ failing: 0, paused: 0 });
  } finally {
    await receiver.stop();
  }
});

test('an address that fails for more than a minute is shown as paused, with its next try', async () => {
  const receiver = await startHookReceiver({ mode: { mode: 'failing', status: 500 } });
  try {
    const owner = await panel.owner('Bozuk Ltd');
    const { id } = await owner.ok('webhook.add', { url: `${receiver.url}/kanca` });
    const tried = async (times: number, failures: number) => {
      for (let i = 0; i < times; i++) await owner.ok('webhook.test', { id });
      return wait(`${failures} failures`, async () => {
        const one = await endpointOf(owner.accountId);
        return one && one.failures >= failures ? one : undefined;
      });
    };
    expect(await tried(20, 20)).toMatchObject({ state: 'failing' });
    shiftMs = 61_000;
    const paused = await tried(1, 21);
    expect(paused).toMatchObject({
      state: 'paused',
      reason: { en: 'The endpoint answered with a code other than 2xx (HTTP 500)' },
    });
    expect(Date.parse(paused.nextProbeAt!)).toBeGreaterThan(Date.now());
    expect((await staff.ok('staff.status', {})).webhooks).toEqual({ failing: 0, paused: 1 });
  } finally {
    shiftMs = 0;
    await receiver.stop();
  }
});

test('a registry that is down, cut off or refuses is named with a sentence, and what waits is counted', async () => {
  const scene = await createScene(panel.database, registry);
  // After a failure the client pauses, so one round may do nothing.
  const synced = (what: string, isReached: () => Promise<boolean>) =>
    wait(what, async () => {
      await staff.ok('staff.registrySync', {});
      await scene.sync();
      return isReached();
    });
  const troubleCode = async () => (await staff.ok('staff.registry', {})).trouble?.code;
  const brandLine = async () => (await staff.ok('staff.registry', {})).brands.find(one => one.brand === brand);
  await scene.register(draft(numbered(0)));
  await synced('a first record to be taken', async () => (await brandLine())?.waiting === 0);
  await scene.register(draft(numbered(1)), draft(numbered(2)));
  expect(await staff.ok('staff.registry', {})).toMatchObject({ trouble: null, queued: 2, sent: 0, refused7Days: 0 });

  const fails = async (kind: string, trouble: { code: string; sentence: object }) => {
    await scene.fault(kind);
    await synced(kind, async () => (await troubleCode()) === trouble.code);
    expect(await staff.ok('staff.registry', {}), kind).toMatchObject({ trouble, queued: 2 });
    expect((await staff.ok('staff.status', {})).registry, kind).toMatchObject({ trouble, waiting: 2 });
    await scene.fault(kind, 0);
  };
  await fails('down', { code: 'H192', sentence: { en: expect.stringContaining('cannot answer now') } });
  await fails('drop', { code: 'unreachable', sentence: { tr: expect.stringContaining('ulaşılamıyor') } });

  await scene.control('subscription', { brandCode: brand, status: 'PAUSED' });
  await synced('the brand to be paused', async () => (await brandLine())?.pause !== null);
  expect(await brandLine()).toMatchObject({
    waiting: 2,
    pause: { code: 'H520', sentence: { tr: 'İYS aboneliğiniz duraklatılmış veya süresi dolmuş.' } },
  });

  await scene.control('subscription', { brandCode: brand, status: 'ACTIVE' });
  await scene.register(draft(numbered(3), { status: 'RET' }));
  await synced('nothing to wait', async () => (await brandLine())?.waiting === 0);
  expect(await brandLine()).toMatchObject({ waiting: 0, pause: null });
  const well = await staff.ok('staff.registry', {});
  expect(well).toMatchObject({ trouble: null, queued: 0, sent: 0, refused7Days: 1 });
  expect(well.answeredAt).not.toBeNull();

  // Runs last: after a refused login the client requests no token for minutes.
  await scene.register(draft(numbered(4)), draft(numbered(5)));
  await fails('token', { code: 'unauthorised', sentence: { en: expect.stringContaining('did not accept the user') } });
});
