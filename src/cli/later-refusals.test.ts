// Who refused after a moment, taken from later data into those of the moment.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addToBlacklist } from '../blacklist/blacklist.ts';
import { addBrand } from '../consent/brands.ts';
import { enterRefusals, laterRefusals } from './later-refusals.ts';

const [moment, later] = [await testDatabase(), await testDatabase()];
afterAll(async () => {
  await moment.close();
  await later.close();
});

const imported = 50_000;
const brand = 701_701;
// The same account in both, and one that was opened later.
const { id: account } = await openAccount(moment.pool, 'Deneme');
expect((await openAccount(later.pool, 'Deneme')).id).toBe(account);
const { id: younger } = await openAccount(later.pool, 'Yeni');
for (const { pool } of [moment, later]) await addBrand(pool, account, brand, null);

const consent = (recipient: string, status: string, origin: string, created: string) =>
  later.pool.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, origin, created_at)
     values ($1, $2, $3, 'BIREYSEL', 'MESAJ', $4, 'HS_WEB', now(), $5, now() + $6::interval)`,
    [account, brand, recipient, status, origin, created],
  );

test('fifty thousand imported numbers and refusals that only we recorded are entered once, into accounts that existed', async () => {
  const at = new Date();
  await later.pool.query(
    `insert into blacklist_entries (account_id, number, source) select $1, 905550000000 + i, 'import' from generate_series(1, $2::int) i`,
    [account, imported],
  );
  await addToBlacklist(later.pool, younger, 905_559_999_999, 'api');
  // In both: there at the moment.
  await addToBlacklist(moment.pool, account, 905_550_000_001, 'import');
  await consent('+905550000001', 'RET', 'api', '1 second');
  await consent('+905550000002', 'ONAY', 'api', '1 second');
  await consent('+905550000003', 'RET', 'registry', '1 second');
  const found = await laterRefusals(later.pool, at);
  expect([found.entries.length, found.refusals.length]).toEqual([imported + 1, 1]);
  expect(await enterRefusals(moment.pool, found)).toBe(imported);
  expect(await enterRefusals(moment.pool, found)).toBe(0);
  const refused = await moment.pool.query('select recipient, status, sync_state from consent_records');
  expect(refused.rows).toEqual([{ recipient: '+905550000001', status: 'RET', sync_state: 'queued' }]);
});

test('what was begun before the moment and committed after it is among them; what is long known is not', async () => {
  await later.pool.query('delete from blacklist_entries');
  const entry = `insert into blacklist_entries (account_id, number, source, added_at) values ($1, $2, 'api', now() - $3::interval)`;
  await later.pool.query(entry, [account, 905_551_000_001, '20 seconds']);
  await later.pool.query(entry, [account, 905_551_000_002, '2 hours']);
  expect((await laterRefusals(later.pool, new Date())).entries.map(one => one.number)).toEqual([905_551_000_001]);
});
