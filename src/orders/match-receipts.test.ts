// Which submission a receipt tells of is found in two ways: quickly for all that are plain, one by one for the others. Nobody may
// be able to tell which, and whatever is not plain is noticed.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';

const app = await testApp();
afterAll(() => app.close());

type Submit = { carrier: number; id: string; message: number; parts?: number; ageS?: number; account?: number };
type Receipt = { carrier: number; id: string; status?: 111 | 112; reason?: number };

const account = 4_711;
const another = 4_712;
const own = (one: Submit): Submit => ({ account, ...one });

beforeEach(async () => {
  await app.db.query('delete from submissions');
  await app.db.query('delete from account_fences where account_id in ($1, $2)', [account, another]);
});

async function submitted(list: Submit[]): Promise<void> {
  const all = list.map(own);
  await app.db.query(
    `insert into submissions (carrier_id, smsc_id, account_id, message_id, part, parts, submitted_at)
      select c, i, a, m, 1, p, now() - make_interval(secs => s)
      from unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[], $5::smallint[], $6::int[]) u(c, i, a, m, p, s)`,
    [
      all.map(one => one.carrier),
      all.map(one => one.id),
      all.map(one => one.account),
      all.map(one => one.message),
      all.map(one => one.parts ?? 1),
      all.map(one => one.ageS ?? 0),
    ],
  );
}

/** What a function tells of these receipts, in no order but that of the places of what fits nothing. */
async function told(by: 'match_plain_1' | 'match_newest_1', receipts: Receipt[]) {
  const { rows } = await app.db.query(
    `select is_plain, (ends).accounts, (ends).messages, (ends).statuses, (ends).reasons, spent::text[], delivered::text[], long, digests, missing
      from ${by}(row($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::bigint[], $6::boolean[])::receipt_columns)`,
    [
      receipts.map(one => one.carrier),
      receipts.map(one => one.id),
      receipts.map(one => one.status ?? 111),
      receipts.map(one => one.reason ?? 0),
      receipts.map(() => 0),
      receipts.map(() => false),
    ],
  );
  const { is_plain: isPlain, accounts, messages, statuses, reasons, spent, ...rest } = rows[0];
  const ends = (messages ?? []).map((message: number, i: number) =>
    [message, accounts[i], statuses[i], reasons[i], spent[i]].join(' '),
  );
  const sorted = (list: unknown[] | null) => [...(list ?? [])].map(String).sort();
  return {
    isPlain,
    ends: ends.sort(),
    ...Object.fromEntries(Object.entries(rest).map(([name, list]) => [name, sorted(list as unknown[] | null)])),
  };
}

const plain = Array.from({ length: 300 }, (_, i) => ({ carrier: 1 + (i % 3), id: `id-${i}`, message: 9_000 + i }));

test('plain receipts of several carriers, of long messages too and some that fit nothing, are told as one by one', async () => {
  await submitted([
    ...plain,
    { carrier: 1, id: 'part-1', message: 8_000, parts: 2 },
    { carrier: 1, id: 'part-2', message: 8_000, parts: 2 },
    { carrier: 2, id: 'part-3', message: 8_001, parts: 2 },
    // The same id at another carrier is another message.
    { carrier: 9, id: 'id-0', message: 8_002 },
  ]);
  const receipts: Receipt[] = [
    ...plain.map((one, i) => ({
      ...one,
      status: i % 7 ? (111 as const) : (112 as const),
      reason: i % 7 ? 0 : 5,
    })),
    { carrier: 1, id: 'part-1' },
    { carrier: 1, id: 'part-2' },
    { carrier: 2, id: 'part-3', status: 112, reason: 6 },
    { carrier: 1, id: 'nobody' },
    { carrier: 3, id: 'id-0' },
  ];
  const quick = await told('match_plain_1', receipts);
  expect(quick.isPlain).toBe(true);
  expect(quick.ends).toHaveLength(301);
  expect(quick).toMatchObject({ long: ['8000'], missing: ['304', '305'] });
  expect({ ...quick, isPlain: false }).toEqual(await told('match_newest_1', receipts));
});

test('two submissions of one id, two receipts of one id, or an account that moves are not plain', async () => {
  await submitted([...plain, { carrier: 1, id: 'again', message: 8_100, ageS: 60 }]);
  const receipts: Receipt[] = [...plain, { carrier: 1, id: 'again' }];
  expect((await told('match_plain_1', receipts)).isPlain).toBe(true);
  expect((await told('match_plain_1', [...receipts, { carrier: 1, id: 'again' }])).isPlain).toBe(false);
  // As many rows as receipts, because another fits nothing.
  await submitted([{ carrier: 1, id: 'again', message: 8_101 }]);
  expect((await told('match_plain_1', [...receipts, { carrier: 1, id: 'nobody' }])).isPlain).toBe(false);
  const newest = await told('match_newest_1', [
    { carrier: 1, id: 'again' },
    { carrier: 1, id: 'again' },
  ]);
  expect(newest.ends.map((one: string) => one.split(' ')[0])).toEqual(['8100', '8101']);
  const one: Receipt[] = [{ carrier: 2, id: plain[1]!.id }];
  expect((await told('match_plain_1', one)).isPlain).toBe(true);
  const fence = (id: number) =>
    app.db.query(`insert into account_fences (account_id, why) values ($1, 'leaving')`, [id]);
  await fence(another);
  expect((await told('match_plain_1', one)).isPlain).toBe(true);
  await fence(account);
  expect((await told('match_plain_1', one)).isPlain).toBe(false);
  expect(await told('match_newest_1', one)).toMatchObject({ ends: [], missing: ['1'] });
});

test('a thousand receipts that fit nothing are kept in the order in which they came, save for those that repeat', async () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => `foreign-${i}`);
  await app.db.query('delete from receipts');
  const { rows } = await app.db.query(
    `select unmatched from read_receipts_1(row($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::bigint[], $6::boolean[])::receipt_columns, null)`,
    [
      ids.map(() => 1),
      ids,
      ids.map(() => 111),
      ids.map(() => 0),
      ids.map((_, i) => i),
      ids.map((_, i) => i % 10 === 0),
    ],
  );
  const fresh = ids.filter((_, i) => i % 10 !== 0);
  expect(rows[0].unmatched).toBe(fresh.length);
  const kept = await app.db.query('select smsc_id, number from receipts order by id');
  expect(kept.rows.map(one => one.smsc_id)).toEqual(fresh);
  expect(kept.rows.map(one => `foreign-${one.number}`)).toEqual(fresh);
});
