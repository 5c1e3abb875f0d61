import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { addBrand } from './brands.ts';
import { currentConsent } from './current.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const recipient = '+905550000000';

async function account(...records: [status: string, date: string, counts?: boolean][]): Promise<number> {
  const { id } = await openAccount(db, 'Deneme');
  await addBrand(db, id, 5, null);
  for (const [status, date, counts = true] of records)
    await db.query(
      `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, counts, sync_state)
       values ($1, 5, $2, 'BIREYSEL', 'MESAJ', $3, 'HS_WEB', $4, $5, $6)`,
      [id, recipient, status, date, counts, counts ? 'queued' : 'refused'],
    );
  return id;
}

const current = async (id: number) => (await currentConsent(db, id, 5, 'MESAJ', 'BIREYSEL', recipient))?.status;
const blocked = async (id: number) =>
  (await db.query("select blocked(array[$1::bigint], '{BIREYSEL}', null, '{905550000000}') as r", [id])).rows[0].r[0];

test('the latest by consent date counts, whatever order they came in, for asking and for sending alike', async () => {
  const onay = await account(['ONAY', '2026-05-02'], ['RET', '2026-05-01']);
  const ret = await account(['RET', '2026-05-02'], ['ONAY', '2026-05-01']);
  expect([await current(onay), await blocked(onay)]).toEqual(['ONAY', 0]);
  expect([await current(ret), await blocked(ret)]).toEqual(['RET', 3]);
});

test('of the same second the later arrival counts', async () => {
  const id = await account(['ONAY', '2026-05-02'], ['RET', '2026-05-02']);
  expect([await current(id), await blocked(id)]).toEqual(['RET', 3]);
});

test('a refused ONAY is passed over for the record before it', async () => {
  const id = await account(['RET', '2026-05-01'], ['ONAY', '2026-05-02', false]);
  expect([await current(id), await blocked(id)]).toEqual(['RET', 3]);
});

test('without a record there is none, and nothing may be sent', async () => {
  const id = await account();
  expect([await current(id), await blocked(id)]).toEqual([undefined, 3]);
});

test('of several brand codes one must say ONAY and none RET', async () => {
  const id = await account(['ONAY', '2026-05-02']);
  await addBrand(db, id, 6, null);
  expect(await blocked(id)).toBe(0);
  await db.query(
    `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date)
     values ($1, 6, $2, 'BIREYSEL', 'MESAJ', 'RET', 'HS_WEB', now())`,
    [id, recipient],
  );
  expect(await blocked(id)).toBe(3);
});
