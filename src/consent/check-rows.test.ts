// The rows of an import are checked together: against the stored records and against each other.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand } from './brands.ts';
import { checkConsentRows } from './check-rows.ts';
import { consentRules, type GivenConsent } from './read-row.ts';
import { registerConsents } from './register.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const brand = 701701;
const now = new Date('2026-03-10T12:00:00Z');

const given = (i: number, members: Partial<GivenConsent> = {}): GivenConsent => ({
  recipient: `+90${5_550_000_000 + i}`,
  recipientType: 'BIREYSEL',
  type: 'MESAJ',
  status: 'ONAY',
  source: 'HS_WEB',
  consentDate: '2026-03-10 14:00:00',
  ...members,
});

async function account(): Promise<number> {
  const { id } = await openAccount(db, 'Deneme');
  await addBrand(db, id, brand, null);
  return id;
}

/** Stores these as records of the account, under this brand code. */
async function store(id: number, rows: GivenConsent[], code = brand): Promise<void> {
  const { drafts } = await checkConsentRows(db, id, code, rows, false, now);
  await addBrand(db, id, code, null);
  await registerConsents(db, id, code, drafts as NonNullable<(typeof drafts)[0]>[], 'panel', now);
}

/** Which rules which rows break, and which rows are left. */
async function check(id: number, rows: GivenConsent[]) {
  const { drafts, issues } = await checkConsentRows(db, id, brand, rows, false, now);
  return {
    left: drafts.flatMap((one, row) => (one ? [row] : [])),
    issues: issues.map(one => `${one.row} ${one.rule}`),
  };
}

const refusal = { status: 'RET' } as const;
const ruling = { source: 'HS_KARAR' } as const;

test('rows that break no rule are all left, in their sequence', async () => {
  const id = await account();
  const { drafts, issues } = await checkConsentRows(db, id, brand, [given(1), given(0)], false, now);
  expect(drafts.map(one => one!.recipient)).toEqual(['+905550000001', '+905550000000']);
  expect(issues).toEqual([]);
  expect(await check(id, [])).toEqual({ left: [], issues: [] });
});

test('a row that breaks a rule is left out, and every rule is named in the sequence of the rows', async () => {
  const wrong = given(1, { type: 'SMS', status: 'BELKI' });
  expect(await check(await account(), [given(0, refusal), wrong, given(0), given(2)])).toEqual({
    left: [0, 2, 3],
    issues: ['0 first-refusal', '1 type', '1 status', '2 duplicate'],
  });
  expect(await check(await account(), [wrong])).toEqual({ left: [], issues: ['0 type', '0 status'] });
});

test('a second row of the same recipient, list and kind is a duplicate, but is left', async () => {
  const rows = [given(0), given(0), given(0, { type: 'ARAMA' }), given(0, { recipientType: 'TACIR' }), given(1)];
  expect(await check(await account(), rows)).toEqual({ left: [0, 1, 2, 3, 4], issues: ['1 duplicate'] });
});

test('a first record that says RET is a warning, one that is a ruling is left out', async () => {
  const rows = [given(0, refusal), given(1, ruling), given(2, { ...refusal, ...ruling }), given(3)];
  expect(await check(await account(), rows)).toEqual({
    left: [0, 3],
    issues: ['0 first-refusal', '1 ruling-first', '2 first-refusal', '2 ruling-first'],
  });
  const { 'first-refusal': refused, 'ruling-first': ruled, duplicate } = consentRules;
  expect([refused, ruled, duplicate].map(one => one.isBlocking)).toEqual([false, true, false]);
});

test('an earlier row counts as a record for the rows after it, also one that was left out', async () => {
  const rows = [given(0), given(0, refusal), given(0, ruling), given(1, ruling), given(1, ruling)];
  expect(await check(await account(), rows)).toEqual({
    left: [0, 1, 2, 4],
    issues: ['1 duplicate', '2 duplicate', '3 ruling-first', '4 duplicate'],
  });
});

test('a stored record of the recipient makes a row no first one', async () => {
  const id = await account();
  await store(id, [given(0), given(1)]);
  expect(await check(id, [given(9), given(1, refusal), given(0, ruling)])).toEqual({ left: [0, 1, 2], issues: [] });
});

test('a record of another account, brand code, list, kind or recipient does not count', async () => {
  const id = await account();
  await store(await account(), [given(0)]);
  await store(id, [given(0)], brand + 1);
  await store(id, [given(0, { type: 'ARAMA' }), given(0, { recipientType: 'TACIR' }), given(1)]);
  expect(await check(id, [given(0, ruling)])).toEqual({ left: [], issues: ['0 ruling-first'] });
});
