import { afterAll, expect, test } from 'vitest';
import { startPanel } from '../panel-fixture.ts';

const panel = await startPanel();
afterAll(() => panel.stop());

const address = (path: string) => `http://127.0.0.1:9/${path}`;

test('a webhook secret is shown when it is made and when it is rotated, never else', async () => {
  const owner = await panel.owner();
  expect((await owner.refusal('webhook.test', { id: 1 })).code).toBe('not-found');
  const first = await owner.ok('webhook.add', { url: address('a') });
  expect(first.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await owner.ok('webhook.save', { id: first.id, url: address('b') })).not.toHaveProperty('secret');
  const { secret, previousUntil } = await owner.ok('webhook.rotateSecret', { id: first.id });
  expect(secret).not.toBe(first.secret);
  expect(previousUntil).not.toBeNull();
  const { deliveryId } = await owner.ok('webhook.test', { id: first.id });
  expect(await owner.ok('webhook.delivery', { id: deliveryId })).toMatchObject({ kind: 'test', state: 'pending' });
  for (const name of ['webhook.list', 'webhook.deliveries', 'audit.list'] as const) {
    const { text } = await owner.send(name, {});
    expect(text, name).not.toContain(secret);
    expect(text, name).not.toContain(first.secret);
  }
  const bad = await owner.refusal('webhook.add', { url: 'ftp://x' });
  expect(bad).toMatchObject({
    code: 'bad-webhook-url',
    field: 'url',
    tr: 'Webhook adresi geçerli bir https adresi değil.',
  });
  expect((await owner.refusal('webhook.add', { url: ' ' })).tr).toBe('Webhook adresi boş olamaz.');
});

test('a test that was not posted yet is due from the moment it was asked for, in the list and by itself', async () => {
  const owner = await panel.owner();
  const { id } = await owner.ok('webhook.add', { url: address('bekleyen') });
  const { deliveryId } = await owner.ok('webhook.test', { id });
  const { nextAt, createdAt } = await owner.ok('webhook.delivery', { id: deliveryId });
  expect(nextAt).toBe(createdAt);
  const [line] = (await owner.ok('webhook.deliveries', {})).deliveries;
  expect(line).toMatchObject({ nextAt: createdAt, createdAt });
});

test('an account has up to ten addresses, none of them twice', async () => {
  const owner = await panel.owner();
  for (let i = 1; i <= 10; i++) expect((await owner.ok('webhook.add', { url: address(`${i}`) })).id).toBe(i);
  expect((await owner.refusal('webhook.add', { url: address('11') })).code).toBe('webhooks-full');
  await owner.ok('webhook.remove', { id: 3 });
  await owner.ok('webhook.save', { id: 4, enabled: false });
  for (const url of [address('4'), address('5')])
    expect((await owner.refusal('webhook.add', { url })).code).toBe('webhook-duplicate');
  expect((await owner.refusal('webhook.save', { id: 6, url: address('5') })).code).toBe('webhook-duplicate');
  expect((await owner.ok('webhook.add', { url: address('11') })).id).toBe(11);
  const { webhooks, max } = await owner.ok('webhook.list', {});
  expect(max).toBe(10);
  expect(webhooks.map(one => one.id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('events are chosen for each address, by name and at least one, and what is not given stays', async () => {
  const owner = await panel.owner();
  const { id } = await owner.ok('webhook.add', { url: address('a') });
  const other = await owner.ok('webhook.add', { url: address('b'), events: ['undelivered', 'inbound'] });
  expect(other.events).toEqual(['undelivered', 'inbound']);
  const saved = await owner.ok('webhook.save', { id, events: ['delivered'] });
  expect(saved).toMatchObject({ url: address('a'), events: ['delivered'], state: 'healthy' });
  expect((await owner.ok('webhook.save', { id, url: address('c') })).events).toEqual(['delivered']);
  for (const events of [[], ['sent'], ['accepted', 'sent'], 'accepted'])
    expect((await owner.refusal('webhook.save', { id, events } as never)).code).toBe('bad-input');
  const { webhooks } = await owner.ok('webhook.list', {});
  expect(webhooks.map(one => one.events)).toEqual([['delivered'], ['undelivered', 'inbound']]);
});

test('an address that is off keeps its settings, is not tested, and comes back as it was', async () => {
  const owner = await panel.owner();
  const { id } = await owner.ok('webhook.add', { url: address('a'), events: ['inbound'] });
  const off = await owner.ok('webhook.save', { id, enabled: false });
  expect(off).toMatchObject({ url: address('a'), events: ['inbound'], state: 'off' });
  expect((await owner.refusal('webhook.test', { id })).code).toBe('webhook-off');
  expect((await owner.ok('live', {})).webhookState).toBe('none');
  expect((await owner.ok('webhook.save', { id, url: address('b') })).state).toBe('off');
  expect(await owner.ok('webhook.save', { id, enabled: true })).toMatchObject({ url: address('b'), state: 'healthy' });
});

test('deliveries are listed for one address or for all, and an address takes its own along when it is removed', async () => {
  const owner = await panel.owner();
  const [a, b] = [
    await owner.ok('webhook.add', { url: address('a') }),
    await owner.ok('webhook.add', { url: address('b') }),
  ];
  const { deliveryId } = await owner.ok('webhook.test', { id: b.id });
  await owner.ok('webhook.test', { id: a.id });
  const listed = async (filter: { webhookId?: number }) =>
    (await owner.ok('webhook.deliveries', filter)).deliveries.map(one => one.webhookId);
  expect(await listed({})).toEqual([a.id, b.id]);
  expect(await listed({ webhookId: b.id })).toEqual([b.id]);
  expect((await owner.ok('webhook.delivery', { id: deliveryId })).url).toBe(address('b'));
  // One that waits for its first attempt has a time of today.
  const { deliveries } = await owner.ok('webhook.deliveries', {});
  for (const { createdAt, nextAt } of deliveries) expect(nextAt! >= createdAt, nextAt!).toBe(true);
  await owner.ok('webhook.remove', { id: b.id });
  expect(await listed({})).toEqual([a.id]);
  expect((await owner.refusal('webhook.delivery', { id: deliveryId })).code).toBe('not-found');
  const actions = (await owner.ok('audit.list', {})).rows.map(one => one.action);
  expect(actions.filter(one => one.startsWith('webhook.'))).toEqual(['webhook.remove', 'webhook.add', 'webhook.add']);
});
