// The audit detects every kind of damage: each test breaks good data in one place and repairs it.
import { afterAll, expect, test } from 'vitest';
import {
  brandCode,
  consentEntry,
  freshText,
  numbers,
  order,
  sendDateTime,
  sender,
} from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());
const account = await app.open({ senders: [sender], brands: [brandCode] });
const open = await account.send(order({}, freshText(), numbers(2)));
const done = await account.send(order({}, freshText(), numbers(2)));
await app.settle(account, done, 111, 1);
await app.settle(account, done, 112);
const cancelled = await account.send(order({ sendDateTime: sendDateTime(3_600_000) }));
await account.call('cancel-order', { order: { id: cancelled } });
const scheduled = await account.send(order({ sendDateTime: sendDateTime(3_600_000) }));
await account.call('iys-register', { consent: { brandCode, list: [consentEntry()] } });

test('whole data has no findings', async () => {
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

const damages: [finding: string, damage: string, repair: string][] = [
  [
    'the sum of ledger entries is the balance',
    'update balances set sms = sms + 1',
    'update balances set sms = sms - 1',
  ],
  [
    'the sum of ledger entries is the balance',
    'update balances set amount = amount + 0.0001',
    'update balances set amount = amount - 0.0001',
  ],
  [
    'every account has a balance',
    "insert into accounts (id, name) values (5, 'x')",
    'delete from accounts where id = 5',
  ],
  [
    'what an order reserves is what its entries reserve',
    `update orders set reserved = reserved + 1 where id = ${open}`,
    `update orders set reserved = reserved - 1 where id = ${open}`,
  ],
  [
    'what an order consumed is what its entries consumed',
    `update orders set consumed = consumed + 1 where id = ${done}`,
    `update orders set consumed = consumed - 1 where id = ${done}`,
  ],
  [
    'counters and credits of an order equal its messages',
    `update messages set status = 111 where order_id = ${open}`,
    `update messages set status = 110 where order_id = ${open}`,
  ],
  [
    'an order is finished exactly when all its messages are',
    `update orders set state = 'sending' where id = ${done}`,
    `update orders set state = 'finished' where id = ${done}`,
  ],
  [
    'a cancelled order delivered nothing',
    `update orders set state = 'cancelled' where id = ${done}`,
    `update orders set state = 'finished' where id = ${done}`,
  ],
  [
    'a scheduled order has no chunks',
    `insert into chunks (account_id, lane, first_message_id, count, due_at) select account_id, 0, first_message_id, 1, now() from orders where id = ${scheduled}`,
    `delete from chunks c using orders o where o.id = ${scheduled} and c.first_message_id = o.first_message_id`,
  ],
  [
    'a message that waits has a chunk or a submission, or its order will be closed',
    `with gone as (delete from chunks where account_id = ${account.id}) update orders set close_after = '2020-01-01' where id = ${open}`,
    `update orders set close_after = now() + interval '1 day' where id = ${open}`,
  ],
  [
    'a chunk that waits long holds a message that waits',
    `insert into chunks (account_id, lane, first_message_id, count, due_at) values (${account.id}, 0, 1, 1, '2020-01-01')`,
    `delete from chunks where first_message_id = 1`,
  ],
  [
    'every lease has a living owner',
    `insert into chunks (account_id, lane, first_message_id, count, due_at, lease_owner) values (${account.id}, 0, 1, 1, now(), 999)`,
    `delete from chunks where lease_owner = 999`,
  ],
  [
    'a receipt that was acknowledged is settled within minutes',
    `insert into receipt_inbox values (999, 1, now() - interval '6 minutes', '{1}', '{a}', '{111}', '{0}', '{0}', '{0}')`,
    'delete from receipt_inbox',
  ],
  [
    'what becomes of a message in doubt is decided within minutes',
    `insert into unsure values (1, 1, 0, 905550000000, 0, 1, now(), now() - interval '11 minutes', true)`,
    'delete from unsure',
  ],
  [
    'a message in doubt is sent twice at most',
    `insert into unsure select 1, 1, n, 905550000000, 0, 1, now(), null, true from generate_series(0, 2) n`,
    'delete from unsure',
  ],
  [
    'no chunk is quarantined',
    `insert into chunks (account_id, lane, first_message_id, count, due_at, lost) select account_id, 0, first_message_id, 1, now(), 2 from orders where id = ${open}`,
    `delete from chunks where lost = 2`,
  ],
  [
    'every message has a text',
    `update messages set text_no = 2 where order_id = ${open}`,
    `update messages set text_no = 1 where order_id = ${open}`,
  ],
  [
    'an ONAY refused by the registry does not count, a RET does',
    'update consent_records set counts = false',
    'update consent_records set counts = true',
  ],
];

for (const [finding, damage, repair] of damages)
  test(`the audit finds a breach of "${finding}" (${damage.slice(0, 60)}…)`, async () => {
    await app.db.query(damage);
    const { ok, findings } = await app.audit();
    await app.db.query(repair);
    expect(ok).toBe(false);
    expect(findings.map(one => one.invariant)).toContain(finding);
    for (const one of findings) expect([one.subject, one.detail].every(text => text.length > 0)).toBe(true);
    expect(await app.audit()).toEqual({ ok: true, findings: [] });
  });

test('the audit changes nothing and sees one moment, while orders are being sent', async () => {
  const sending = Promise.all(Array.from({ length: 30 }, () => account.send(order())));
  for (let i = 0; i < 5; i++) expect((await app.audit()).ok).toBe(true);
  await sending;
});
