import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { selfSigned } from '../smpp/self-signed.ts';
import { loadConfig } from './config.ts';
import { settingFaults } from './faults.ts';

const folder = temporaryFolder();
const usual = { PEYK_DATA: join(folder, 'data') };
const place = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const [one, two] = [selfSigned(), selfSigned()];
const [cert, key, otherKey] = [place('cert', one.cert), place('key', one.key), place('other', two.key)];
const nonsense = place('nonsense', 'nonsense');

function faults(env: Record<string, string>): string[] {
  const { config, given } = loadConfig([], { ...usual, ...env }, folder);
  return settingFaults(config, given).map(({ grave, text }) => `${grave ? 'grave' : 'light'}: ${text}`);
}

test('settings that fit together have no faults', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ PEYK_TLS_CERT: cert, PEYK_TLS_KEY: key, PEYK_PUBLIC_URL: 'https://sms.example.com' })).toEqual([]);
  expect(faults({ PEYK_PORT: '0', PEYK_SMSC_PORT: '0', PEYK_SMSC_HTTP_PORT: '0' })).toEqual([]);
  expect(faults({ PEYK_PORT: '2775', PEYK_SIMULATORS: '' })).toEqual([]);
});

test('a certificate or a key that is missing, unreadable, no PEM or of another pair is grave, and the setting is named', () => {
  expect(faults({ PEYK_TLS_CERT: cert })).toEqual(['grave: PEYK_TLS_CERT is given without PEYK_TLS_KEY']);
  expect(faults({ PEYK_TLS_KEY: key })).toEqual(['grave: PEYK_TLS_KEY is given without PEYK_TLS_CERT']);
  const pairs: [string, string, RegExp][] = [
    [join(folder, 'absent'), key, /^grave: PEYK_TLS_CERT: .*absent cannot be read \(ENOENT\)$/],
    [cert, folder, /^grave: PEYK_TLS_KEY: .* cannot be read \(EISDIR\)$/],
    [nonsense, key, /^grave: PEYK_TLS_CERT: .* holds no certificate in PEM form$/],
    [cert, nonsense, /^grave: PEYK_TLS_KEY: .* holds no private key without a passphrase in PEM form$/],
    [cert, otherKey, /^grave: PEYK_TLS_KEY: .* is not the key of the first certificate/],
  ];
  for (const [PEYK_TLS_CERT, PEYK_TLS_KEY, wanted] of pairs)
    expect(faults({ PEYK_TLS_CERT, PEYK_TLS_KEY })).toEqual([expect.stringMatching(wanted)]);
});

test('one port for two listeners is grave', () => {
  expect(faults({ PEYK_PORT: '2775' })).toEqual(['grave: PEYK_SMSC_PORT and PEYK_PORT are the same port, 2775']);
  expect(faults({ PEYK_TLS_CERT: cert, PEYK_TLS_KEY: key, PEYK_TLS_PORT: '8080' })).toHaveLength(1);
});

test('a bucket without its address or keys is grave, and what is neither a folder nor a bucket is refused', () => {
  const bucket = { PEYK_BACKUP: 's3://yedek/peyk', PEYK_BACKUP_S3_ENDPOINT: 'https://s3.example.com' };
  expect(faults(bucket)).toEqual([
    'grave: PEYK_BACKUP is a bucket, and PEYK_BACKUP_S3_KEY_ID, PEYK_BACKUP_S3_SECRET is missing',
  ]);
  expect(faults({ ...bucket, PEYK_BACKUP_S3_KEY_ID: 'x', PEYK_BACKUP_S3_SECRET: 'y' })).toEqual([]);
  for (const PEYK_BACKUP of ['https://s3.example.com/yedek', 's3://Yedek', 's3://yedek/a//b'])
    expect(() => faults({ PEYK_BACKUP })).toThrow('must be a folder, or like s3://bucket/prefix');
});

test('a data folder that is a file, or may not be written, is grave', () => {
  expect(faults({ PEYK_DATA: join(nonsense, 'data') })).toEqual([expect.stringContaining('nonsense is not a folder')]);
  expect(faults({ PEYK_POSTGRES_BIN: join(folder, 'none') })).toEqual([expect.stringMatching(/^grave: PEYK_POSTGRES/)]);
  const locked = join(folder, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o500);
  // Root may write anywhere.
  const wanted = process.getuid?.() === 0 ? [] : [expect.stringContaining('may not be written')];
  expect(faults({ PEYK_DATA: join(locked, 'data') })).toEqual(wanted);
});

test('settings that do nothing beside others, or only half of what is meant, are reported', () => {
  const url = { DATABASE_URL: 'postgresql://db.example.com/peyk' };
  const cases: [Record<string, string>, string][] = [
    [{ ...url, PEYK_DATABASE_GIVE_UP_SECONDS: '5' }, 'PEYK_DATABASE_GIVE_UP_SECONDS'],
    [{ PEYK_TLS_PORT: '443' }, 'PEYK_TLS_PORT does nothing'],
    [{ PEYK_TLS_HOST: '::' }, 'PEYK_TLS_HOST does nothing'],
    [{ PEYK_BACKUP_KEEP_DAYS: '3' }, 'PEYK_BACKUP_KEEP_DAYS does nothing without PEYK_BACKUP'],
    [{ PEYK_BACKUP: join(usual.PEYK_DATA, 'x') }, 'inside of PEYK_DATA'],
    [{ PEYK_REGISTRY_PUSH_USER: 'x' }, 'nothing is taken by push'],
    [{ ...url, PEYK_DEMO_KEY: 'x' }, 'no demo account'],
    [{ PEYK_ROLES: 'api' }, 'no other node'],
    [{ ...url, PEYK_ROLES: 'api' }, 'PEYK_SECRET_KEY is not given'],
    [{ PEYK_PUBLIC_URL: 'https://sms.example.com' }, 'PEYK_TRUSTED_PROXIES'],
    [{ PEYK_REGISTRY_URL: 'https://registry.example.com' }, 'PEYK_REGISTRY_PASSWORD'],
  ];
  for (const [env, wanted] of cases) expect(faults(env)).toEqual([expect.stringMatching(`^light: .*${wanted}`)]);
});
