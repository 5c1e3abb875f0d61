// The database's answer to an acceptance is lost or never comes: the order exists, but the program does not know. The caller
// gets 503, and the program does not retry. A repeated call finds the order only if it has an idempotency key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LossyProxy, lossyProxy } from '../../test/support/database/lossy-proxy.ts';
import { type TestAccount, type TestApp, testApp } from '../../test/support/program/app.ts';
import { wait } from '../../test/support/run/wait.ts';

let app: TestApp;
let proxy: LossyProxy;
let account: TestAccount;

beforeAll(async () => {
  app = await testApp({
    async through(connection) {
      proxy = await lossyProxy(connection);
      return proxy.connection;
    },
  });
  account = await app.open({ sms: 1_000, senders: ['PEYK'] });
});
afterAll(async () => {
  await app.close();
  await proxy.close();
});

const order = (text: string, numbers: string[]) => ({
  order: { sender: 'PEYK', message: { text, receipents: { number: numbers } } },
});

async function stored(): Promise<{ id: number; total: number }[]> {
  return (await app.db.query('select id, total from orders where account_id = $1 order by id', [account.id])).rows;
}

test.each([
  ['a single message', ['5550000001']],
  ['a list', ['5550000001', '5550000002', '5550000003']],
])(
  '%s: the call answers 503, the order exists once and whole, and the same call again is 451',
  async (name, numbers) => {
    const before = (await stored()).length;
    const swallowed = proxy.swallowed;
    proxy.swallowAnswerTo('accept ');
    expect(await account.call('send-sms', order(name, numbers))).toMatchObject({ http: 503, code: 503 });
    expect(proxy.swallowed).toBe(swallowed + 1);
    expect((await stored()).slice(before)).toMatchObject([{ total: numbers.length }]);
    expect((await account.call('send-sms', order(name, numbers))).code).toBe(451);
    expect(await stored()).toHaveLength(before + 1);
  },
);

test('a session that the server ends meanwhile: the call answers 503 and is not tried again behind its back', async () => {
  const before = (await stored()).length;
  const holder = await app.db.connect();
  await holder.query('begin');
  await holder.query('select 1 from balances where account_id = $1 for update', [account.id]);
  const call = account.call('send-sms', order('Kayip', ['5550000007']));
  const waiting = `select pid from pg_stat_activity where datname = current_database() and query like 'call accept_durably(%'
    and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await app.db.query(waiting)).rowCount).toBe(1);
  await app.db.query(`select pg_terminate_backend(pid) from (${waiting}) x`);
  expect(await call).toMatchObject({ http: 503, code: 503 });
  await holder.query('rollback');
  holder.release();
  expect(await stored()).toHaveLength(before);
  expect((await account.call('send-sms', order('Kayip', ['5550000007']))).code).toBe(200);
});

test('when 200 is answered the order is on the disk, not only in memory', async () => {
  await app.db.query(`
    create unlogged table places (place pg_lsn);
    create function note_place() returns trigger language plpgsql as
      $$ begin insert into places values (pg_current_wal_insert_lsn()); return null; end $$;
    create trigger note_place after update on balances for each row execute function note_place();`);
  for (let i = 0; i < 20; i++) {
    expect((await account.call('send-sms', order(`Kalici ${i}`, ['5550000007']))).code).toBe(200);
    const { rows } = await app.db.query('select max(place) < pg_current_wal_flush_lsn() as safe from places');
    expect(rows).toEqual([{ safe: true }]);
  }
  await app.db.query('drop trigger note_place on balances');
});

test('with an Idempotency-Key the repeat gets the order that exists, and it is charged once', async () => {
  const call = () =>
    account.call('send-sms', order('Anahtarli', ['5550000009']), { headers: { 'idempotency-key': 'kayip-cevap' } });
  const before = (await stored()).length;
  proxy.swallowAnswerTo('accept ');
  expect((await call()).code).toBe(503);
  const [kept] = (await stored()).slice(before);
  const repeat = await call();
  expect(repeat).toMatchObject({ code: 200, response: { order: { id: String(kept!.id) } } });
  expect(await stored()).toHaveLength(before + 1);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('a database that falls silent: 503 with Retry-After within ten seconds, for all who ask, and once it answers a repeat gets what was stored', async () => {
  await account.call('get-balance');
  const before = (await stored()).length;
  proxy.fallSilent();
  const begun = performance.now();
  const named = () =>
    account.call('send-sms', order('Sessiz, adli', ['5550000010']), { headers: { 'idempotency-key': 'sessiz' } });
  const unnamed = () => account.call('send-sms', order('Sessiz', ['5550000011']));
  const large = Array.from({ length: 1_500 }, (_, i) => String(5_551_000_000 + i));
  const all = await Promise.all([
    named(),
    unnamed(),
    account.call('send-sms', order('Sessiz, uzun', large)),
    ...Array.from({ length: 20 }, (_, i) => account.call('send-sms', order(`Sessiz ${i}`, ['5550000012']))),
  ]);
  expect(performance.now() - begun).toBeLessThan(10_000);
  for (const one of all) expect(one).toMatchObject({ http: 503, code: 503, headers: { 'retry-after': '1' } });
  proxy.speak();
  await wait('the database to be asked again', async () => (await account.call('get-balance')).code === 200);
  // Statements that had reached the server before the connection fell silent are committed when it resumes; later ones are not.
  const repeats = [await named(), await unnamed()];
  expect(repeats.map(one => one.code).every(code => code === 200 || code === 451)).toBe(true);
  expect((await account.call('send-sms', order('Sessiz', ['5550000011']))).code).toBe(451);
  const kept = (await stored()).slice(before);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  expect((await named()).response).toEqual(repeats[0]!.response);
  expect(await stored()).toHaveLength(before + kept.length);
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});

test('a lock that is not free when dispatchers are notified comes after the commit: what is stored is answered 200, and is on the disk', async () => {
  const before = (await stored()).length;
  const database = (await app.db.query('select current_database() as name')).rows[0].name;
  await app.db.query(`
    create function public.pg_notify(text, text) returns void language plpgsql as
      $$ begin raise exception 'canceling statement due to lock timeout' using errcode = '55P03'; end $$;
    alter database ${database} set search_path = public, pg_catalog`);
  await app.db.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'peyk api %'
    and datname = current_database()`);
  await wait('new sessions', async () => (await account.call('get-balance')).code === 200);
  const answers = await Promise.all(
    ['bir', 'iki', 'iki', 'uc'].map(text => account.call('send-sms', order(`Kilit ${text}`, ['5550000013']))),
  );
  expect(answers.map(one => one.code).sort()).toEqual([200, 200, 200, 451]);
  const accepted = answers.filter(one => one.code === 200).map(one => Number(one.response.order!.id));
  expect((await stored()).slice(before).map(one => one.id)).toEqual(accepted.sort((a, b) => a - b));
  expect(await app.audit()).toEqual({ ok: true, findings: [] });
});
