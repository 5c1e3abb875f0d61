// iys-register (consent/create) and iys-check (consent/show).
import { afterAll, expect, test } from 'vitest';
import { expectRefusal, expectSuccess } from '../../test/support/customers/answers.ts';
import {
  brandCode,
  consentEntry,
  consentQuery,
  number,
  shown,
  wallClock,
} from '../../test/support/customers/samples.ts';
import { type TestAccount, testApp } from '../../test/support/program/app.ts';
import { consentSources } from '../consent/record.ts';
import { nowMs, setClock } from '../time/clock.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ brands: [brandCode] });
const none = await app.open();

const create = (list: unknown, more: object = {}, from: TestAccount = account) =>
  from.call('iys-register', { consent: { brandCode, list, ...more } });
const show = (members: object = {}, from: TestAccount = account) =>
  from.call('iys-check', { consent: consentQuery(members) });
const stored = async (from: TestAccount = account): Promise<number> =>
  (await app.db.query('select count(*)::int as n from consent_records where account_id = $1', [from.id])).rows[0].n;

test('a registered consent is shown with the brand code as a number and its time in Turkey', async () => {
  const at = Math.floor(nowMs() / 1_000) * 1_000 - 5_000;
  const entry = consentEntry({ recipient: shown(10), consentDate: wallClock(at) });
  expectSuccess(await create([entry]));
  expect(
    expectSuccess(await show({ recipient: `0${number(10)}`, brandCode: String(brandCode) }), 'consent').consent,
  ).toEqual({
    brandCode,
    recipient: shown(10),
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
    status: 'ONAY',
    source: 'HS_WEB',
    consentDate: wallClock(at),
  });
});

test('every source, list, kind and status of the specification is taken, the brand code as a string or a number', async () => {
  const entries = consentSources
    .filter(source => source !== 'HS_KARAR')
    .flatMap((source, i) => [
      consentEntry({ source, recipient: shown(20 + i), recipientType: 'TACIR', type: 'ARAMA', status: 'RET' }),
      consentEntry({ source, recipient: `ORNEK${i}@Example.com`, type: 'EPOSTA' }),
    ]);
  expectSuccess(await create(entries, { brandCode: String(brandCode) }));
  const mail = await show({ recipient: 'ornek3@EXAMPLE.com', type: 'EPOSTA' });
  expect(mail.response.consent).toMatchObject({ recipient: 'ornek3@example.com', status: 'ONAY' });
});

test('the latest consent date is the current record, the later arrival wins a tie, nothing is deleted', async () => {
  const at = (ago: number) => wallClock(nowMs() - ago);
  const entry = (status: string, ago: number) => consentEntry({ recipient: shown(50), status, consentDate: at(ago) });
  const before = await stored();
  const current = async () => (await show({ recipient: shown(50) })).response.consent!.status;
  expectSuccess(await create([entry('ONAY', 60_000)]));
  expectSuccess(await create([entry('RET', 120_000)]));
  expect(await current()).toBe('ONAY');
  expectSuccess(await create([entry('RET', 60_000)]));
  expect(await current()).toBe('RET');
  expect(await stored()).toBe(before + 3);
});

test('lists, kinds and brands do not mix', async () => {
  expectSuccess(await create([consentEntry({ recipient: shown(51) })]));
  expectRefusal(await show({ recipient: shown(51), recipientType: 'TACIR' }), 422);
  expectRefusal(await show({ recipient: shown(51), type: 'ARAMA' }), 422);
});

test('iys-register answers 403 without a brand code, whatever else is wrong', async () => {
  expectRefusal(await create([consentEntry()], {}, none), 403);
  expectRefusal(await create('x', { brandCode: 'x' }, none), 403);
});

test('iys-check answers 403 without a brand code, whatever else is wrong', async () => {
  expectRefusal(await show({}, none), 403);
  expectRefusal(await show({ recipient: 'x' }, none), 403);
});

test('iys-register answers 405 when the month’s quota has no room for all of the list', async () => {
  const small = await app.open({ brands: [brandCode], quota: 3 });
  const entries = [0, 1].map(i => consentEntry({ recipient: shown(i) }));
  expectSuccess(await create(entries, {}, small));
  expectRefusal(await create(entries, {}, small), 405);
  expectSuccess(await create(entries.slice(1), {}, small));
  expectRefusal(await create(entries.slice(1), {}, small), 405);
  expect(await stored(small)).toBe(3);
});

test('iys-register answers 405 no longer in the next month of Turkey', async () => {
  const small = await app.open({ brands: [brandCode], quota: 1 });
  // 20:59:59 UTC on the last of the month is a second before midnight in Turkey.
  const midnight = Date.UTC(2031, 0, 31, 21);
  const restore = setClock(() => midnight - 1_000);
  const entry = consentEntry({ consentDate: wallClock(midnight - 60_000) });
  expectSuccess(await create([entry], {}, small));
  expectRefusal(await create([entry], {}, small), 405);
  restore();
  const next = setClock(() => midnight);
  expectSuccess(await create([entry], {}, small));
  next();
});

test('a refused list does not count against the quota', async () => {
  const small = await app.open({ brands: [brandCode], quota: 1 });
  expectRefusal(await create([consentEntry({ status: 'BELKI' })], {}, small), 422);
  expectSuccess(await create([consentEntry()], {}, small));
});

test('iys-register answers 422 to one wrong value in the list and stores nothing of it', async () => {
  const wrong: Record<string, unknown[]> = {
    recipient: ['', null, undefined, '123', '5999000000', 'ornek@example.com', [], {}, '+491511234567'],
    recipientType: ['', null, undefined, 'bireysel', 'KURUMSAL', 0, []],
    type: ['', null, undefined, 'SMS', 'mesaj', 0, {}],
    status: ['', null, undefined, 'BELKI', 'onay', true],
    source: ['', null, undefined, 'HS_RADYO', 'hs_web', 'IYS_WEB', 5],
    consentDate: ['', null, undefined, 'today', '2026-01-01', '2026-02-30 10:00:00', '01/01/2026 10:00:00', 5, []],
  };
  const before = await stored();
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const errors = expectRefusal(await create([consentEntry(), consentEntry({ [field]: value })]), 422);
      expect(Object.keys(errors)).toContain(`list.1.${field}`);
    }
  for (const entry of [null, 5, 'x', []]) expectRefusal(await create([consentEntry(), entry]), 422);
  expect(await stored()).toBe(before);
});

test('iys-register answers 422 to an address of the wrong kind for its type', async () => {
  expectRefusal(await create([consentEntry({ type: 'EPOSTA' })]), 422);
  for (const recipient of [
    'ornek',
    'ornek@',
    '@example.com',
    'a b@example.com',
    'ornek@example',
    `${'a'.repeat(65)}@example.com`,
  ])
    expectRefusal(await create([consentEntry({ type: 'EPOSTA', recipient })]), 422);
  expectRefusal(await create([consentEntry({ type: 'ARAMA', recipient: 'ornek@example.com' })]), 422);
});

test('iys-register answers 422 to a consent date older than 72 hours or in the future', async () => {
  const start = Math.floor(nowMs() / 1_000) * 1_000;
  const restore = setClock(() => start);
  const at = (ms: number) => create([consentEntry({ recipient: shown(60), consentDate: wallClock(start + ms) })]);
  const dayMs = 86_400_000;
  expectSuccess(await at(-3 * dayMs));
  expectRefusal(await at(-3 * dayMs - 1_000), 422);
  expectSuccess(await at(0));
  expectRefusal(await at(1_000), 422);
  restore();
});

test('iys-register answers 422 to a brand code that is missing, none or of another account', async () => {
  await app.open({ brands: [999_999] });
  for (const wrong of [undefined, null, '', 'x', 999_999, '999999', -1, 1.5, [], {}])
    expect(expectRefusal(await create([consentEntry()], { brandCode: wrong }), 422)).toHaveProperty('brandCode');
});

test('iys-register answers 422 to an empty list or none', async () => {
  for (const list of [[], null, undefined, 'x', {}, 5]) expectRefusal(await create(list), 422);
});

test('iys-register answers 422 to HS_KARAR as the first record, and takes it after another one', async () => {
  const ruling = consentEntry({ recipient: shown(70), source: 'HS_KARAR', status: 'RET' });
  expectRefusal(await create([ruling]), 422);
  expectRefusal(await create([ruling, consentEntry({ recipient: shown(70) })]), 422);
  expectSuccess(await create([consentEntry({ recipient: shown(70) }), ruling]));
  expectSuccess(await create([ruling]));
  expectRefusal(await create([{ ...ruling, recipientType: 'TACIR' }]), 422);
});

test('iys-register answers 475 to more than 5,000 records and takes 5,000, all or none', async () => {
  const bulk = await app.open({ brands: [brandCode] });
  const entries = Array.from({ length: 5_001 }, (_, i) => consentEntry({ recipient: shown(i) }));
  expectRefusal(await create(entries, {}, bulk), 475);
  expect(await stored(bulk)).toBe(0);
  expectSuccess(await create(entries.slice(1), {}, bulk));
  expect(await stored(bulk)).toBe(5_000);
});

test('of several faults 403 comes first, then 405, 422 and 475', async () => {
  const small = await app.open({ brands: [brandCode], quota: 5_001 });
  const many = Array.from({ length: 5_001 }, () => consentEntry());
  expectRefusal(await create([...many, {}], {}, small), 405);
  expectRefusal(await create([...many.slice(1), {}], {}, small), 422);
  expectRefusal(await create(many, {}, small), 475);
});

test('iys-check answers 422 when there is no record', async () => {
  const errors = expectRefusal(await show({ recipient: shown(999) }), 422);
  expect(errors).toEqual({ recipient: 'Bu alıcı için izin kaydı bulunamadı.' });
});

test('iys-check answers 422 to a wrong recipient, list, kind or brand code', async () => {
  expectSuccess(await create([consentEntry()]));
  for (const [field, values] of Object.entries({
    recipient: ['', null, 'x', 'ornek@example.com', [shown()]],
    recipientType: ['', null, 'bireysel'],
    type: ['', null, 'SMS'],
    brandCode: ['', null, 999_999, 'x', {}],
  }))
    for (const value of values)
      expect(Object.keys(expectRefusal(await show({ [field]: value }), 422))).toContain(field);
});

test('iys-check answers 422 for the record of another account under the same brand code', async () => {
  const other = await app.open({ brands: [brandCode] });
  expectSuccess(await create([consentEntry({ recipient: shown(80) })]));
  expectRefusal(await show({ recipient: shown(80) }, other), 422);
});

test('an ONAY that the registry refused no longer counts, a RET counts whatever the registry says', async () => {
  const refuse = (status: string) =>
    app.db.query(
      `update consent_records set sync_state = 'refused', counts = (status = 'RET') where recipient = $1 and status = $2`,
      [shown(90), status],
    );
  const entry = (status: string) => consentEntry({ recipient: shown(90), status });
  expectSuccess(await create([entry('ONAY')]));
  await refuse('ONAY');
  expectRefusal(await show({ recipient: shown(90) }), 422);
  expectSuccess(await create([entry('RET')]));
  await refuse('RET');
  expect((await show({ recipient: shown(90) })).response.consent!.status).toBe('RET');
});

test('nothing of all this broke an invariant or was a fault of the server', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
  expect(app.faults).toEqual([]);
});
