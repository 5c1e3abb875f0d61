// The operator's commands, run as `peyk … --json` runs them, against a database of their own.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { accountSettings } from '../accounts/settings.ts';
import { carrierSettings } from '../carriers/carrier-settings.ts';
import { command, commandLine } from './command-fixture.ts';
import { commands, execute } from './execute.ts';

const { database, run, json } = await commandLine();
const authenticate = createAuthenticate(database.pool);

const account = await json(...command('account create'), '--name', 'Deneme');

test('account create answers id, key and hash, and they work', async () => {
  expect(account).toEqual({
    id: expect.stringMatching(/^\d+$/),
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await authenticate(account.key, account.hash, '10.0.0.1')).ok).toBe(true);
  await expect(run('account', 'create')).rejects.toThrow('--name is missing');
});

test('account show answers settings, balance, senders and brands, and never the hash', async () => {
  const shown = await json(...command('account show'), account.id);
  expect(shown).toMatchObject({
    id: account.id,
    name: 'Deneme',
    status: 'active',
    api: 'on',
    mode: 'english',
    abroad: 'off',
    rate: 100,
    ips: [],
    key: account.key,
    balance: { sms: 100, amount: 0 },
    senders: [],
    brands: [],
  });
  expect(JSON.stringify(shown)).not.toContain(account.hash);
});

test('account list names every account with its balance', async () => {
  expect(await json(...command('account list'))).toMatchObject([
    { id: account.id, name: 'Deneme', sms: 100, status: 'active' },
  ]);
  expect(await run('account', 'list')).toMatch(/^ID +status +SMS +since +name\n\d+ +active +100 .* Deneme$/m);
});

test('account set takes every setting of the operator’s table', async () => {
  const set = command('account set');
  const pairs = ['api=off', 'mode=unicode', 'abroad=on', 'rate=5', 'ips=10.0.0.1,::1', 'status=suspended'];
  const hooks = ['webhook=https://example.com/hook', 'webhook-inbound=on'];
  expect(await json(...set, account.id, ...pairs, ...hooks)).toMatchObject({
    api: 'off',
    mode: 'unicode',
    abroad: 'on',
    rate: 5,
    ips: ['10.0.0.1', '::1'],
    status: 'suspended',
    webhook: { url: 'https://example.com/hook', inbound: true },
  });
  const back = [
    'api=on',
    'mode=english',
    'abroad=off',
    'rate=100',
    'ips=',
    'status=active',
    'webhook=',
    'webhook-inbound=off',
  ];
  expect(await json(...set, account.id, ...back)).toMatchObject({
    api: 'on',
    ips: [],
    webhook: { url: '', inbound: false },
  });
});

test('a bad name or value of account set changes nothing', async () => {
  const before = await json('account', 'show', account.id);
  for (const bad of [
    'colour=red',
    'mode=latin',
    'rate=0',
    'ips=x',
    'webhook=ftp://x',
    'webhook=http://10.0.0.1/',
    'api',
    '=x',
    'status=',
  ])
    await expect(run('account', 'set', account.id, 'abroad=on', bad)).rejects.toThrow();
  await expect(run('account', 'set', account.id)).rejects.toThrow('key=value');
  expect(await json('account', 'show', account.id)).toEqual(before);
});

test('account show shows everything that account set takes, as it was set, and so does the help', async () => {
  const { id } = await json('account', 'create', '--name', 'Ayarlar');
  const given = {
    name: 'Ayarlar 2',
    api: 'off',
    mode: 'turkish',
    abroad: 'on',
    rate: '7',
    ips: '10.0.0.1',
    'panel-ips': '10.0.0.2,10.0.0.3',
    'opt-out': 'iptal,Çık',
    'low-balance': '50',
    'low-balance-sms': 'on',
    status: 'suspended',
    webhook: 'https://example.com/hook',
    'webhook-inbound': 'on',
  };
  expect(Object.keys(given)).toEqual([...Object.keys(accountSettings), 'webhook', 'webhook-inbound']);
  await run('account', 'set', id, ...Object.entries(given).map(([name, value]) => `${name}=${value}`));
  expect(await json('account', 'show', id)).toMatchObject({
    ...given,
    rate: 7,
    ips: ['10.0.0.1'],
    'panel-ips': ['10.0.0.2', '10.0.0.3'],
    'opt-out': expect.arrayContaining(['IPTAL', 'CIK']),
    'low-balance': 50,
    webhook: { url: 'https://example.com/hook' },
  });
  const help = await execute(['account', 'set', '--help']);
  for (const name of Object.keys(given)) expect(help).toContain(`${name}=`);
  expect(await run('account', 'show', id)).toMatch(/^panel-ips +10\.0\.0\.2, 10\.0\.0\.3$/m);
});

test('credentials rotate answers new ones, and the old ones stop', async () => {
  const other = await json('account', 'create', '--name', 'Diger');
  const fresh = await json(...command('credentials rotate'), other.id);
  expect(Object.keys(fresh).sort()).toEqual(['hash', 'key', 'secret']);
  expect(await authenticate(other.key, other.hash, '10.0.0.1')).toMatchObject({ ok: false, cause: 'disabled-key' });
  expect((await authenticate(fresh.key, fresh.hash, '10.0.0.1')).ok).toBe(true);
});

test('credit grant answers the new balance; money and corrections too, but not below zero', async () => {
  const grant = command('credit grant');
  expect(await json(...grant, account.id, '50')).toMatchObject({ sms: 150 });
  expect(await json(...grant, account.id, '-20', '--reason', 'Düzeltme')).toMatchObject({ sms: 130 });
  expect(await json(...grant, account.id, '0', '--amount', '12.50')).toEqual({ sms: 130, amount: 12.5 });
  for (const bad of [['x'], ['1.5'], ['-131'], ['1', '--amount', 'x'], []])
    await expect(run(...grant, account.id, ...bad)).rejects.toThrow();
  const entries = await json(...command('ledger'), account.id);
  expect(entries.map((one: { sms: number }) => one.sms)).toEqual([0, -20, 50, 100]);
});

test('senders are approved, rejected and listed; an approved one can be revoked', async () => {
  expect(await json(...command('sender approve'), account.id, 'PEYK')).toEqual({ name: 'PEYK', state: 'approved' });
  expect(await json('sender', 'approve', account.id, 'Peyk 2')).toEqual({ name: 'Peyk 2', state: 'approved' });
  expect(await json(...command('sender reject'), account.id, 'PEYK')).toEqual({ name: 'PEYK', state: 'rejected' });
  expect(await json(...command('sender list'), account.id)).toEqual([
    { name: 'PEYK', state: 'rejected' },
    { name: 'Peyk 2', state: 'approved' },
  ]);
  for (const bad of ['', 'ON IKI HARFLI', 'ŞİRKET', 'APITEST', ' X', 'a-b'])
    await expect(run('sender', 'approve', account.id, bad)).rejects.toThrow();
});

test('webhook secret stays the same until it is rotated', async () => {
  const secret = command('webhook secret');
  const first = await json(...secret, account.id);
  expect(await json(...secret, account.id)).toEqual(first);
  expect((await json(...secret, account.id, '--rotate')).secret).not.toBe(first.secret);
});

test('brand add gives a subscription with its quota', async () => {
  expect(await json(...command('brand add'), account.id, '701701', '--quota', '500')).toMatchObject({
    code: 701701,
    quota: 500,
    active: true,
  });
  expect(await json('brand', 'add', account.id, '701702')).toMatchObject({ code: 701702, quota: null });
  for (const bad of [['x'], ['0'], ['5', '--quota', '-1'], ['5', '--quota', 'x']])
    await expect(run('brand', 'add', account.id, ...bad)).rejects.toThrow();
});

test('number add gives a number, or a keyword on a short code, to one account', async () => {
  expect(await json(...command('number add'), account.id, '8505550000')).toEqual({ number: '8505550000', keyword: '' });
  expect(await json('number', 'add', account.id, '7889', '--keyword', 'abç')).toEqual({
    number: '7889',
    keyword: 'ABC',
  });
  const other = await json('account', 'create', '--name', 'Diger');
  await expect(run('number', 'add', other.id, '7889', '--keyword', 'ABC')).rejects.toThrow('another account');
  for (const bad of [['12'], ['x'], ['7889', '--keyword', 'iki kelime']])
    await expect(run('number', 'add', account.id, ...bad)).rejects.toThrow();
});

test('carriers are added, listed, paused and resumed, their password never shown', async () => {
  const flags = ['--host', '127.0.0.1', '--port', '2775', '--system-id', 'peyk', '--password', 'cok-gizli'];
  const added = await json(
    ...command('carrier add'),
    '--name',
    'birinci',
    ...flags,
    '--window',
    '50',
    '--binds',
    '2',
    '--rate',
    '500',
  );
  expect(added).toMatchObject({ name: 'birinci', host: '127.0.0.1', port: 2775, windowSize: 50, binds: 2, rate: 500 });
  expect(await json(...command('carrier list'))).toMatchObject([
    { name: 'birinci', host: '127.0.0.1', port: 2775, state: expect.any(String) },
  ]);
  expect(await json(...command('carrier pause'), 'birinci')).toMatchObject({ name: 'birinci', paused: true });
  expect(await json(...command('carrier resume'), 'birinci')).toMatchObject({ name: 'birinci', paused: false });
  expect(JSON.stringify([added, await json('carrier', 'list')])).not.toContain('cok-gizli');
  for (const bad of [
    ['--name', 'ikinci'],
    ['--name', 'ikinci', ...flags, '--window', '0'],
    ['--name', 'ikinci', ...flags, '--colour', 'red'],
    [...flags],
  ])
    await expect(run('carrier', 'add', ...bad)).rejects.toThrow();
  await expect(run('carrier', 'pause', 'none')).rejects.toThrow();
  expect(await json('carrier', 'list')).toHaveLength(1);
});

test('staff create stores no password in clear and refuses short ones', async () => {
  await json(...command('staff create'), '--email', 'Operator@example.com', '--password', 'cok-gizli-parola');
  const { rows } = await database.pool.query('select email, staff, password_hash from users');
  expect(rows).toEqual([
    { email: 'operator@example.com', staff: true, password_hash: expect.stringMatching(/^\$argon2id\$/) },
  ]);
  for (const bad of [
    ['--email', 'x@example.com', '--password', 'short'],
    ['--email', 'x', '--password', 'cok-gizli-parola'],
    [],
  ])
    await expect(run('staff', 'create', ...bad)).rejects.toThrow();
});

test('account refusals shows why calls were refused', async () => {
  await database.pool.query(
    "insert into api_refusals (account_id, operation, code, cause, address, agent) values ($1, 'send-sms', 401, 'api-off', '10.0.0.1', 'x')",
    [account.id],
  );
  expect(await json(...command('account refusals'), account.id)).toMatchObject([
    { operation: 'send-sms', code: 401, cause: 'api-off' },
  ]);
  expect(await run('account', 'refusals', account.id)).toContain('api-off');
});

test('audit answers ok and no findings, migrate that the schema is up to date', async () => {
  expect(await json(...command('audit'))).toEqual({ ok: true, findings: [] });
  expect(await json(...command('audit log'))).toMatchObject({ sealed: 0, head: null, broken: [] });
  expect(await run('audit')).toBe('ok');
  expect(await run(...command('migrate'))).toContain('up to date');
});

test('quarantine list names what was set aside, quarantine release gives it back, and only that', async () => {
  expect(await run('quarantine', 'list')).toBe('nothing is set aside');
  await database.pool.query(
    `insert into messages (id, account_id, order_id, number, text_no, credits, status)
     select i, $1, case when i = 50 then 78 else 77 end, 905550000000, 0, 1, 110 from generate_series(1, 50) i where i <= 40 or i = 50`,
    [account.id],
  );
  await database.pool.query(
    `insert into chunks (account_id, lane, first_message_id, count, due_at, lost) values ($1, 0, 1, 40, now(), 3), ($1, 0, 50, 1, now(), 2)`,
    [account.id],
  );
  expect(await json(...command('quarantine list'))).toMatchObject([
    { orderId: 77, accountId: Number(account.id), messages: 40, lost: 3 },
    { orderId: 78 },
  ]);
  expect(await json(...command('quarantine release'), '77')).toMatchObject([{ orderId: 77, lost: 0 }]);
  expect(await run('quarantine', 'list')).toContain('order 78 of account');
  await expect(run('quarantine', 'release', '77')).rejects.toThrow('order 77 has no quarantined messages');
  for (const table of ['chunks', 'messages']) await database.pool.query(`delete from ${table}`);
});

test('config shows the effective settings without secrets', async () => {
  const shown = await json(...command('config'), '--peyk-port', '9999');
  expect(shown).toMatchObject({ PEYK_PORT: 9999, DATABASE_URL: 'set' });
  expect(JSON.stringify(shown)).not.toContain(database.url);
});

test('consent sync answers its four counts, also when no registry is configured', async () => {
  const counts = await json(...command('consent sync'));
  expect(Object.keys(counts).sort()).toEqual(['accepted', 'pulled', 'refused', 'sent']);
});

test('an account that does not exist, an unknown command, flag or argument is refused with a reason', async () => {
  await expect(run('account', 'show', '999999')).rejects.toThrow('no account 999999');
  await expect(run('account', 'show', 'x')).rejects.toThrow('not an account ID');
  await expect(run('account', 'show')).rejects.toThrow('missing');
  await expect(run('acount', 'show')).rejects.toThrow('unknown command');
  await expect(run('account', 'show', account.id, '--colour', 'red')).rejects.toThrow('unknown flag --colour');
  await expect(run('account', 'show', account.id, '--toString', 'x')).rejects.toThrow('unknown flag');
  await expect(run('account', 'show', account.id, 'more')).rejects.toThrow('too many arguments');
});

test('every command explains itself, and the overview names them all', async () => {
  const overview = await execute(['--help']);
  for (const { words, help } of commands) {
    expect(overview).toContain(words);
    expect(await execute([...words.split(' '), '--help'])).toContain(help);
  }
  expect(await execute([])).toBe(overview);
  expect(await execute(['start', '--help'])).toContain('PEYK_PORT');
  expect(await execute(['account', '--help'])).toContain('account create');
});

test('a group alone lists its commands, and a mistyped command comes with the one that was meant', async () => {
  const listed = await run('account');
  for (const { words } of commands)
    expect(new RegExp(`^  ${words}( |$)`, 'm').test(listed)).toBe(words.startsWith('account '));
  expect(JSON.parse(await run('carrier', '--json'))).toEqual({ help: await run('carrier') });
  await expect(run('account', 'shwo', '1')).rejects.toThrow('did you mean account show?');
  await expect(run('acount', 'show', '1')).rejects.toThrow('did you mean account show?');
  await expect(run('account', 'create', '--nmae', 'x')).rejects.toThrow('did you mean name?');
});

test('--version says which release this is', async () => {
  expect(await execute(['--version'])).toMatch(/^peyk \d+\.\d+\.\d+$/);
  expect(JSON.parse(await execute(['--version', '--json']))).toEqual({ version: expect.any(String) });
});

test('carrier add --help names every setting with its values and what is required', async () => {
  const help = await execute(['carrier', 'add', '--help']);
  for (const name of Object.keys(carrierSettings)) expect(help).toMatch(new RegExp(`--${name} +\\S`));
  for (const name of ['name', 'host', 'port', 'system-id', 'password'])
    expect(help).toMatch(new RegExp(`--${name} .*required`));
  expect(help).toContain('transceiver|transmitter|separate');
});

test('actions of the operator are on record', async () => {
  const { rows } = await database.pool.query('select distinct action from audit_entries order by action');
  expect(rows.map(row => row.action)).toEqual(
    expect.arrayContaining([
      'account.create',
      'account.set',
      'brand.add',
      'carrier.put',
      'credit.grant',
      'credentials.rotate',
      'quarantine.release',
      'sender.approved',
      'staff.create',
    ]),
  );
  const { rows: details } = await database.pool.query('select detail::text as text from audit_entries');
  expect(details.map(row => row.text).join()).not.toMatch(/cok-gizli/);
});

test('no command is left out of the tests', () => {
  const folder = new URL('.', import.meta.url);
  const tests = readdirSync(folder).filter(name => name.endsWith('.test.ts'));
  const text = tests.map(name => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  expect(commands.map(one => one.words).filter(words => !text.includes(`command('${words}')`))).toEqual([]);
});
