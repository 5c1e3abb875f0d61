// Webhook addresses and named API keys from the command line, as `peyk … --json` runs them.
import { expect, test } from 'vitest';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { command, commandLine } from './command-fixture.ts';

const { database, run, json } = await commandLine();
const authenticate = createAuthenticate(database.pool);
const open = () => json('account', 'create', '--name', 'Deneme');
const actions = async (id: string) =>
  (await database.pool.query('select action from audit_entries where account_id = $1 order by id', [id])).rows.map(
    row => row.action as string,
  );

test('webhook addresses are added with their events, listed, changed, turned off, removed, and each has its secret', async () => {
  const { id } = await open();
  expect(await run(...command('webhook list'), id)).toContain('no webhook addresses');
  const first = await json(...command('webhook add'), id, 'https://ornek.com/a');
  const second = await json('webhook', 'add', id, 'https://ornek.com/b', '--events', 'undelivered,inbound');
  expect(first).toMatchObject({ webhook: 1, events: ['accepted', 'delivered', 'undelivered'], state: 'healthy' });
  expect(second).toMatchObject({ webhook: 2, events: ['undelivered', 'inbound'] });
  const secret = command('webhook secret');
  expect(await json(...secret, id)).toEqual({ secret: first.secret });
  expect(await json(...secret, id, '2')).toEqual({ secret: second.secret });
  expect((await json(...secret, id, '2', '--rotate')).secret).not.toBe(second.secret);
  expect(await json(...secret, id, '1')).toEqual({ secret: first.secret });

  const set = command('webhook set');
  const changed = await json(...set, id, '2', 'url=https://ornek.com/c', 'events=delivered', 'state=off');
  expect(changed).toMatchObject({ url: 'https://ornek.com/c', events: ['delivered'], state: 'off' });
  for (const bad of ['events=', 'events=sent', 'state=maybe', 'colour=red', 'url=', 'url=https://ornek.com/a'])
    await expect(run(...set, id, '2', 'state=on', bad), bad).rejects.toThrow();
  expect(await json('webhook', 'list', id)).toMatchObject([{ webhook: 1 }, { webhook: 2, state: 'off' }]);
  expect(await json(...set, id, '2', 'state=on')).toMatchObject({ state: 'healthy', url: 'https://ornek.com/c' });
  expect((await json('account', 'show', id)).webhooks.map((one: { url: string }) => one.url)).toEqual([
    'https://ornek.com/a',
    'https://ornek.com/c',
  ]);

  await expect(run(...set, id, '7', 'state=on')).rejects.toThrow('has no webhook 7');
  expect(await json(...command('webhook remove'), id, '2')).toEqual({ removed: 2 });
  expect(await json('webhook', 'list', id)).toMatchObject([{ webhook: 1 }]);
  expect(await actions(id)).toEqual(
    expect.arrayContaining(['webhook.add', 'webhook.add', 'webhook.save', 'webhook.save', 'webhook.remove']),
  );
});

test('a test event is queued for one address, and its delivery is listed', async () => {
  const { id } = await open();
  await run('webhook', 'add', id, 'https://ornek.com/a');
  await run('webhook', 'add', id, 'https://ornek.com/b');
  const { delivery } = await json(...command('webhook test'), id, '2');
  const deliveries = command('webhook deliveries');
  expect(await json(...deliveries, id, '2')).toMatchObject([{ id: delivery, webhook: 2, event: 'test', tries: 0 }]);
  expect(await json(...deliveries, id, '1')).toEqual([]);
  expect(await run(...deliveries, id)).toContain('pending');
  await run('webhook', 'set', id, '2', 'state=off');
  await expect(run('webhook', 'test', id, '2')).rejects.toThrow('is off');
});

test('the operator’s webhook=URL sets the first address, and empties it only where it is the only one', async () => {
  const { id } = await open();
  expect((await json('account', 'set', id, 'webhook=https://ornek.com/a')).webhook.url).toBe('https://ornek.com/a');
  await run('webhook', 'add', id, 'https://ornek.com/b');
  await expect(run('account', 'set', id, 'webhook=')).rejects.toThrow('further webhook addresses');
  await run('account', 'set', id, 'webhook=https://ornek.com/c');
  expect(await json('webhook', 'list', id)).toMatchObject([
    { url: 'https://ornek.com/c' },
    { url: 'https://ornek.com/b' },
  ]);
  await run('webhook', 'remove', id, '2');
  expect((await json('account', 'set', id, 'webhook=')).webhook.url).toBe('');
});

test('what an API key may do is given with it, changed, taken back and listed', async () => {
  const { id } = await open();
  const limits = ['--scopes', 'read,send', '--recipients', '5', '--daily', '1000'];
  const { key } = await json('key', 'add', id, '--name', 'Asistan', ...limits);
  const listed = async () => (await json('key', 'list', id)).find((one: { key: string }) => one.key === key);
  expect(await listed()).toMatchObject({ scopes: ['read', 'send'], recipientsMax: 5, dailyMax: 1_000 });
  const limit = command('key limit');
  await json(...limit, id, key.slice(0, 8), '--recipients', '7');
  expect(await listed()).toMatchObject({ scopes: ['read', 'send'], recipientsMax: 7, dailyMax: 1_000 });
  for (const bad of [
    ['--scopes', 'all,send'],
    ['--scopes', ''],
    ['--recipients', '0'],
    ['--daily', 'x'],
  ])
    await expect(run(...limit, id, key, ...bad), bad.join(' ')).rejects.toThrow(bad[0]);
  await json(...limit, id, key, '--scopes', 'all', '--recipients', 'none', '--daily', 'none');
  expect(await listed()).toMatchObject({ scopes: 'all', recipientsMax: null, dailyMax: null });
  await expect(run(...limit, id, 'yok-boyle-anahtar', '--daily', '1')).rejects.toThrow('no such key');
  expect(await actions(id)).toEqual(expect.arrayContaining(['credentials.limit']));
});

test('API keys are listed by name, added, rotated with an overlap and revoked, while the others go on', async () => {
  const { id, key, hash } = await open();
  const works = async (pair: { key: string; hash: string }) => (await authenticate(pair.key, pair.hash, '10.0.0.1')).ok;
  const till = await json(...command('key add'), id, '--name', 'Kasa');
  expect(await works(till)).toBe(true);
  const rotate = command('key rotate');
  const fresh = await json(...rotate, id, till.key.slice(0, 8), '--keep', '24');
  expect([await works(till), await works(fresh), await works({ key, hash })]).toEqual([true, true, true]);
  const list = command('key list');
  expect(await json(...list, id)).toMatchObject([
    { key: fresh.key, name: 'Kasa', state: 'active', endsAt: null },
    { key, state: 'active' },
    { key: till.key, name: 'Kasa', state: 'ending' },
  ]);
  expect(await json(...command('key revoke'), id, fresh.key)).toEqual({ revoked: fresh.key });
  await expect(run('key', 'revoke', id, fresh.key)).rejects.toThrow('ended already');
  await expect(run(...rotate, id, 'yok-boyle-anahtar')).rejects.toThrow('no such key');
  await expect(run('key', 'add', id)).rejects.toThrow('--name is missing');
  expect([await works(till), await works(fresh), await works({ key, hash })]).toEqual([true, false, true]);
  expect(await run(...list, id)).not.toContain(fresh.hash);
  expect(await actions(id)).toEqual([
    'account.create',
    'credentials.create',
    'credentials.rotate',
    'credentials.disable',
  ]);
});
