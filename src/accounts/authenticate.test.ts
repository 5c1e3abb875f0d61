import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { setClock } from '../time/clock.ts';
import { createAuthenticate } from './authenticate.ts';
import { rotateCredentials } from './credentials.ts';
import { openAccount } from './open.ts';
import { changeSettings } from './settings.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const authenticate = createAuthenticate(db);
const address = '10.0.0.1';

test('who comes together is answered apart: each gets its own account', async () => {
  const opened = await Promise.all(Array.from({ length: 40 }, (_, i) => openAccount(db, `Deneme ${i}`)));
  const results = await Promise.all(
    opened.flatMap(one => [authenticate(one.key, one.hash, address), authenticate(one.key, `${one.hash}0`, address)]),
  );
  expect(results).toEqual(
    opened.flatMap(one => [
      { ok: true, account: expect.objectContaining({ id: one.id }), key: one.key },
      { ok: false, cause: 'wrong-hash', accountId: one.id, key: one.key },
    ]),
  );
});

test('every way to fail has its cause, and the account if it is known', async () => {
  const { id, key, hash } = await openAccount(db, 'Deneme');
  const cause = async (k: unknown = key, h: unknown = hash, from = address) => {
    const result = await authenticate(k, h, from);
    return result.ok ? 'ok' : `${result.cause} ${result.accountId ?? '-'}`;
  };
  expect(await cause()).toBe('ok');
  for (const none of [null, 5, {}, [key]]) expect(await cause(none)).toBe('no-credentials -');
  expect(await cause(key, null)).toBe('no-credentials -');
  for (const unknown of ['', 'x', `${key} `, `${key}\0`, 'ü', 'x'.repeat(100_000)])
    expect(await cause(unknown)).toBe('unknown-key -');
  expect(await cause(key, hash.slice(1))).toBe(`wrong-hash ${id}`);
  expect(await cause(key, ` ${hash}\n`)).toBe(`hash-with-blanks ${id}`);
  await changeSettings(db, id, { ips: '10.0.0.9' });
  expect(await cause()).toBe(`address-not-listed ${id}`);
  expect(await cause(key, hash, '10.0.0.9')).toBe('ok');
  await changeSettings(db, id, { api: 'off' });
  expect(await cause()).toBe(`api-off ${id}`);
  await changeSettings(db, id, { status: 'suspended' });
  expect(await cause()).toBe(`suspended ${id}`);
  await rotateCredentials(db, id);
  expect(await cause()).toBe(`disabled-key ${id}`);
});

test('a key that was replaced is refused at once, also where the clock is behind the database’s', async () => {
  const restore = setClock(() => Date.now() - 60_000);
  const { id, key, hash } = await openAccount(db, 'Deneme');
  await rotateCredentials(db, id);
  expect(await authenticate(key, hash, address)).toMatchObject({ ok: false, cause: 'disabled-key' });
  restore();
});

test('nothing is remembered: a change holds from the next call on', async () => {
  const { id, key, hash } = await openAccount(db, 'Deneme');
  for (const api of ['off', 'on', 'off']) {
    await changeSettings(db, id, { api });
    expect((await authenticate(key, hash, address)).ok).toBe(api === 'on');
  }
});
