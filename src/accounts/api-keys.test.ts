import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { wait } from '../../test/support/run/wait.ts';
import { silentLog } from '../log.ts';
import { nowMs, setClock } from '../time/clock.ts';
import { createKey, deleteKey, endKey, keysMax, listKeys, renameKey, rotateKey } from './api-keys.ts';
import { ApiUsage } from './api-usage.ts';
import { createAuthenticate } from './authenticate.ts';
import { type Credentials, findActiveKey, rotateCredentials } from './credentials.ts';
import { KeyUses } from './key-uses.ts';
import { openAccount } from './open.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const authenticate = createAuthenticate(db);
const works = async ({ key, hash }: Credentials) => (await authenticate(key, hash, '10.0.0.1')).ok;

test('the keys of an account work beside each other, and one that is ended stops alone', async () => {
  const first = await openAccount(db, 'Deneme');
  const second = await createKey(db, first.id, 'Depo');
  expect([await works(first), await works(second)]).toEqual([true, true]);
  await endKey(db, first.id, second.key, 'disabled by ayse@ornek.com');
  expect([await works(first), await works(second)]).toEqual([true, false]);
  const listed = await listKeys(db, first.id);
  expect(listed.map(one => [one.key, one.name, one.ended])).toEqual([
    [first.key, '', false],
    [second.key, 'Depo', true],
  ]);
});

test('a rotated key works until the time that was chosen, also from memory, and never after it', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const old = await createKey(db, id, 'Depo');
  const fresh = await rotateKey(db, id, old.key, 24, 'rotated');
  const fromMemory = async () => (await authenticate(old.key, old.hash, '10.0.0.1', true)).ok;
  expect([await works(old), await fromMemory(), await works(fresh)]).toEqual([true, true, true]);
  const [, ending] = (await listKeys(db, id)).filter(one => one.name === 'Depo');
  expect(ending!.disabledAt!.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await findActiveKey(db, id)).toBe(fresh.key);
  const start = nowMs();
  const restore = setClock(() => start + 25 * 3_600_000);
  try {
    expect([await works(old), await fromMemory(), await works(fresh)]).toEqual([false, false, true]);
  } finally {
    restore();
  }
  await expect(rotateKey(db, id, old.key, 0, 'rotated')).rejects.toThrow('key-ended');
});

test('without a time chosen the old key stops at once, and the other keys go on', async () => {
  const first = await openAccount(db, 'Deneme');
  const old = await createKey(db, first.id, 'Depo');
  const fresh = await rotateKey(db, first.id, old.key, 0, 'rotated');
  expect([await works(first), await works(old), await works(fresh)]).toEqual([true, false, true]);
});

test('a rotation of the whole account ends every key, those too that were to end later', async () => {
  const first = await openAccount(db, 'Deneme');
  const old = await createKey(db, first.id, 'Depo');
  const fresh = await rotateKey(db, first.id, old.key, 24, 'rotated');
  const only = await rotateCredentials(db, first.id);
  const all = [first, old, fresh, only];
  expect(await Promise.all(all.map(works))).toEqual([false, false, false, true]);
});

test('of ten rotations of one key at once exactly one succeeds, and one pair more works', async () => {
  const { id, key } = await openAccount(db, 'Deneme');
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => rotateKey(db, id, key, 1, 'rotated')));
  expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1);
  expect((await listKeys(db, id)).filter(one => !one.ended)).toHaveLength(2);
});

test('no more keys work at a time than the limit, however many are asked for at once', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const tries = await Promise.allSettled(Array.from({ length: keysMax + 5 }, (_, i) => createKey(db, id, `No ${i}`)));
  expect(tries.filter(one => one.status === 'rejected')).toHaveLength(6);
  expect(await listKeys(db, id)).toHaveLength(keysMax);
});

test('a key that works is not deleted, one that has ended leaves nothing behind', async () => {
  const { id, key, hash } = await openAccount(db, 'Deneme');
  await renameKey(db, id, key, 'Eski');
  await expect(deleteKey(db, id, key)).rejects.toThrow('key-active');
  await endKey(db, id, key, 'disabled');
  await deleteKey(db, id, key);
  expect(await listKeys(db, id)).toEqual([]);
  expect(await authenticate(key, hash, '10.0.0.1')).toMatchObject({ ok: false, cause: 'unknown-key' });
});

test('keys of another account can be neither rotated nor renamed nor ended nor deleted', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const other = await openAccount(db, 'Deneme');
  for (const work of [
    () => rotateKey(db, id, other.key, 0, 'x'),
    () => renameKey(db, id, other.key, 'x'),
    () => endKey(db, id, other.key, 'x'),
    () => deleteKey(db, id, other.key),
  ])
    await expect(work()).rejects.toThrow('no-such-key');
  expect(await works(other)).toBe(true);
});

test('the last use of a key is written within seconds, and then not again for a minute however often it is used', async () => {
  const { id, key } = await openAccount(db, 'Deneme');
  const uses = new KeyUses(db, silentLog);
  const seen = async () => (await listKeys(db, id))[0]!;
  uses.add(id, key, 'get-balance', '10.0.0.7');
  await wait('the first use', async () => (await seen()).operation === 'get-balance');
  for (let i = 0; i < 1_000; i++) uses.add(id, key, 'send-sms', '10.0.0.8');
  await uses.flush();
  expect((await seen()).operation).toBe('get-balance');
  await uses.flush(true);
  expect(await seen()).toMatchObject({ operation: 'send-sms', address: '10.0.0.8' });
});

test('what was counted of a key before the process ended is stored', async () => {
  const { id, key } = await openAccount(db, 'Deneme');
  const usage = new ApiUsage(db, silentLog);
  usage.add(id, 'get-balance', '10.0.0.7', key);
  usage.add(id, 'send-sms', '10.0.0.9', key);
  await usage.flush();
  expect((await listKeys(db, id))[0]).toMatchObject({ operation: 'send-sms', address: '10.0.0.9' });
});
