import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startScene } from '../../../test/support/peers/consent-scene.ts';
import { openAccount } from '../../accounts/open.ts';
import { addBrand } from '../brands.ts';
import { readPush, storePush } from './pushed.ts';
import { brand, draft, numbered, type Scene } from './sync-fixture.ts';

const one = numbered(1);
let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.db.query('delete from consent_records'));

const record = (change: object = {}) => ({
  iysCode: 600,
  brandCode: brand,
  recipient: one,
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'RET',
  source: 'IYS_MOBIL',
  consentDate: '2026-03-11 12:00:00',
  creationDate: '2026-03-11 12:00:01',
  transactionId: 'a'.repeat(64),
  ...change,
});
const read = (body: unknown) => readPush(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const push = async (...list: object[]) => storePush(scene.db, read({ list })!);

test('a pushed record is stored as a pulled one, and a repeat adds nothing', async () => {
  expect(await push(record())).toBe(1);
  expect(await push(record(), record())).toBe(0);
  expect(await scene.stored()).toMatchObject([
    { recipient: one, status: 'RET', source: 'IYS_MOBIL', state: 'accepted', counts: true, origin: 'registry' },
  ]);
});

test('two decisions of one second are both kept, and the later in the list holds', async () => {
  await scene.register(draft(one, { minutesAgo: 1_000_000 }));
  await push(record({ status: 'ONAY' }), record({ status: 'RET' }));
  expect(await scene.blocked(905550000001)).toEqual([3]);
  await push(record({ status: 'ONAY', consentDate: '2026-03-11 12:00:05' }));
  expect(await scene.blocked(905550000001)).toEqual([0]);
});

test('every account with the brand gets the record, others and those that switched it off do not', async () => {
  const [second, third] = [await openAccount(scene.db, 'Deneme'), await openAccount(scene.db, 'Deneme')];
  await addBrand(scene.db, second.id, brand, null);
  await addBrand(scene.db, third.id, brand, null);
  await scene.db.query('update brands set active = false where account_id = $1', [third.id]);
  expect(await push(record(), record({ brandCode: 121212 }))).toBe(2);
  const { rows } = await scene.db.query('select account_id as id from consent_records order by 1');
  expect(rows.map(row => row.id)).toEqual([scene.accountId, second.id]);
  await scene.db.query('delete from brands where account_id = any ($1)', [[second.id, third.id]]);
});

test('what was pushed is not stored again by the pull that follows', async () => {
  await scene.citizen(one, 'RET');
  const [held] = await scene.held();
  expect(await push({ brandCode: brand, ...held })).toBe(1);
  expect((await scene.sync()).pulled).toBe(0);
  expect(await scene.stored()).toHaveLength(1);
});

test('e-mail addresses are stored in lower case', async () => {
  await push(record({ type: 'EPOSTA', recipient: 'Deneme@Example.ORG' }));
  expect(await scene.stored()).toMatchObject([{ recipient: 'deneme@example.org' }]);
});

test('a list may stand alone, be empty, and hold records that are left out', () => {
  expect(read([record()])?.list).toMatchObject([{ brand, recipient: one }]);
  expect(read({ list: [] })).toEqual({ list: [], unreadable: 0 });
  expect(read({ list: [record(), { brandCode: brand }, 7] })).toMatchObject({ list: [{ brand }], unreadable: 2 });
});

test('an empty list is taken and stores nothing', async () => {
  expect(await push()).toBe(0);
});

test.each([
  ['no JSON', '{"list":['],
  ['nothing', ''],
  ['no list', { list: 'x' }],
  ['a value', 7],
  ['null', 'null'],
  ['no brand', { list: [record({ brandCode: undefined })] }],
  ['a brand that is no number', { list: [record({ brandCode: '7001; x' })] }],
  ['an unknown status', { list: [record({ status: 'BELKI' })] }],
  ['a date that does not exist', { list: [record({ consentDate: '2026-02-31 12:00:00', creationDate: '' })] }],
  ['a NUL', { list: [record({ recipient: '+90\u0000' })] }],
  ['an endless address', { list: [record({ recipient: '5'.repeat(3_000) })] }],
])('a body with %s is no push', (_name, body) => {
  expect(read(body)).toBeNull();
});
