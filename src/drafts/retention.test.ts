import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { openAccount } from '../accounts/open.ts';
import { sweepDrafts } from './retention.ts';

const database = await testDatabase();
afterAll(() => database.close());

test('drafts untouched for a month and those sent a day ago go, with their lists; others stay', async () => {
  const { pool } = database;
  const { id: account } = await openAccount(pool, 'Deneme');
  const ages = [
    ['29 days', null],
    ['31 days', null],
    ['2 hours', '{1}'],
    ['2 days', '{1}'],
  ];
  for (const [age, orders] of ages)
    await pool.query(
      `with d as (insert into send_drafts (account_id, user_id, head, updated_at, sent_at, order_ids)
         values ($1, 1, '{}', now() - $2::interval, case when $3::bigint[] is not null then now() - $2::interval end, $3)
         returning id)
       insert into send_draft_pieces (draft_id, account_id, no, row_count, content) select id, $1, 0, 1, '' from d`,
      [account, age, orders],
    );
  expect(await sweepDrafts(pool)).toBe(2);
  expect(await sweepDrafts(pool)).toBe(0);
  const { rows } = await pool.query(
    'select count(*)::int as drafts, (select count(*)::int from send_draft_pieces) as pieces from send_drafts',
  );
  expect(rows).toEqual([{ drafts: 2, pieces: 2 }]);
});
