import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ConfigError, describeConfig, loadConfig, type SettingName, settings } from './config.ts';

// A folder without a .env file unless a test says otherwise.
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
    PEYK_ROLES: ['api', 'dispatch', 'webhooks', 'consent'],
    PEYK_ALLOW_PRIVATE_WEBHOOKS: false,
    PEYK_OPERATOR_CODE: 'B186',
  });
});

test('a flag wins over the environment and that over the .env file', () => {
  const folder = folderWith('# comment\nPEYK_PORT=1111\nPEYK_HOST="0.0.0.0"\n PEYK_WORKERS = 3 \nnonsense\n');
  const { config } = load(['--peyk-port', '3333'], { PEYK_PORT: '2222', PEYK_WORKERS: '5' }, folder);
  expect(config).toMatchObject({ PEYK_PORT: 3333, PEYK_HOST: '0.0.0.0', PEYK_WORKERS: 5 });
});

test('flags are taken in both spellings, short forms too, and the rest is left as it was', () => {
  const { config, rest, flags } = load(['account', '--roles', 'api', 'show', '--peyk-port=0', '--json', '--port', '5']);
  expect(config).toMatchObject({ PEYK_ROLES: ['api'], PEYK_PORT: 0 });
  expect(rest).toEqual(['account', 'show', '--json', '--port', '5']);
  expect(flags).toEqual({ PEYK_ROLES: 'api', PEYK_PORT: '0' });
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
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) expect(() => load([], { [name]: value })).toThrow(name);
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
  const shown = describeConfig(load([], env).config);
  expect(Object.keys(shown)).toEqual(Object.keys(settings));
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(shown).toMatchObject({ PEYK_PORT: 8080, DATABASE_URL: 'set', PEYK_SECRET_KEY: 'set' });
  expect(describeConfig(load().config)).toMatchObject({ DATABASE_URL: 'not set' });
});
