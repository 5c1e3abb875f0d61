// What an operator looks up and takes away: lists that say when they are empty, removals that lose nothing, the ledger as
// people read it, and the doctor.
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database/database.ts';
import { findSession, openSession } from '../people/sessions.ts';
import { headOf } from '../sealing/content.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { command, commandLine, stderrOf } from './command-fixture.ts';
import { checks } from './doctor-checks.ts';
import { execute } from './execute.ts';

const { data, database, run, json } = await commandLine();
const { pool } = database;
/** A command that may set the exit code of its process, which is ours. */
async function exitCode<T>(work: Promise<T>): Promise<[T, number]> {
  const value = await work;
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  return [value, code];
}

test('empty lists say so, and what to do', async () => {
  expect(await run('account', 'list')).toContain('account create');
  const { id } = await json('account', 'create', '--name', 'Deneme');
  expect(await run('carrier', 'list')).toContain('no carriers; peyk carrier add --help');
  expect(await run('number', 'list')).toBe('no inbound numbers');
  expect(await run('staff', 'list')).toContain('staff create');
  for (const list of ['sender', 'brand', 'number']) expect(await run(list, 'list', id)).toMatch(/^no /);
  expect(await run('account', 'refusals', id)).toBe('no refused calls');
  expect(await json('brand', 'list', id)).toEqual([]);
});

test('sending is held and released by name, and the status says why', async () => {
  const status = command('dispatch status');
  expect(await json(...status)).toMatchObject({ held: false });
  await expect(run(...command('dispatch release'))).rejects.toThrow('dispatch is not held');
  expect(await json(...command('dispatch hold'), '--reason', 'bakım')).toMatchObject({ held: true });
  expect(JSON.stringify(await json(...status))).toContain('bakım');
  await expect(run(...command('dispatch hold'))).rejects.toThrow('held already');
  const next = async () => (await pool.query(`select nextval('order_ids') as id`)).rows[0].id;
  const before = await next();
  await pool.query(
    'insert into data_home (system, timeline, database_oid) select null, 1, 1 where not exists (select 1 from data_home)',
  );
  expect(await json('dispatch', 'hold', '--old-data')).toMatchObject({ held: true, detail: 'bakım' });
  expect((await next()) - before).toBeGreaterThan(1_000_000_000);
  expect(await json(...command('dispatch release'))).toEqual({ held: false, closed: 0 });
  expect(await json(...status)).toMatchObject({ held: false });
});

test('numbers are listed of one account or of all, and removed only by their owner', async () => {
  const [one, other] = [await json('account', 'create', '--name', 'A'), await json('account', 'create', '--name', 'B')];
  await run('number', 'add', one.id, '8505550000');
  await run('number', 'add', other.id, '7889', '--keyword', 'ABC');
  expect(await json(...command('number list'))).toEqual([
    { accountId: other.id, number: '7889', keyword: 'ABC' },
    { accountId: one.id, number: '8505550000', keyword: '' },
  ]);
  expect(await json('number', 'list', one.id)).toHaveLength(1);
  expect(await run('number', 'list')).toMatch(/^number +keyword +account\n7889 +ABC +\d+$/m);
  const remove = command('number remove');
  await expect(run(...remove, one.id, '7889', '--keyword', 'abc')).rejects.toThrow('has no 7889 abc');
  await expect(run(...remove, other.id, '7889')).rejects.toThrow('has no 7889');
  expect(await json(...remove, other.id, '7889', '--keyword', 'abc')).toEqual({ number: '7889', keyword: 'ABC' });
  expect(await json(...remove, one.id, '+8505550000')).toMatchObject({ number: '8505550000' });
  expect(await json('number', 'list')).toEqual([]);
});

test('a brand code that is removed ends the subscription and can be given again', async () => {
  const { id } = await json('account', 'create', '--name', 'Marka');
  await run('brand', 'add', id, '701701', '--quota', '5');
  const remove = command('brand remove');
  expect(await json(...remove, id, '701701')).toEqual({ code: 701701, quota: 5, active: false });
  await expect(run(...remove, id, '701701')).rejects.toThrow('no active brand code 701701');
  expect(await run(...command('brand list'), id)).toMatch(/701701 +removed +5/);
  expect(await json('brand', 'add', id, '701701')).toMatchObject({ active: true });
});

test('staff are listed and removed with their sessions; the last one stays, and an address can be used again', async () => {
  const create = ['staff', 'create', '--password', 'cok-gizli-parola', '--email'];
  await run(...create, 'bir@example.com');
  await run(...create, 'iki@example.com');
  const listed = await json(...command('staff list'));
  expect(listed).toMatchObject([
    { email: 'bir@example.com', secondFactor: false, seenAt: null },
    { email: 'iki@example.com' },
  ]);
  expect(JSON.stringify(listed)).not.toContain('argon2');
  const { id } = (await pool.query(`select id from users where email = 'iki@example.com'`)).rows[0];
  const token = await openSession(pool, id, null, { address: '10.0.0.1', agent: '' });
  const remove = command('staff remove');
  expect(await json(...remove, 'Iki@example.com')).toEqual({ email: 'iki@example.com', removed: true });
  expect(await findSession(pool, token, '10.0.0.1')).toBeNull();
  await expect(run(...remove, 'iki@example.com')).rejects.toThrow('is not a staff user');
  await expect(run(...remove, 'bir@example.com')).rejects.toThrow('the last of the staff');
  await run(...create, 'iki@example.com');
  // Two who remove each other at once do not leave nobody.
  const both = await Promise.allSettled([run(...remove, 'bir@example.com'), run(...remove, 'iki@example.com')]);
  expect(both.filter(one => one.status === 'fulfilled')).toHaveLength(1);
  expect(await json('staff', 'list')).toHaveLength(1);
});

const carrierFlags = ['--host', 'smsc.example.com', '--port', '2775', '--system-id', 'peyk', '--password', 'gizli'];

test('a carrier that is added beside the simulator says that it pauses it, once', async () => {
  const add = (name: string) => stderrOf(() => run('carrier', 'add', '--name', name, ...carrierFlags));
  expect(await add('simulator')).toEqual([]);
  expect(await add('gercek')).toEqual([expect.stringContaining('carrier simulator is paused')]);
  expect(await add('ikinci')).toEqual([]);
  for (const name of ['gercek', 'ikinci']) await run('carrier', 'pause', name);
  for (const name of ['simulator', 'gercek', 'ikinci']) await run('carrier', 'remove', name, '--force');
});

test('a carrier is removed only when it is at rest, has no pending receipts and nobody needs it, unless insisted on', async () => {
  const { id } = await json('account', 'create', '--name', 'Taşıyıcı');
  await run('carrier', 'add', '--name', 'giden', ...carrierFlags);
  const remove = command('carrier remove');
  await expect(run(...remove, 'yok')).rejects.toThrow('there is no carrier "yok"');
  await expect(run(...remove, 'giden')).rejects.toThrow('pause it first');
  await expect(run(...remove, 'giden', '--force')).rejects.toThrow('pause it first');
  await run('carrier', 'pause', 'giden');

  const carrier = (await pool.query(`select id from carriers where name = 'giden'`)).rows[0].id;
  await pool.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status) values (1, $1, 1, 905550000000, 0, 1, 110)`,
    [id],
  );
  await pool.query(
    `insert into submits (day, carrier_id, smsc_id, message_id, part, parts) values (0, $1, 'x', 1, 1, 1)`,
    [carrier],
  );
  await expect(run(...remove, 'giden')).rejects.toThrow('1 pending receipts');
  await pool.query('update messages set status = 111');

  await pool.query(
    `insert into chunks (account_id, lane, first_message_id, count, due_at) values ($1, 0, 1, 1, now())`,
    [id],
  );
  await expect(run(...remove, 'giden')).rejects.toThrow('no other carrier could send them');
  await run('carrier', 'add', '--name', 'kalan', ...carrierFlags);
  await pool.query(`insert into carrier_links (carrier_id, slot, dispatcher_id, state) values ($1, 0, 1, 'bound')`, [
    carrier,
  ]);
  await expect(run(...remove, 'giden')).rejects.toThrow('try again in a moment');
  await pool.query('delete from carrier_links');
  expect(await json(...remove, 'giden')).toEqual({ name: 'giden', removed: true });
  expect((await json('carrier', 'list')).map((one: { name: string }) => one.name)).toEqual(['kalan']);

  await run('carrier', 'pause', 'kalan');
  expect(await json(...remove, 'kalan', '--force')).toMatchObject({ removed: true });
  for (const table of ['chunks', 'submits', 'messages']) await pool.query(`delete from ${table}`);
});

test('the ledger has headings, money and Turkey’s time, names a take-back so, and is read page by page', async () => {
  const { id } = await json('account', 'create', '--name', 'Defter');
  await run('credit', 'grant', id, '10', '--amount', '12.5', '--reason', 'Yükleme');
  await run('credit', 'grant', id, '-3', '--reason', 'Düzeltme');
  await pool.query(`update ledger_entries set created_at = '2026-01-01T22:00:00Z' where account_id = $1`, [id]);
  const lines = (await run(...command('ledger'), id)).split('\n');
  expect(lines[0]).toMatch(/^ *no +time +what +SMS +reserved +money +order +reason +by$/);
  expect(lines[1]).toMatch(/2026-01-02 01:00:00 +take-back +-3 +0 +0\.00 .*Düzeltme/);
  expect(lines[2]).toMatch(/grant +10 +0 +12\.50 .*Yükleme/);
  const newest = await json('ledger', id, '--most', '1');
  expect(newest).toMatchObject([{ sms: -3 }]);
  expect(await json('ledger', id, '--before', String(newest[0].id), '--most', '1')).toMatchObject([{ sms: 10 }]);
  await expect(run('ledger', id, '--most', '0')).rejects.toThrow('--most');
});

test('config check says what is wrong with the settings, and the exit code does too', async () => {
  expect(await exitCode(json(...command('config check')))).toEqual([{ ok: true, problems: [], warnings: [] }, 0]);
  const wrong = ['--peyk-simulators', 'smcs', '--peyk-workers', '0', '--peyk-tls-key', '/nowhere/key.pem'];
  expect(await exitCode(json('config', 'check', ...wrong))).toEqual([
    {
      ok: false,
      problems: [
        expect.stringContaining('PEYK_SIMULATORS'),
        expect.stringContaining('PEYK_WORKERS'),
        'PEYK_TLS_KEY is given without PEYK_TLS_CERT',
      ],
      warnings: [],
    },
    1,
  ]);
  await expect(run('account', 'list', '--peyk-simulators', 'smcs')).rejects.toThrow('PEYK_SIMULATORS');
  process.env['PEYK_PROT'] = '1';
  const [checked, code] = await exitCode(json('config', 'check'));
  delete process.env['PEYK_PROT'];
  expect([checked, code]).toEqual([{ ok: false, problems: [], warnings: [expect.stringContaining('PEYK_PORT')] }, 1]);
});

test('the doctor finds nothing wrong with a healthy installation', async () => {
  await run('carrier', 'add', '--name', 'saglam', ...carrierFlags);
  await pool.query(
    `insert into carrier_links (carrier_id, slot, dispatcher_id, state) select id, 0, 1, 'bound' from carriers`,
  );
  // With cells: one of three binds is of this database, and none of the other carrier's.
  await run('carrier', 'add', '--name', 'saglam', '--binds', '3');
  await run('carrier', 'add', '--name', 'oteki', ...carrierFlags);
  await pool.query(`update carriers set share = case name when 'saglam' then 1 else 0 end`);
  const [diagnosis, code] = await exitCode(json(...command('doctor')));
  await pool.query('update carriers set share = null');
  await run('carrier', 'pause', 'oteki');
  await run('carrier', 'remove', 'oteki');
  await run('carrier', 'add', '--name', 'saglam', '--binds', '1');
  // The test server runs without durability, so this finding is right.
  expect(new Set(diagnosis.findings.map((one: { check: string }) => one.check))).toEqual(new Set(['durability']));
  expect(code).toBe(1);
  expect(diagnosis.checks.map((one: { name: string }) => one.name).sort()).toEqual(checks.map(one => one.name).sort());
});

test('the doctor warns of what is missing once a real carrier sends, all at once, and that alone fails nothing', async () => {
  const open = ['--peyk-host', '0.0.0.0', '--peyk-workers', '64', '--peyk-roles', 'api,dispatch'];
  const [{ warnings, findings }] = await exitCode(json('doctor', ...open));
  expect(findings.map((one: { check: string }) => one.check)).not.toContain('real customers');
  expect(warnings.map((one: { wrong: string }) => one.wrong)).toEqual([
    expect.stringContaining('PEYK_BACKUP is not set'),
    expect.stringContaining('PEYK_REGISTRY_URL is not set'),
    expect.stringContaining('PEYK_OPERATOR_CODE is the default, B186'),
    expect.stringContaining('keys travel in clear'),
    expect.stringMatching(/may open \d{3} connections/),
  ]);
  const well = [
    '--peyk-backup',
    '/nowhere',
    '--peyk-registry-url',
    'https://example.com',
    '--peyk-operator-code',
    'B999',
  ];
  const [second] = await exitCode(json('doctor', '--peyk-host', '10.0.0.5', '--peyk-workers', '1', ...well));
  expect(second.warnings).toEqual([]);
  await run('carrier', 'pause', 'saglam');
  expect((await exitCode(json('doctor', ...open)))[0].warnings).toEqual([]);
  await run('carrier', 'resume', 'saglam');
});

test('the doctor of an empty database says that in one line', async () => {
  const empty = await testDatabase({ empty: true });
  const [{ findings, checks: done }, code] = await exitCode(
    execute(['doctor', '--json', '--database-url', empty.url]).then(JSON.parse),
  );
  await empty.close();
  expect(findings.filter((one: { check: string }) => one.check !== 'settings')).toEqual([
    expect.objectContaining({ check: 'database', wrong: expect.stringContaining('empty') }),
  ]);
  expect(done.map((one: { name: string }) => one.name)).toEqual(['settings', 'disk', 'database']);
  expect(code).toBe(1);
});

test('the doctor names each trouble with what to do about it', async () => {
  const { id: account } = await json('account', 'create', '--name', 'Metinler');
  const texts = ['duz', `${headOf(loadSecretKey(data, ''))}bizim`, 'peyk1:ABCDEF:baskasinin'];
  await pool.query(
    `insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at, close_after,
       fingerprint, text, encoding, parts)
     select i, $1, 'PEYK', 0, 'api', 'finished', 1, 0, i, now(), now(), now(), i, t, 0, 1 from unnest($2::text[]) with ordinality u(t, i)`,
    [account, texts],
  );
  await json('dispatch', 'hold', '--reason', 'deneme');
  await pool.query(`update carrier_links set state = 'down', last_error = 'bind refused: ESME_RINVPASWD'`);
  await pool.query(`update consent_sync set trouble = 'unauthorised', trouble_at = now(),
    registry_url = 'http://127.0.0.1:2790', seen_at = now()`);
  await pool.query(
    `update carriers set password = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'`,
  );
  await pool.query(`delete from schema_migrations where name like '0271%'`);
  await pool.query(`insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`);
  await pool.query(`update users set staff = false`);
  await pool.query(`insert into backup_state (chain, base_at, reached_at, trouble, trouble_since)
    values ('x', now() - interval '3 days', now() - interval '2 hours', 'no room', now())`);
  const [{ findings }] = await exitCode(json('doctor', '--peyk-backup', '/nowhere'));
  const found = (check: string) => findings.filter((one: { check: string }) => one.check === check);
  expect(found('carriers')).toEqual([
    expect.objectContaining({ wrong: 'saglam is down (bind refused: ESME_RINVPASWD)', todo: expect.any(String) }),
  ]);
  expect(found('registry').map((one: { wrong: string }) => one.wrong)).toEqual([
    expect.stringContaining('unauthorised'),
    expect.stringContaining('simulated registry'),
  ]);
  expect(found('secret key')).toHaveLength(1);
  expect(found('content').map((one: { wrong: string }) => one.wrong)).toEqual([
    '1 of the newest 1,000 texts were sealed by a key that is not here',
  ]);
  expect(found('schema').map((one: { wrong: string }) => one.wrong)).toEqual([
    expect.stringContaining('0271'),
    expect.stringContaining('9999_later.sql'),
  ]);
  expect(found('backups').map((one: { wrong: string }) => one.wrong)).toEqual([
    expect.stringMatching(/^the last backup is of \d{4}-/),
    expect.stringMatching(/^the log is archived only to \d{4}-/),
    expect.stringContaining('no room'),
  ]);
  expect(found('staff')).toHaveLength(1);
  expect(found('sending')).toEqual([
    expect.objectContaining({
      wrong: 'nothing is sent: an operator held it',
      todo: expect.stringContaining('release'),
    }),
  ]);
  expect((await exitCode(run('doctor')))[0]).toMatch(/WRONG carriers[\s\S]*→ peyk staff create/);
});

test('the doctor of a database that cannot be reached says so instead of failing', async () => {
  const words = ['doctor', '--json', '--database-url', 'postgresql://127.0.0.1:1/x'];
  const [text, code] = await exitCode(execute(words));
  expect(JSON.parse(text)).toMatchObject({ ok: false, findings: [{ check: 'database', todo: expect.any(String) }] });
  expect(code).toBe(1);
});
