import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { type LossyProxy, lossyProxy } from '../../test/support/database/lossy-proxy.ts';
import { signalQuietly } from '../../test/support/program/processes.ts';
import { wait } from '../../test/support/run/wait.ts';
import { type Db, openClient, openPool, snapshot, transaction } from './db.ts';
import { type StatementLimit, statementLimits } from './statement-limits.ts';

const database = await testDatabase();
let proxy: LossyProxy;
beforeAll(async () => {
  proxy = await lossyProxy(database.connection);
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});

const pools: Db[] = [];
afterAll(() => Promise.all(pools.filter(one => !one.ended).map(one => one.end())));

const short = { statement: 1_000, lock: 500 };

function pool(connection = database.connection, limit: StatementLimit = short): Db {
  const made = openPool(connection, { max: 4, name: 'peyk session', onError: () => {}, limit });
  pools.push(made);
  return made;
}

const pidOf = async (session: { query(text: string): Promise<{ rows: { pid: number }[] }> }): Promise<number> =>
  (await session.query('select pg_backend_pid() as pid')).rows[0]!.pid;

/** Ends a session and waits until our side has noticed. */
async function endSession(pid: number): Promise<void> {
  await database.pool.query('select pg_terminate_backend($1, 5000)', [pid]);
}

test('a connection lost between two statements of a transaction fails only that transaction', async () => {
  const db = pool();
  const work = transaction(db, async tx => {
    const lost = new Promise(resolve => tx.once('end', resolve));
    await endSession(await pidOf(tx));
    await lost;
    await tx.query('select 1');
  });
  await expect(work).rejects.toThrow();
  expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a connection lost while it is checked out and idle does not end the process, and is replaced on release', async () => {
  const db = pool();
  const held = await db.connect();
  const lost = new Promise(resolve => held.once('end', resolve));
  const pid = await pidOf(held);
  await endSession(pid);
  await lost;
  held.release();
  expect(await pidOf(db)).not.toBe(pid);
});

test('a single session that its server ends, or whose network breaks, does not end the process', async () => {
  const client = await openClient(database.connection, { name: 'peyk session', onError: () => {} });
  const lost = new Promise(resolve => client.once('end', resolve));
  await endSession(await pidOf(client));
  await lost;
  await expect(client.query('select 1')).rejects.toThrow();
});

test.concurrent('a statement whose session froze inside the server is given up, and others go on meanwhile', async () => {
  const db = pool();
  const held = await db.connect();
  const pid = await pidOf(held);
  signalQuietly(pid, 'SIGSTOP');
  try {
    const answer = held.query('select 1');
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await expect(answer).rejects.toThrow('no answer to a statement');
    held.release();
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  } finally {
    signalQuietly(pid, 'SIGCONT');
  }
});

test.concurrent('a long statement is waited for as long as its server answers others', async () => {
  const db = pool();
  const slept = snapshot(db, tx => tx.query('select 1 as one from pg_sleep(5)'), statementLimits.large);
  expect((await slept).rows).toEqual([{ one: 1 }]);
  // The limit of the transaction ended with it.
  expect((await db.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '1s' }]);
});

test.concurrent('a server that answers but takes no new connection in time is not given up', async () => {
  const crowded = await lossyProxy(database.connection);
  const db = pool(crowded.connection, statementLimits.call);
  await Promise.all([db.query('select 1'), db.query('select 1')]);
  crowded.fallSilent('new');
  let done = false;
  const slept = snapshot(db, tx => tx.query('select 1 as one from pg_sleep(8)'), statementLimits.large).finally(() => {
    done = true;
  });
  while (!done) await db.query('select pg_sleep(0.05)');
  expect((await slept).rows).toEqual([{ one: 1 }]);
  await db.end();
  await crowded.close();
});

test.concurrent('when nobody answers, what is under way is given up at once, long statements too, and nothing new is tried until somebody does', async () => {
  const db = pool(proxy.connection, statementLimits.call);
  await Promise.all([db.query('select 1'), db.query('select 1')]);
  const client = await openClient(proxy.connection, { name: 'peyk session', onError: () => {} });
  const lost = new Promise(resolve => client.once('end', resolve));
  proxy.fallSilent();
  const begun = performance.now();
  const large = transaction(db, tx => tx.query('select 1'), statementLimits.large);
  const small = db.query('select 1');
  await expect(small).rejects.toThrow('the database does not answer');
  await expect(large).rejects.toThrow('the database does not answer');
  expect(performance.now() - begun).toBeLessThan(10_000);
  const refused = performance.now();
  await expect(db.query('select 1')).rejects.toThrow('has not answered for some seconds');
  expect(performance.now() - refused).toBeLessThan(1_000);
  // Without a statement the session still notices the loss of its server.
  await lost;
  proxy.speak();
  await wait('it to be tried again', () =>
    db.query('select 1').then(
      () => true,
      () => false,
    ),
  );
});

test('a session that must write refuses a read-only server and ends when its server becomes one; other sessions may read', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const reads = (value: 'on' | 'off') =>
    database.pool.query(`alter database ${name} set default_transaction_read_only = ${value}`);
  const options = { name: 'peyk reads', onError: () => {} };
  const must = { connectionString: `${database.url}&target_session_attrs=read-write` };
  const open = await openClient(must, options);
  let ended = false;
  open.once('end', () => {
    ended = true;
  });
  await open.query('set default_transaction_read_only = on');
  await wait('the connection to be given up', () => ended);
  const late = await openClient(must, options);
  await late.query('begin read only');
  await expect(late.query('create table not_here (id int)')).rejects.toThrow('read-only');
  await expect
    .poll(() =>
      late.query('select 1').then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone');
  await reads('on');
  try {
    await expect(openClient(must, options)).rejects.toThrow('the database only reads');
    const plain = await openClient({ connectionString: database.url }, options);
    expect((await plain.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await plain.end();
  } finally {
    const admin = await openClient({ connectionString: database.url }, options);
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.end();
  }
});
