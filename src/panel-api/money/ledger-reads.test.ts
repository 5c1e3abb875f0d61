// The ledger of a busy account: any page costs what the first one costs, and shows the same balances as a full addition.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { rowsRead } from '../../../test/support/database/rows-read.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { openAccount } from '../../accounts/open.ts';
import { audit } from '../../audit/invariants.ts';
import { checkpointLedger } from '../../balance/checkpoints.ts';
import { grantCredit } from '../../balance/ledger.ts';
import { type LedgerAsked, type LedgerRow, ledgerRows } from './ledger-list.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const entries = 24_000;
const pageRows = 50;
let account: number;
let ids: number[];

beforeAll(async () => {
  account = (await openAccount(db, 'Deneme')).id;
  const other = (await openAccount(db, 'Öteki')).id;
  // Two accounts in turn, with occasional grants, over 240 days.
  await db.query(
    `insert into ledger_entries (account_id, kind, sms, created_at)
     select case when i % 2 = 0 then $1 else $2 end::bigint, case when i % 4000 = 0 then 'grant' else 'release' end, i % 7,
       now() - interval '240 days' + i * interval '1 day' / 200
     from generate_series(1, $3::int) i`,
    [account, other, 2 * entries],
  );
  await db.query(
    `update balances b set sms = (select sum(sms) from ledger_entries l where l.account_id = b.account_id)`,
  );
  await takenIn();
  ids = (await db.query('select id from ledger_entries where account_id = $1 order by id', [account])).rows.map(
    row => row.id as number,
  );
});

/** Processes all present entries without the pauses between the steps. */
async function takenIn(): Promise<void> {
  await wait('all entries to be taken in', async () => {
    await db.query(`update ledger_progress set seen_at = now() - interval '1 minute'`);
    await checkpointLedger(db);
    const { rows } = await db.query(
      `select (select max(id) from ledger_entries) <= through_id as done from ledger_progress`,
    );
    return rows[0].done as boolean;
  });
}

const asks: [string, () => LedgerAsked][] = [
  ['the newest', () => ({})],
  ['in the middle', () => ({ before: ids[entries / 2]! })],
  ['the oldest', () => ({ before: ids[20]! })],
  ['grants only', () => ({ kind: 'grant' })],
  [
    'of a day long past',
    () => ({ from: new Date(Date.now() - 100 * 86_400_000), to: new Date(Date.now() - 99 * 86_400_000) }),
  ],
];

test.each(asks)(
  'a page, %s, reads a bounded number of entries and tells the true balance after each',
  async (_name, asked) => {
    const truth = new Map(
      (
        await db.query(
          'select id, sum(sms) over (order by id)::bigint as after from ledger_entries where account_id = $1',
          [account],
        )
      ).rows.map(row => [row.id as number, row.after as number]),
    );
    let page: LedgerRow[] = [];
    const read = await rowsRead(db, async tx => {
      page = await ledgerRows(tx, account, asked(), pageRows);
    });
    expect(page.length).toBeGreaterThan(5);
    expect(page.map(one => one.balanceAfter)).toEqual(page.map(one => truth.get(one.id)));
    // At most 200 entries before those of the page; a day has 100, plus a day on either side.
    expect(read['ledger_entries']).toBeLessThan(entries / 8);
  },
);

test('what came since the last checkpoint counts, and so does what was granted at the same moment', async () => {
  const { id } = await openAccount(db, 'Yeni');
  await Promise.all(Array.from({ length: 250 }, (_, i) => grantCredit(db, id, i, 'test', 'test')));
  await takenIn();
  await Promise.all(Array.from({ length: 30 }, () => grantCredit(db, id, 2, 'test', 'test')));
  const page = await ledgerRows(db, id, {}, pageRows);
  expect(page[0]!.balanceAfter).toBe(100 + (249 * 250) / 2 + 60);
  const { rows } = await db.query('select count(*)::int as n from ledger_checkpoints where account_id = $1', [id]);
  expect(rows).toEqual([{ n: 1 }]);
  expect(await audit(db)).toEqual({ ok: true, findings: [] });
});
