// Rules that exist in the program and in functions of the database are equal.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { panelSources, sources, sqlFiles } from '../../test/support/sources/sources.ts';
import { type Reason, reasons } from '../orders/reasons.ts';
import { testSender } from '../senders/senders.ts';
import { turkeyOffset, turkeyOffsetMs } from '../time/clock.ts';

const { pool, close } = await testDatabase();
afterAll(close);

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const numbersOf = (keys: (typeof reasons)[Reason]['key'][]) =>
  Object.entries(reasons).flatMap(([no, { key }]) => (keys.includes(key) ? [Number(no)] : []));

/** The reasons that a function lists behind `reason in` or `reason not in`. */
function listed(path: string): number[] {
  const [, list] = text(path).match(/\breason (?:not )?in \(([\d, ]+)\)/)!;
  return list!.split(',').map(Number);
}

test('the trial sender ID needs no approval, and every other one does', async () => {
  const { rows } = await pool.query(
    'select n as name, s.ok from unnest($1::text[]) n cross join lateral sender_stands(0, n) s',
    [[testSender, `${testSender} `, testSender.toLowerCase(), 'DENEME']],
  );
  expect(rows.filter(one => one.ok).map(one => one.name)).toEqual([testSender]);
});

test('functions use the reason numbers of the table', () => {
  const unseen = Object.values(reasons).flatMap(one => (one.filtered && one.key !== 'cancelled' ? [one.key] : []));
  expect(listed('src/settle/sql/count_orders.sql')).toEqual(numbersOf([...unseen, 'never-sent']));
  expect(listed('src/settle/sql/settle.sql')).toEqual(
    numbersOf(['no-receipt', 'outcome-unknown', 'no-receipt', 'outcome-unknown']),
  );
  expect(listed('src/webhooks/sql/webhook_unfold.sql')).toEqual(numbersOf(['bad-number', 'blacklisted', 'no-consent']));
});

test('a shared rule is written in one file only', () => {
  const all = [...sources, ...panelSources, ...sqlFiles];
  const homes = (rule: RegExp, among = all) => among.filter(file => rule.test(file.text)).map(file => file.path);
  expect(homes(/reason\s+(not\s+)?between/)).toEqual([]);
  expect(homes(/o\.fingerprint between/)).toEqual(['src/accept/sql/duplicates.sql']);
  expect(homes(/APITEST'/, sqlFiles)).toEqual(['src/queue/sql/sender_stands.sql']);
  expect(homes(/<= 100 then 0/)).toEqual(['src/queue/sql/chunk_rank.sql']);
  expect(homes(/\+03:00['"`]|'3 hours'|\b3 \* (3600|60 \* 60)/).sort()).toEqual([
    'panel/src/format.ts',
    'src/time/clock.ts',
  ]);
});

test("Turkey's time is as far from UTC in the database as in the program", async () => {
  const { rows } = await pool.query<{ ms: number }>(
    `select (extract(epoch from (now() at time zone 'Europe/Istanbul') - (now() at time zone 'UTC')) * 1000)::bigint as ms`,
  );
  expect(rows).toEqual([{ ms: turkeyOffsetMs }]);
  expect(Date.parse('2026-01-01T00:00:00Z') - Date.parse(`2026-01-01T00:00:00${turkeyOffset}`)).toBe(turkeyOffsetMs);
});

test('a rule written as a set-returning function is inlined into the calling statement', async () => {
  const calls = ['duplicates(a.id, 1, now())', 'sender_stands(a.id, a.name)', 'chunk_messages(c)'];
  for (const call of calls) {
    const { rows } = await pool.query(
      `explain select r.* from accounts a cross join chunks c cross join lateral ${call} r`,
    );
    expect.soft(rows.map(row => row['QUERY PLAN']).join('\n'), call).not.toContain('Function Scan');
  }
});
