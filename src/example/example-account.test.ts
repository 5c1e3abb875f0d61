// The example account: complete, balanced, never dispatched, and completed after any crash.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { newCredentials } from '../accounts/credentials.ts';
import { audit } from '../audit/invariants.ts';
import { ensureFirstPeople } from '../people/first-people.ts';
import { membershipsOf } from '../people/memberships.ts';
import { now } from '../time/clock.ts';
import { exampleName, makeExample, requestExample } from './example-account.ts';
import { blockedCustomers, consentingCustomers, plannedOrders, plannedReplies } from './month.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());

const demo = newCredentials();
const { owner } = await ensureFirstPeople(db, Buffer.alloc(32, 7), { demo, staff: true });
const end = now();
const breathe = async () => {};

test('a month of believable traffic is made beside the demo account, however often its maker dies, and all sums hold', async () => {
  await makeExample(db, AbortSignal.timeout(600_000), breathe);
  expect(await counts()).toMatchObject({ orders: 0, accounts: 1 });
  await requestExample(db, owner!.email, end);
  for (let deaths = 0; deaths < 3; deaths++) {
    const dying = new AbortController();
    let left = 40;
    await makeExample(db, dying.signal, async () => void (--left === 0 && dying.abort()));
    expect(await membersOf(exampleName)).toBe(0);
  }
  // A crash inside a step leaves nothing of that step.
  await expect(
    makeExample(db, AbortSignal.timeout(600_000), () => Promise.reject(new Error('died'))),
  ).rejects.toThrow();
  await makeExample(db, AbortSignal.timeout(600_000), breathe);
  const made = await counts();
  await requestExample(db, owner!.email, end);
  await makeExample(db, AbortSignal.timeout(600_000), breathe);
  expect(await counts()).toEqual(made);

  expect(made).toMatchObject({
    accounts: 2,
    orders: plannedOrders(end).length,
    inbox: plannedReplies(end).length,
    chunks: 0,
  });
  expect(made.messages).toBeGreaterThan(1_500);
  expect(made.messages).toBeLessThan(5_000);
  expect(made.reasons).toEqual(expect.arrayContaining([0, 1, 2, 3, 10, 11, 12, 13]));
  expect(made.days).toBeGreaterThanOrEqual(30);
  expect(made.future).toBe(0);
  expect(await membersOf(exampleName)).toBe(1);
  expect((await audit(db)).findings).toEqual([]);
  // A person who wrote RET is on the blacklist from that moment and gets no further messages; the sign-in opens this account
  // first.
  expect(await contradictions()).toEqual({ late: 0, missing: 0, written: 0, optOuts: expect.any(Number) });
  expect((await contradictions()).optOuts).toBeGreaterThan(3);
  expect((await membershipsOf(db, (await ownerId())!)).map(one => one.accountName)).toEqual([exampleName, 'Demo']);
  // The demo account is unchanged: full credit, nothing sent.
  const { rows } = await db.query(`select b.sms, (select count(*) from orders o where o.account_id = a.id) as orders
    from accounts a join balances b on b.account_id = a.id where a.name = 'Demo'`);
  expect(rows).toEqual([{ sms: 100, orders: 0 }]);
});

test('every order of the month has somebody to write to, whichever weekday and hour it is made on', () => {
  const mayGet = {
    notice: (one: string) => one.length === 10,
    campaign: (one: string) => consentingCustomers.includes(one),
  };
  for (let hour = 0; hour < 7 * 24; hour++) {
    const planned = plannedOrders(new Date(end.getTime() + hour * 3_600_000));
    const toNobody = planned.filter(
      ({ recipients, commercial }) =>
        !recipients.some(one => !blockedCustomers.includes(one) && mayGet[commercial ? 'campaign' : 'notice'](one)),
    );
    expect(toNobody).toEqual([]);
  }
});

test('without the owner nothing is made', async () => {
  await db.query(`update installation set value = replace(value, 'demo@', 'nobody@') where name = 'example-account'`);
  await db.query(
    `update installation set value = replace(value, '"isDone":true', '"isDone":false') where name = 'example-account'`,
  );
  const before = await counts();
  await makeExample(db, AbortSignal.timeout(600_000), breathe);
  expect(await counts()).toEqual(before);
});

async function counts() {
  const { rows } = await db.query(
    `select (select count(*) from accounts) as accounts, (select count(*) from orders) as orders,
      (select count(*) from messages) as messages, (select count(*) from chunks) as chunks,
      (select count(*) from inbound_messages) as inbox, (select count(*) from blacklist_entries) as blocked,
      (select count(*) from consent_records) as consents,
      (select count(distinct date_trunc('day', submit_at)) from orders) as days,
      (select coalesce(array_agg(distinct reason), '{}') from messages) as reasons,
      (select count(*) from messages where final_at > $1 or final_at is null) as future`,
    [end],
  );
  return rows[0] as Record<string, number> & { reasons: number[] };
}

async function ownerId(): Promise<number> {
  return (await db.query('select id from users where lower(email) = $1', [owner!.email])).rows[0].id;
}

async function contradictions() {
  const { rows } =
    await db.query(`with outs as (select i.account_id, i.number, i.received_at from inbound_messages i where upper(i.text) = 'RET')
    select count(*)::int as "optOuts", count(*) filter (where b.number is null)::int as missing,
      count(*) filter (where b.added_at is distinct from o.received_at)::int as late,
      (select count(*)::int from outs o join messages m on m.account_id = o.account_id and m.number = o.number and m.status = 111
         join orders s on s.id = m.order_id and s.account_id = m.account_id and s.submit_at > o.received_at) as written
    from outs o left join blacklist_entries b on b.account_id = o.account_id and b.number = o.number`);
  return rows[0] as Record<'optOuts' | 'missing' | 'late' | 'written', number>;
}

async function membersOf(name: string): Promise<number> {
  const { rows } = await db.query(
    `select count(*) as n from memberships m join accounts a on a.id = m.account_id where a.name = $1`,
    [name],
  );
  return rows[0].n as number;
}
