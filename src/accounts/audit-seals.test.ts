// A change of the audit log without the key is detected.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { silentLog } from '../log.ts';
import { recordAuditEntry } from './audit-log.ts';
import { checkAuditLog, resealAuditLog, sealAuditLog } from './audit-seals.ts';

const database = await testDatabase();
const db = database.pool;
afterAll(() => database.close());
const key = Buffer.alloc(32, 1);
const record = (...actions: string[]) =>
  Promise.all(actions.map(action => recordAuditEntry(db, { actor: 'kisi@ornek.com', action, detail: { sms: 1 } })));

beforeEach(async () => {
  await db.query('truncate audit_entries, audit_seals');
  await record('account.create', 'credit.grant', 'account.set');
  await sealAuditLog(db, key, silentLog);
  await record('credit.grant', 'order.send');
  await sealAuditLog(db, key, silentLog);
  await record('order.cancel');
  await sealAuditLog(db, key, silentLog);
});

test('a log that nobody touched fits, entries that wait for their seal included', async () => {
  await record('sender.approved');
  expect(await checkAuditLog(db, key)).toMatchObject({ sealed: 6, waiting: 1, broken: [] });
});

test('an entry that was committed late, with a lower number than what is sealed, is sealed with the next', async () => {
  await db.query(`update audit_entries set seal = null where seal = 3`);
  await db.query('delete from audit_seals where no = 3');
  await db.query(
    `insert into audit_entries (id, actor, action) overriding system value values (-5, 'x', 'order.send')`,
  );
  expect(await sealAuditLog(db, key, silentLog)).toBe(2);
  expect((await checkAuditLog(db, key)).broken).toEqual([]);
});

const attacks: [string, string][] = [
  ['an amount is changed', `update audit_entries set detail = '{"sms": 1000}' where action = 'credit.grant'`],
  ['the actor is changed', `update audit_entries set actor = 'baska@ornek.com' where seal = 2`],
  ['the time is changed', `update audit_entries set at = at - interval '1 second' where seal = 1`],
  ['the account is changed', `update audit_entries set account_id = 7 where seal = 1`],
  ['an entry is removed', `delete from audit_entries where action = 'account.set'`],
  ['an entry is inserted', `insert into audit_entries (actor, action, seal) values ('x', 'credit.grant', 2)`],
  ['an entry is moved', `update audit_entries set seal = 1 where action = 'order.cancel'`],
  [
    'a whole stretch is removed with its seal',
    'with s as (delete from audit_seals where no = 2) delete from audit_entries where seal = 2',
  ],
  ['a seal is removed', 'delete from audit_seals where no = 3'],
  [
    'the first seal is removed',
    'with s as (delete from audit_seals where no = 1) delete from audit_entries where seal = 1',
  ],
  ['a seal is replaced', `update audit_seals set digest = sha256('x') where no = 2`],
];
for (const [what, statement] of attacks)
  test(`it is found out when ${what}`, async () => {
    await db.query(statement);
    expect((await checkAuditLog(db, key)).broken).not.toEqual([]);
  });

test('the newest stretch removed with its seal changes the head, which the log of the program contains', async () => {
  const { head } = await checkAuditLog(db, key);
  await db.query('with s as (delete from audit_seals where no = 3) delete from audit_entries where seal = 3');
  expect((await checkAuditLog(db, key)).head).not.toBe(head);
});

test('two processes that seal at once make one chain', async () => {
  await record(...Array.from({ length: 20 }, () => 'order.send'));
  await Promise.all([1, 2, 3, 4].map(() => sealAuditLog(db, key, silentLog)));
  expect(await checkAuditLog(db, key)).toMatchObject({ sealed: 26, waiting: 0, broken: [] });
});

test('with a new key the chain fits as long as the old one is given, and after it is sealed anew without it', async () => {
  const fresh = Object.assign(Buffer.alloc(32, 2), { older: [key] });
  await record('order.send');
  await sealAuditLog(db, fresh, silentLog);
  expect((await checkAuditLog(db, fresh)).broken).toEqual([]);
  expect((await checkAuditLog(db, Buffer.alloc(32, 2))).broken).not.toEqual([]);
  await resealAuditLog(db, fresh);
  expect(await checkAuditLog(db, Buffer.alloc(32, 2))).toMatchObject({ sealed: 7, broken: [] });
});

test('a broken chain is not made to look whole by a new key', async () => {
  await db.query(`delete from audit_entries where action = 'account.set'`);
  const fresh = Object.assign(Buffer.alloc(32, 2), { older: [key] });
  expect((await resealAuditLog(db, fresh)).broken).not.toEqual([]);
  expect((await checkAuditLog(db, fresh)).broken).not.toEqual([]);
});
