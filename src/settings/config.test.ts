import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadSecretKey } from '../sealing/secrets.ts';
import { ConfigError, describeConfig, loadConfig, readConfig, type SettingName, settings } from './config.ts';

// A folder without a .env file unless a test creates one.
const load = (args: string[] = [], env: Record<string, string> = {}, folder = tmpdir()) =>
  loadConfig(args, env, folder);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(envFile: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-config-'));
  folders.push(folder);
  writeFileSync(join(folder, '.env'), envFile);
  return folder;
}

test('without anything set the defaults of the operator’s table hold', () => {
  const { config } = load();
  expect(config).toMatchObject({
    PEYK_PORT: 8080,
    PEYK_HOST: '127.0.0.1',
    PEYK_DATA: process.getuid?.() === 0 ? '/var/lib/peyk' : resolve('data'),
    DATABASE_URL: '',
    PEYK_SIMULATORS: ['smsc', 'registry'],
    PEYK_SMSC_PORT: 2775,
    PEYK_SMSC_HTTP_PORT: 2780,
    PEYK_REGISTRY_PORT: 2790,
    PEYK_WORKERS: availableParallelism(),
    PEYK_ROLES: ['api', 'dispatch', 'webhooks', 'consent', 'smpp'],
    PEYK_SMPP_PORT: 2776,
    PEYK_SMPP_TLS_PORT: null,
    PEYK_ALLOW_PRIVATE_WEBHOOKS: false,
    PEYK_OPERATOR_CODE: 'B186',
  });
});

test('a flag wins over the environment and that over the .env file', () => {
  const folder = folderWith('# comment\nPEYK_PORT=1111\nPEYK_HOST="0.0.0.0"\n PEYK_WORKERS = 3 \nnonsense\n');
  const { config } = load(['--peyk-port', '3333'], { PEYK_PORT: '2222', PEYK_WORKERS: '5' }, folder);
  expect(config).toMatchObject({ PEYK_PORT: 3333, PEYK_HOST: '0.0.0.0', PEYK_WORKERS: 5 });
});

test('the file that is named is read instead of .env, must be there, and all processes of a node use it', () => {
  const [folder, other] = [folderWith('PEYK_PORT=1111\nPEYK_HOST=::1\n'), folderWith('PEYK_PORT=2222\n')];
  const named = join(other, '.env');
  const { config, flags } = load(['--env-file', named], {}, folder);
  expect(config).toMatchObject({ PEYK_PORT: 2222, PEYK_HOST: '127.0.0.1' });
  expect(load([], flags, folder).config.PEYK_PORT).toBe(2222);
  expect(load([], { PEYK_ENV_FILE: named }, folder).warnings).toEqual([]);
  expect(() => load(['--env-file', join(other, 'none.env')])).toThrow(/none\.env cannot be read \(ENOENT\)/);
});

test('a command reads the file of the service too, below a .env of its folder, and says where it may not', () => {
  const [folder, service] = [
    folderWith('PEYK_PORT=1111\n'),
    join(folderWith('PEYK_PORT=2222\nPEYK_HOST=::1\n'), '.env'),
  ];
  expect(readConfig([], {}, folder, service).config).toMatchObject({ PEYK_PORT: 1111, PEYK_HOST: '::1' });
  expect(readConfig([], {}, folder, join(folder, 'none')).problems).toEqual([]);
  expect(readConfig([], {}, folder, folder).problems).toEqual([expect.stringMatching(/cannot be read \(EISDIR\)/)]);
  const unit = readFileSync(new URL('../../ops/systemd/peyk.service', import.meta.url), 'utf8');
  expect(unit).toMatch(/^EnvironmentFile=-?\/etc\/peyk\/peyk\.env$/m);
});

test('flags are taken in both spellings, short forms too, and the rest is left as it was', () => {
  const { config, rest, flags } = load(['account', '--roles', 'api', 'show', '--peyk-port=0', '--json', '--port', '5']);
  expect(config).toMatchObject({ PEYK_ROLES: ['api'], PEYK_PORT: 0 });
  expect(rest).toEqual(['account', 'show', '--json', '--port', '5']);
  expect(flags).toEqual({ PEYK_ROLES: 'api', PEYK_PORT: '0' });
});

test('a value in the .env file ends at a comment, unless it is quoted', () => {
  const folder = folderWith("PEYK_DEMO_HASH=abc # comment\nPEYK_METRICS_TOKEN='a#b'\nexport PEYK_HOST=::1\n");
  expect(load([], {}, folder).config).toMatchObject({
    PEYK_DEMO_HASH: 'abc',
    PEYK_METRICS_TOKEN: 'a#b',
    PEYK_HOST: '::1',
  });
});

test('what begins with one dash is a word, whatever follows it', () => {
  expect(load(['credit', 'add', '1', '-500', '--', '-x']).rest).toEqual(['credit', 'add', '1', '-500', '--', '-x']);
});

test('an empty PEYK_SIMULATORS means none', () => {
  expect(load([], { PEYK_SIMULATORS: '' }).config.PEYK_SIMULATORS).toEqual([]);
});

test('all mistakes are reported at once, and no secret with them', () => {
  const env = {
    PEYK_PORT: '70000',
    PEYK_ROLES: 'api,cook',
    PEYK_WORKERS: '0',
    PEYK_OPERATOR_CODE: 'ş',
    PEYK_LOG_LEVEL: 'loud',
  };
  try {
    load([], env);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of Object.keys(env)) expect((error as Error).message).toContain(name);
  }
});

test('numbers outside their bounds and words that are none are refused', () => {
  const wrong: Partial<Record<SettingName, string[]>> = {
    PEYK_PORT: ['-1', '65536', '1.5', 'x', ''],
    PEYK_WORKERS: ['0', '65', 'all'],
    PEYK_ROLES: ['', ',', 'cook', 'api,cook'],
    PEYK_ALLOW_PRIVATE_WEBHOOKS: ['maybe'],
    PEYK_RETENTION_DAYS: ['0', '-5'],
    PEYK_INBOUND_RETENTION_DAYS: ['0', '400 days'],
    PEYK_SIMULATORS: ['smcs', 'smsc,all', 'hook-receiver'],
    PEYK_TRUSTED_PROXIES: ['abc', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '1.2.3', '::1/255.0.0.0'],
    PEYK_REGISTRY_URL: ['registry', 'ftp://registry.example.com'],
    DATABASE_URL: ['localhost', 'mysql://localhost/peyk', 'postgresql://a,b/peyk?target_session_attrs=standby'],
    PEYK_SECRET_KEY: ['short', Buffer.alloc(31).toString('base64')],
    PEYK_CONTENT: ['on', ''],
    PEYK_DEMO_KEY: ['two words'],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) expect(() => load([], { [name]: value })).toThrow(name);
});

test('networks are taken in every usual form', () => {
  const list = ['10.0.0.5', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', 'fd00::/8', 'loopback'];
  expect(load([], { PEYK_TRUSTED_PROXIES: list.join(', ') }).config.PEYK_TRUSTED_PROXIES).toEqual(list);
});

test('a mistyped word comes with the one that was meant', () => {
  expect(() => load([], { PEYK_SIMULATORS: 'smcs' })).toThrow('did you mean smsc?');
  expect(() => load([], { PEYK_ROLES: 'webhook' })).toThrow('did you mean webhooks?');
});

test('names that look like settings and are none are warned of, with the one that was meant', () => {
  const folder = folderWith('PEYK_HOTS=x\n');
  const env = { PEYK_PROT: '1', PEYK_SOMETHING_ELSE: '1', PEYK_CHILD: '1', OTHER: '1', PEYK_PORT: '1' };
  expect(load([], env, folder).warnings).toEqual([
    'PEYK_PROT is not a setting; did you mean PEYK_PORT?',
    'PEYK_SOMETHING_ELSE is not a setting',
    'PEYK_HOTS is not a setting; did you mean PEYK_HOST?',
  ]);
});

test('another key than that of the data folder is reported together with all other mistakes', () => {
  const folder = folderWith('');
  loadSecretKey(folder, '');
  const env = { PEYK_DATA: folder, PEYK_SECRET_KEY: Buffer.alloc(32).toString('base64'), PEYK_SIMULATORS: 'smcs' };
  expect(() => load([], env)).toThrow(/PEYK_SIMULATORS[\s\S]*PEYK_SECRET_KEY: is not the key of the data/);
  expect(load([], { ...env, PEYK_SIMULATORS: '', DATABASE_URL: 'postgresql://x/y' }).given.has('PEYK_SIMULATORS')).toBe(
    true,
  );
});

test('beside somebody’s own database no simulator runs unless it is named', () => {
  const env = { DATABASE_URL: 'postgresql://db.example.com/peyk' };
  expect(load([], env).config.PEYK_SIMULATORS).toEqual([]);
  expect(load([], env).given.has('PEYK_SIMULATORS')).toBe(false);
  expect(load([], { ...env, PEYK_SIMULATORS: 'smsc' }).config.PEYK_SIMULATORS).toEqual(['smsc']);
});

test('switches understand the usual words', () => {
  for (const on of ['1', 'on', 'true', 'YES'])
    expect(load([], { PEYK_ALLOW_PRIVATE_WEBHOOKS: on }).config.PEYK_ALLOW_PRIVATE_WEBHOOKS).toBe(true);
  for (const off of ['0', 'off', 'false', 'no', ''])
    expect(load([], { PEYK_ALLOW_PRIVATE_WEBHOOKS: off }).config.PEYK_ALLOW_PRIVATE_WEBHOOKS).toBe(false);
});

test('the effective settings are shown without secrets', () => {
  const secret = 'cok-gizli';
  const env: Record<string, string> = {};
  for (const [name, one] of Object.entries(settings)) if (one.secret) env[name] = secret;
  env['DATABASE_URL'] = `postgresql://peyk:${secret}@db.example.com/peyk`;
  env['PEYK_SECRET_KEY'] = Buffer.from(secret.padEnd(32, '-')).toString('base64');
  const shown = describeConfig(load([], env).config);
  expect(Object.keys(shown)).toEqual(Object.keys(settings));
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(JSON.stringify(shown)).not.toContain(env['PEYK_SECRET_KEY']);
  expect(shown).toMatchObject({ PEYK_PORT: 8080, DATABASE_URL: 'set', PEYK_SECRET_KEY: 'set' });
  expect(describeConfig(load().config)).toMatchObject({ DATABASE_URL: 'not set' });
});

test('the public address is a scheme and a host, and monitors are addresses or networks', () => {
  expect(load([], { PEYK_PUBLIC_URL: 'https://sms.example.com/' }).config.PEYK_PUBLIC_URL).toBe(
    'https://sms.example.com',
  );
  for (const bad of ['sms.example.com', 'ftp://a.b', 'https://a.b/path', 'https://u@a.b'])
    expect(() => load([], { PEYK_PUBLIC_URL: bad }), bad).toThrow('PEYK_PUBLIC_URL');
  const addresses = ['10.0.0.0/8', '2001:db8::1'];
  expect(load([], { PEYK_METRICS_ADDRESSES: addresses.join() }).config.PEYK_METRICS_ADDRESSES).toEqual(addresses);
  for (const bad of ['x', '10.0.0.0/33', '10.0.0.0/x', '::1/129'])
    expect(() => load([], { PEYK_METRICS_ADDRESSES: bad }), bad).toThrow('PEYK_METRICS_ADDRESSES');
});

test('every secret may stand in a file of its own, whose last line end does not count', () => {
  const folder = folderWith('');
  const path = join(folder, 'secret');
  const values: Record<string, string> = {
    DATABASE_URL: 'postgresql://x/y',
    PEYK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  };
  for (const [name, one] of Object.entries(settings)) {
    if (!one.secret) continue;
    const value = values[name] ?? 'gizli';
    writeFileSync(path, `${value}\r\n`);
    const { config, given, warnings } = load([], { [`${name}_FILE`]: path });
    expect([config[name as SettingName], given.has(name), warnings]).toEqual([value, true, []]);
  }
  writeFileSync(path, 'gizli\n');
  expect(load(['--peyk-metrics-token-file', path]).config.PEYK_METRICS_TOKEN).toBe('gizli');
  expect(load([], {}, folderWith(`PEYK_METRICS_TOKEN_FILE=${path}`)).config.PEYK_METRICS_TOKEN).toBe('gizli');
  // A name without a value, as compose files pass it.
  expect(load([], { PEYK_METRICS_TOKEN: '', PEYK_METRICS_TOKEN_FILE: path }).config.PEYK_METRICS_TOKEN).toBe('gizli');
});

test('a file of a secret that is missing, empty, a folder or beside the setting itself is refused, without the secret', () => {
  const folder = folderWith('');
  const path = join(folder, 'secret');
  const wrong = (env: Record<string, string>) => () => load([], env);
  const name = 'PEYK_METRICS_TOKEN_FILE';
  expect(wrong({ [name]: path })).toThrow(/PEYK_METRICS_TOKEN: .*PEYK_METRICS_TOKEN_FILE.* cannot be read.*ENOENT/);
  expect(wrong({ [name]: folder })).toThrow(/EISDIR/);
  writeFileSync(path, '\n');
  expect(wrong({ [name]: path })).toThrow(/is empty/);
  writeFileSync(path, 'x'.repeat(70_000));
  expect(wrong({ [name]: path })).toThrow(/more than 65536 bytes/);
  expect(wrong({ [name]: path, PEYK_METRICS_TOKEN: 'gizli' })).toThrow(
    /PEYK_METRICS_TOKEN: give it or .*, not both \(given: …\)/,
  );
  expect(load([], { PEYK_PORT_FILE: path }).warnings).toEqual([
    expect.stringContaining('PEYK_PORT_FILE is not a setting'),
  ]);
});
