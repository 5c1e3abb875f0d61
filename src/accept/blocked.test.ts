// Who may not be sent to: bad numbers, the account's blacklist, and recipients without consent.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand } from '../consent/brands.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const number = (i: number) => 905_550_000_000 + i;
const free = 0;
const bad = 1;
const blacklisted = 2;
const noConsent = 3;

/** Without owners the first account and list are those of all numbers. */
async function blocked(
  accounts: number[],
  lists: (string | null)[],
  numbers: number[],
  owners: number[] | null = null,
) {
  const text = 'select blocked($1, $2, $3, $4) as reasons';
  return (await db.query(text, [accounts, lists, owners, numbers])).rows[0].reasons as number[];
}

async function open(brands: number[] = []): Promise<number> {
  const { id } = await openAccount(db, 'Deneme');
  for (const code of brands) await addBrand(db, id, code, null);
  return id;
}

async function blacklist(id: number, ...numbers: number[]): Promise<void> {
  await db.query('insert into blacklist_entries (account_id, number) select $1, unnest($2::bigint[])', [id, numbers]);
}

type Consent = { brand?: number; type?: string; list?: string; status?: string; at?: string; counts?: boolean };
async function consent(id: number, to: number, given: Consent = {}): Promise<void> {
  const { brand = 5, type = 'MESAJ', list = 'BIREYSEL', status = 'ONAY', at = '2026-05-01Z', counts = true } = given;
  await db.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, counts, sync_state)
     values ($1, $2, $3, $4, $5, $6, 'HS_WEB', $7, $8, $9)`,
    [id, brand, `+${to}`, list, type, status, at, counts, counts ? 'queued' : 'refused'],
  );
}

test('without a consent list only bad numbers and those of the blacklist are blocked', async () => {
  const id = await open();
  await blacklist(id, number(1), number(3));
  expect(await blocked([id], [null], [number(0), number(1), 0, number(2), number(3)])).toEqual([
    ...[free, blacklisted, bad, free, blacklisted],
  ]);
});

test('the blacklist of another account blocks nobody', async () => {
  const [id, other] = [await open(), await open()];
  await blacklist(other, number(1));
  expect(await blocked([id], [null], [number(1)])).toEqual([free]);
});

test('in a batch each number is judged by the account and the list of its own order', async () => {
  const [listing, consenting, plain] = [await open([5]), await open([5]), await open([5])];
  await blacklist(listing, number(1));
  await consent(consenting, number(2));
  await consent(plain, number(1));
  const numbers = [number(1), number(2), number(1), number(2), number(1), number(2), 0];
  const owners = [1, 1, 2, 2, 3, 3, 2];
  expect(await blocked([listing, consenting, plain], [null, 'BIREYSEL', null], numbers, owners)).toEqual([
    ...[blacklisted, free, noConsent, free, free, free, bad],
  ]);
});

test('with a list a number needs a consent to messages on that list under a brand code of the account', async () => {
  const [id, other] = [await open([5]), await open([5])];
  await consent(id, number(0));
  await consent(id, number(1), { type: 'ARAMA' });
  await consent(id, number(2), { list: 'TACIR' });
  await consent(id, number(3), { brand: 6 });
  await consent(other, number(4));
  await consent(id, number(5), { status: 'RET' });
  await consent(id, number(6), { counts: false });
  const numbers = Array.from({ length: 8 }, (_, i) => number(i));
  const none = Array.from({ length: 7 }, () => noConsent);
  expect(await blocked([id], ['BIREYSEL'], numbers)).toEqual([free, ...none]);
  expect((await blocked([id], ['TACIR'], numbers))[2]).toBe(free);
});

test('a number that is blacklisted, or bad, is reported so whatever its consent says', async () => {
  const id = await open([5]);
  await blacklist(id, number(0), number(1));
  await consent(id, number(0));
  expect(await blocked([id], ['BIREYSEL'], [number(0), number(1), 0])).toEqual([blacklisted, blacklisted, bad]);
});

test('the newest record by its date counts, of the same date the later arrival', async () => {
  const id = await open([5]);
  await consent(id, number(0), { at: '2026-05-02Z' });
  await consent(id, number(0), { status: 'RET' });
  await consent(id, number(1));
  await consent(id, number(1), { status: 'RET' });
  await consent(id, number(2), { status: 'RET' });
  await consent(id, number(2), { at: '2026-05-02Z', counts: false });
  expect(await blocked([id], ['BIREYSEL'], [number(0), number(1), number(2)])).toEqual([free, noConsent, noConsent]);
});

test('of several brand codes one must say ONAY and none RET; a code that was removed says nothing', async () => {
  const id = await open([5, 6, 7]);
  await consent(id, number(0), { brand: 6 });
  await consent(id, number(1), { brand: 6 });
  await consent(id, number(1), { brand: 7, status: 'RET' });
  const judged = () => blocked([id], ['BIREYSEL'], [number(0), number(1)]);
  expect(await judged()).toEqual([free, noConsent]);
  await db.query('update brands set active = false where account_id = $1 and code = 7', [id]);
  expect(await judged()).toEqual([free, free]);
  await db.query('update brands set active = false where account_id = $1 and code = 6', [id]);
  expect(await judged()).toEqual([noConsent, noConsent]);
});
