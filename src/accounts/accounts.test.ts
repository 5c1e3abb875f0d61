// Opening accounts, their credentials and settings, against the database.
import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { audit } from '../audit/invariants.ts';
import { findAccount, listAccounts } from './account.ts';
import { recordAuditEntry } from './audit-log.ts';
import { createAuthenticate } from './authenticate.ts';
import { findActiveKey, issueCredentials, newCredentials, rotateCredentials } from './credentials.ts';
import { openAccount } from './open.ts';
import { BadSetting, changeSettings } from './settings.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

test('a new account is active, in English mode, with API access, 100 credits and a line in the ledger', async () => {
  const opened = await openAccount(db, 'Deneme');
  expect(await findAccount(db, opened.id)).toMatchObject({
    name: 'Deneme',
    status: 'active',
    apiEnabled: true,
    mode: 'english',
    abroad: false,
    rate: 100,
    apiIps: [],
    senders: [],
    brands: [],
  });
  const { rows } = await db.query('select kind, sms from ledger_entries where account_id = $1', [opened.id]);
  expect(rows).toEqual([{ kind: 'grant', sms: 100 }]);
  expect((await listAccounts(db)).find(one => one.id === opened.id)).toMatchObject({ sms: 100, status: 'active' });
});

test('an account without a name is not opened, nor one with a key that is taken, and nothing is left of them', async () => {
  const before = (await listAccounts(db)).length;
  const taken = await openAccount(db, 'Deneme');
  expect(() => openAccount(db, ' ')).toThrow('name');
  expect(() => openAccount(db, 'x'.repeat(201))).toThrow('name');
  await expect(openAccount(db, 'Deneme', taken)).rejects.toThrow('credentials');
  await expect(openAccount(db, 'Deneme', { key: 'with blank', hash: 'x' })).rejects.toThrow('printable');
  expect(await listAccounts(db)).toHaveLength(before + 1);
  expect((await audit(db)).ok).toBe(true);
});

test('credentials are random hex: 32 digits for the key, 64 for the hash', () => {
  const made = Array.from({ length: 50 }, newCredentials);
  for (const { key, hash } of made) {
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  }
  expect(new Set(made.flatMap(one => [one.key, one.hash])).size).toBe(100);
});

test('the hash is the HMAC-SHA256 of the key under the secret, as older clients compute it, and the secret is stored nowhere', async () => {
  const { id, key, hash, secret } = await openAccount(db, 'Deneme');
  expect(createHmac('sha256', secret).update(key).digest('hex')).toBe(hash);
  const { rows } = await db.query(
    'select c::text || a::text as stored from credentials c join accounts a on a.id = $1',
    [id],
  );
  for (const { stored } of rows) for (const one of [hash, secret]) expect(stored).not.toContain(one);
  const fresh = await rotateCredentials(db, id);
  expect(createHmac('sha256', fresh.secret).update(fresh.key).digest('hex')).toBe(fresh.hash);
});

test('after a rotation exactly the new key is active', async () => {
  const { id, key } = await openAccount(db, 'Deneme');
  expect(await findActiveKey(db, id)).toBe(key);
  await issueCredentials(db, id, newCredentials());
  const fresh = await rotateCredentials(db, id);
  const { rows } = await db.query('select key from credentials where account_id = $1 and disabled_at is null', [id]);
  expect(rows).toEqual([{ key: fresh.key }]);
  expect(await findActiveKey(db, id)).toBe(fresh.key);
});

test('of twenty rotations at once exactly one pair works afterwards', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const pairs = await Promise.all(Array.from({ length: 20 }, () => rotateCredentials(db, id)));
  const { rows } = await db.query('select key from credentials where account_id = $1 and disabled_at is null', [id]);
  expect(rows).toHaveLength(1);
  const authenticate = createAuthenticate(db);
  const answers = await Promise.all(pairs.map(({ key, hash }) => authenticate(key, hash, '10.0.0.1')));
  expect(answers.filter(one => one.ok)).toHaveLength(1);
});

test('settings change together, and one bad value or name changes none of them', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const good = {
    mode: 'turkish',
    abroad: 'on',
    rate: '250',
    ips: '10.1.2.3, ::ffff:10.1.2.4 ,2001:DB8::1',
    status: 'suspended',
  };
  await changeSettings(db, id, good);
  const changed = await findAccount(db, id);
  expect(changed).toMatchObject({
    mode: 'turkish',
    abroad: true,
    rate: 250,
    apiIps: ['10.1.2.3', '10.1.2.4', '2001:db8::1'],
    status: 'suspended',
  });
  const bad: Record<string, string>[] = [
    { mode: 'latin' },
    { abroad: 'yes' },
    { rate: '0' },
    { rate: '1000001' },
    { rate: '1.5' },
    { ips: '10.0.0.0/8' },
    { ips: '1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,1.1.1.5,1.1.1.6' },
    { status: 'gone' },
    { name: ' ' },
    { colour: 'red' },
    { constructor: 'x' },
  ];
  for (const one of bad) await expect(changeSettings(db, id, { api: 'off', ...one })).rejects.toThrow(BadSetting);
  expect(await findAccount(db, id)).toEqual(changed);
  await expect(changeSettings(db, 999_999, { api: 'off' })).rejects.toThrow('no account');
});

test('five addresses fit the list, the same for the panel, and an empty text empties it', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await changeSettings(db, id, { ips: '1.1.1.1,1.1.1.2,1.1.1.3,1.1.1.4,::1', 'panel-ips': '10.0.0.1' });
  expect((await findAccount(db, id))!.apiIps).toHaveLength(5);
  await changeSettings(db, id, { ips: '' });
  expect((await findAccount(db, id))!.apiIps).toEqual([]);
});

test('a setting of another folder is read before anything is written and written with the rest', async () => {
  const { id } = await openAccount(db, 'Deneme');
  const written: unknown[] = [];
  const foreign = {
    webhook: {
      read: (text: string) => {
        if (text === 'bad') throw new BadSetting('bad');
        return text.toUpperCase();
      },
      write: async (_tx: unknown, account: number, value: unknown) => void written.push([account, value]),
    },
  };
  await expect(changeSettings(db, id, { mode: 'unicode', webhook: 'bad' }, foreign)).rejects.toThrow(BadSetting);
  expect((await findAccount(db, id))!.mode).toBe('english');
  await changeSettings(db, id, { mode: 'unicode', webhook: 'x' }, foreign);
  expect(written).toEqual([[id, 'X']]);
});

test('an audit entry is kept with who, what and from where', async () => {
  const { id } = await openAccount(db, 'Deneme');
  await recordAuditEntry(db, {
    accountId: id,
    actor: 'operator',
    action: 'test',
    detail: { a: 1 },
    address: '10.0.0.1',
  });
  const { rows } = await db.query('select actor, action, detail, address from audit_entries where account_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ actor: 'operator', action: 'test', detail: { a: 1 }, address: '10.0.0.1' }]);
});
