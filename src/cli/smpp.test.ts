// SMPP users from the command line, as `peyk smpp … --json` runs them, and what is stored of their passwords.
import { expect, test } from 'vitest';
import { loadSecretKey } from '../sealing/secrets.ts';
import { digestOf, passwordFits } from '../smpp-server/login.ts';
import { findSmppLogin } from '../smpp-server/users.ts';
import { command, commandLine } from './command-fixture.ts';

const { database, data, run, json } = await commandLine();
const fits = async (systemId: string, password: string, now: Date) => {
  const stored = (await findSmppLogin(database.pool, systemId))!;
  return passwordFits(stored, digestOf(loadSecretKey(data, ''), systemId, password), now);
};

test('an SMPP user is made with a password of eight, changed, rotated with an overlap, kicked and removed', async () => {
  const { id } = await json('account', 'create', '--name', 'Deneme');
  expect(await run(...command('smpp list'), id)).toContain('no SMPP users');
  const login = await json(...command('smpp add'), id, '--name', 'Kasa', '--addresses', '192.0.2.0/28,::ffff:10.0.0.1');
  expect(login).toEqual({ systemId: expect.stringMatching(/^\w{1,15}$/), password: expect.stringMatching(/^\w{8}$/) });
  expect(await json(...command('smpp list'), id)).toMatchObject([
    { ...{ systemId: login.systemId, name: 'Kasa', state: 'on', addresses: ['192.0.2.0/28', '10.0.0.1'] }, waiting: 0 },
  ]);
  const now = new Date();
  expect(await fits(login.systemId, login.password, now)).toBe(true);
  const fresh = await json(...command('smpp rotate'), id, login.systemId);
  const inTwoDays = new Date(now.getTime() + 48 * 3_600_000);
  expect(await fits(login.systemId, login.password, now)).toBe(true);
  expect(await fits(login.systemId, login.password, inTwoDays)).toBe(false);
  expect(await fits(login.systemId, fresh.password, inTwoDays)).toBe(true);
  await run(...command('smpp rotate'), id, login.systemId, '--keep', '0');
  expect(await fits(login.systemId, fresh.password, now)).toBe(false);

  const set = ['rate=50', 'binds=4', 'window=10', 'receipt-window=5', 'iys=TACIR', 'state=off', 'inbound=off'];
  expect(await json(...command('smpp set'), id, login.systemId, ...set)).toMatchObject({
    ...{ rate: 50, binds: 4, window: 10, receiptWindow: 5, consentList: 'TACIR', enabled: false, inbound: false },
    addresses: ['192.0.2.0/28', '10.0.0.1'],
  });
  for (const bad of ['rate=0', 'binds=101', 'window=x', 'iys=YES', 'addresses=10.0.0.0/33', 'colour=red', 'state='])
    await expect(run(...command('smpp set'), id, login.systemId, 'rate=7', bad), bad).rejects.toThrow();
  expect(await json(...command('smpp list'), id)).toMatchObject([{ rate: 50 }]);
  expect(await json(...command('smpp binds'), id)).toEqual([]);
  expect(await json(...command('smpp kick'), id, login.systemId)).toEqual({ kicked: 0 });
  expect(await json(...command('smpp remove'), id, login.systemId)).toEqual({ removed: login.systemId });
  expect(await json(...command('smpp list'), id)).toEqual([]);
});

test('a system_id is one user’s alone, and another account cannot touch it', async () => {
  const [one, other] = [await json('account', 'create', '--name', 'A'), await json('account', 'create', '--name', 'B')];
  await run(...command('smpp add'), one.id, '--system-id', 'ornek-1');
  await expect(run(...command('smpp add'), other.id, '--system-id', 'ornek-1')).rejects.toThrow('taken');
  await expect(run(...command('smpp add'), one.id, '--system-id', 'sixteen-letters-')).rejects.toThrow('at most 15');
  for (const words of [
    ['set', other.id, 'ornek-1', 'state=off'],
    ['rotate', other.id, 'ornek-1'],
    ['remove', other.id, 'ornek-1'],
  ])
    await expect(run('smpp', ...words), words[0]).rejects.toThrow('no such SMPP user');
});
