// A home and a cell, two databases of one server, and an account with rows in nearly every table.
import { randomBytes } from 'node:crypto';
import { testDatabase } from '../../../test/support/database/database.ts';
import { type TestAccount, testApp } from '../../../test/support/program/app.ts';
import { addToBlacklist } from '../../blacklist/blacklist.ts';
import type { Connection, Db } from '../../db/db.ts';
import { silentLog } from '../../log.ts';
import { makeCell } from '../add-cell.ts';
import { addCell, becomeCell, numbersOfCell } from '../directory.ts';
import { type Moved, moveAccount } from './mover.ts';
import { query } from './side.ts';
import { appendedTables, namedTables, orderTables, parcelTables } from './tables.ts';

type TwoCells = Awaited<ReturnType<typeof twoCells>>;

/** `schema`: the cell is one of its database's schemas. */
export async function twoCells(schema = '') {
  const app = await testApp();
  const cell = await testDatabase({ empty: schema !== '', schema });
  const key = randomBytes(32);
  if (schema) await makeCell(app.db, cell.url, { key, weight: 1, log: silentLog });
  else {
    await addCell(app.db, key, cell.url, 1);
    await becomeCell(cell.pool, 1, 'test');
    await startNumbers(cell.pool, numbersOfCell);
  }
  const parts = { db: app.db, connection: app.connection, key, log: silentLog };
  return {
    app,
    parts,
    /** By the number of the cell. */
    dbs: [app.db, cell.pool] as [Db, Db],
    connections: [app.connection, cell.connection] as [Connection, Connection],
    async move(account: TestAccount, to: number, report = (_: string) => {}): Promise<Moved> {
      return moveAccount(parts, account.id, to, 'test', report);
    },
    async close() {
      await app.close();
      await cell.close();
    },
  };
}

/** As `peyk cell add` does. */
async function startNumbers(db: Db, first: number): Promise<void> {
  await db.query(
    `select setval(s::regclass, $1) from unnest(array['order_ids', 'message_ids', 'webhook_keys', 'ledger_entries_id_seq',
       'chunks_id_seq', 'webhook_outbox_id_seq', 'smpp_users_id_seq', 'smpp_outbox_id_seq']) s`,
    [first],
  );
}

/** Rows in nearly every table; orders that are open, scheduled or ended, with one recipient or several. */
export async function accountWithEverything({ app }: TwoCells): Promise<TestAccount> {
  const account = await app.open({ sms: 5_000, senders: ['PEYK'], brands: [704_041] });
  const { db } = app;
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => String(905550000000 + from + i));
  const order = (from: number, count: number, more: object = {}) => ({
    sender: 'PEYK',
    message: { text: 'Merhaba', receipents: { number: numbers(from, count) } },
    ...more,
  });
  await app.db.query(`insert into webhook_endpoints (account_id, url) values ($1, 'https://one.example/hook')`, [
    account.id,
  ]);
  await app.db.query(
    `insert into webhook_endpoints (account_id, of_account, no, url) values (-nextval('webhook_keys'), $1, 2, 'https://two.example/hook')`,
    [account.id],
  );
  await app.db.query(`insert into smpp_users (account_id, system_id, digest) values ($1, $2, '\\x00')`, [
    account.id,
    `user${account.id}`,
  ]);
  const done = await account.send(order(0, 30));
  await account.send(order(100, 1));
  await account.send(order(200, 40));
  await account.send(order(300, 3, { sendDateTime: '01/01/2099 10:00' }));
  await app.settle(account, done, 111);
  // A closed message that a receipt may still correct, parts of long messages, a message in doubt.
  const late = await account.send(order(400, 2));
  await db.query(
    `select settle(array_agg(id order by id), array[112, 112]::smallint[], array[14, 14]::smallint[]) from messages where account_id = $1 and order_id = $2`,
    [account.id, late],
  );
  await db.query(
    'delete from chunks where account_id = $1 and first_message_id in (select first_message_id from orders where id = $2)',
    [account.id, late],
  );
  await db.query(
    `insert into part_receipts (message_id, part) select m.id, 1 from messages m where m.account_id = $1 and m.number = 905550000200`,
    [account.id],
  );
  await db.query(
    `insert into unsure (message_id, account_id, attempt, number, lane, written_at, decide_at, single)
     select m.id, m.account_id, 0, m.number, 0, now(), now() + interval '1 hour', true from messages m
     where m.account_id = $1 and m.number = 905550000201`,
    [account.id],
  );
  await addToBlacklist(db, account.id, 905550009999, 'panel');
  await db.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts)
     select submit_day(now()), 1, 'late-' || m.id, m.id, 1, 1 from messages m where m.account_id = $1 and m.status = 110 and m.number between 905550000200 and 905550000299`,
    [account.id],
  );
  return account;
}

const all = [...namedTables, ...parcelTables, ...appendedTables].concat(
  orderTables.map(name => ({ name, rows: 't.account_id = $1' })),
);

// As the task of the background does.
const enterNumbers = (db: Db) => db.query('select number_ended_orders(100, 10000)');

/** How many rows of the account a database has, table by table; only those that have any. */
export async function rowsOf(db: Db, account: number): Promise<Record<string, number>> {
  await enterNumbers(db);
  const counted: Record<string, number> = {};
  for (const { name, rows } of all) {
    const [found] = await query<{ count: number }>(db, `select count(*)::int as count from ${name} t where ${rows}`, [
      account,
    ]);
    if (found!.count > 0) counted[name] = found!.count;
  }
  return counted;
}

/** A digest over every column of every row, and all submits of its messages. */
export async function digestOf(db: Db, account: number): Promise<Record<string, string>> {
  await enterNumbers(db);
  const digests: Record<string, string> = {};
  const submits = 'exists (select 1 from messages m where m.id = t.message_id and m.account_id = $1)';
  for (const { name, rows } of [...all, { name: 'submits', rows: submits }, { name: 'part_receipts', rows: submits }]) {
    // A move raises the version of the account and changes the ctid of rows.
    const [found] = await query<{ digest: string }>(
      db,
      `select md5(coalesce(string_agg((to_jsonb(t) - 'stamp' - 'ctid')::text, ',' order by (to_jsonb(t) - 'stamp' - 'ctid')::text), '')) as digest
       from ${name} t where ${rows}`,
      [account],
    );
    digests[name] = found!.digest;
  }
  return digests;
}

/** What a move must not leave behind. */
export async function leftovers({ dbs }: TwoCells): Promise<object[]> {
  const found = [];
  for (const db of dbs)
    found.push(
      await query(db, 'select account_id from account_moves'),
      await query(db, 'select account_id, name from account_parcels'),
      await query(db, 'select account_id from order_removals'),
      await query(db, "select id from accounts where status = 'moving'"),
    );
  return found.flat() as object[];
}
