// Every setting in one table: name, how it is read, default, what it means. Values come from flags of the same name
// (`--peyk-port 8080`, `--port 8080`), then the environment, then a `.env` file. All mistakes are reported at once.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

type Setting<T> = { read(text: string): T; fallback(): T; secret?: boolean; help: string };

function setting<T>(read: (text: string) => T, fallback: () => T, help: string, secret = false): Setting<T> {
  return { read, fallback, help, secret };
}

const asRoot = () => process.getuid?.() === 0;

export const settings = {
  PEYK_PORT: setting(port, () => 8080, 'HTTP port of API, panel, docs, health and metrics; 0 picks a free one'),
  PEYK_HOST: setting(text, () => '127.0.0.1', 'address the HTTP server listens on'),
  PEYK_DATA: setting(
    value => resolve(value),
    () => (asRoot() ? '/var/lib/peyk' : resolve('data')),
    'folder of the embedded database and the secrets (default ./data; as root /var/lib/peyk)',
  ),
  DATABASE_URL: setting(text, () => '', 'an existing PostgreSQL 15+ instead of the embedded one', true),
  PEYK_POSTGRES_BIN: setting(text, () => '', 'folder with initdb and postgres, instead of the bundled ones'),
  PEYK_DEMO_KEY: setting(text, () => '', 'key of the demo account made on empty data (default: random)', true),
  PEYK_DEMO_HASH: setting(text, () => '', 'hash of the demo account made on empty data (default: random)', true),
  PEYK_SIMULATORS: setting(list, () => ['smsc', 'registry'], 'simulators started beside the program; empty = none'),
  PEYK_SMSC_PORT: setting(port, () => 2775, 'SMSC simulator: SMPP'),
  PEYK_SMSC_HTTP_PORT: setting(port, () => 2780, 'SMSC simulator: page and HTTP API'),
  PEYK_REGISTRY_PORT: setting(port, () => 2790, 'consent registry simulator'),
  PEYK_WORKERS: setting(count(1, 64), () => availableParallelism(), 'API processes (default: number of cores)'),
  PEYK_ROLES: setting(roles, () => [...allRoles], 'what this node does: api, dispatch, webhooks, consent'),
  PEYK_ALLOW_PRIVATE_WEBHOOKS: setting(flag, () => false, 'webhooks to private addresses and over plain http (tests)'),
  PEYK_TRUSTED_PROXIES: setting(list, () => [], 'addresses or networks whose X-Forwarded-For is believed'),
  PEYK_OPERATOR_CODE: setting(operatorCode, () => 'B186', 'operator code appended to every SMS; empty = none'),
  PEYK_VALIDITY_SECONDS: setting(count(1, 604_800), () => 86_400, 'how long an undelivered message is tried'),
  PEYK_RECEIPT_GRACE_SECONDS: setting(count(0, 604_800), () => 3_600, 'wait for a receipt after the validity ended'),
  PEYK_UNSURE_HOLD_SECONDS: setting(count(0, 600), () => 30, 'wait before messages with a lost answer are resolved'),
  PEYK_LEASE_SECONDS: setting(count(2, 60), () => 6, 'silence after which a dispatcher counts as dead'),
  PEYK_RETENTION_DAYS: setting(count(1, 36_500), () => 400, 'days after which finished orders are removed'),
  PEYK_REGISTRY_URL: setting(text, () => '', 'consent registry; default: the simulator when it runs'),
  PEYK_REGISTRY_CODE: setting(text, () => '1', 'our code at the registry (iysCode)'),
  PEYK_REGISTRY_USER: setting(text, () => 'peyk', 'user name at the registry'),
  PEYK_REGISTRY_PASSWORD: setting(text, () => 'peyk', 'password at the registry', true),
  PEYK_REGISTRY_SYNC_SECONDS: setting(count(1, 86_400), () => 60, 'pause between two synchronisations'),
  PEYK_REGISTRY_PUSH_USER: setting(text, () => '', 'user name the registry pushes with; empty = no push', true),
  PEYK_REGISTRY_PUSH_PASSWORD: setting(text, () => '', 'password the registry pushes with; empty = no push', true),
  PEYK_SECRET_KEY: setting(
    text,
    () => '',
    'base64 of 32 bytes that encrypt stored secrets (default: file in PEYK_DATA)',
    true,
  ),
  PEYK_LOG_LEVEL: setting(logLevel, () => 'info', 'debug, info, warn or error'),
} satisfies Record<string, Setting<unknown>>;

export const allRoles = ['api', 'dispatch', 'webhooks', 'consent'] as const;
export type Role = (typeof allRoles)[number];

export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> };

export class ConfigError extends Error {}

/** Takes settings out of the arguments and returns the rest untouched. */
export function loadConfig(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
): { config: Config; rest: string[]; flags: Record<string, string> } {
  const { flags, rest } = takeFlags(args);
  const file = readEnvFile(join(folder, '.env'));
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const given = flags[name] ?? env[name] ?? file[name];
    try {
      config[name] = given === undefined ? one.fallback() : one.read(given);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message} (given: ${one.secret ? '…' : JSON.stringify(given)})`);
    }
  }
  if (problems.length) throw new ConfigError(`Settings are wrong:\n  ${problems.join('\n  ')}`);
  return { config: Object.freeze(config) as Config, rest, flags };
}

/** Effective values for people; secrets are only said to be set. */
export function describeConfig(config: Config): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(settings) as [SettingName, Setting<unknown>][])
    shown[name] = one.secret ? (config[name] === '' ? 'not set' : 'set') : config[name];
  return shown;
}

function takeFlags(args: string[]): { flags: Record<string, string>; rest: string[] } {
  const flags: Record<string, string> = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const [flag, inline] = splitFlag(arg);
    const name = flag && settingOfFlag(flag);
    if (!name) {
      rest.push(arg);
      continue;
    }
    flags[name] = inline ?? args[++i] ?? '';
  }
  return { flags, rest };
}

function splitFlag(arg: string): [string | null, string | undefined] {
  if (!arg.startsWith('--')) return [null, undefined];
  const at = arg.indexOf('=');
  return at < 0 ? [arg.slice(2), undefined] : [arg.slice(2, at), arg.slice(at + 1)];
}

// Short forms only where no command has a flag of that name: `carrier add --port` is not ours.
const shortFlags = new Map<string, SettingName>([
  ['roles', 'PEYK_ROLES'],
  ['data', 'PEYK_DATA'],
  ['workers', 'PEYK_WORKERS'],
]);

function settingOfFlag(flag: string): SettingName | undefined {
  const name = flag.toUpperCase().replaceAll('-', '_');
  return Object.hasOwn(settings, name) ? (name as SettingName) : shortFlags.get(flag);
}

function readEnvFile(path: string): Record<string, string> {
  const values: Record<string, string> = {};
  if (!existsSync(path)) return values;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const match = /^\s*([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (match) values[match[1]!] = match[2]!.replace(/^(["'])(.*)\1$/, '$2');
  }
  return values;
}

function text(value: string): string {
  return value;
}

function list(value: string): string[] {
  return value
    .split(',')
    .map(one => one.trim())
    .filter(Boolean);
}

function roles(value: string): Role[] {
  const chosen = list(value);
  const wrong = chosen.filter(one => !allRoles.includes(one as Role));
  if (wrong.length || !chosen.length) throw new Error(`must be some of ${allRoles.join(', ')}`);
  return chosen as Role[];
}

function port(value: string): number {
  return whole(value, 0, 65_535);
}

function count(min: number, max: number): (value: string) => number {
  return value => whole(value, min, max);
}

function whole(value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
  return number;
}

function flag(value: string): boolean {
  const word = value.toLowerCase();
  if (['1', 'on', 'true', 'yes'].includes(word)) return true;
  if (['', '0', 'off', 'false', 'no'].includes(word)) return false;
  throw new Error('must be on or off');
}

function operatorCode(value: string): string {
  if (!/^[A-Za-z0-9]{0,8}$/.test(value)) throw new Error('must be at most 8 letters or digits');
  return value;
}

function logLevel(value: string): string {
  if (!['debug', 'info', 'warn', 'error', 'silent'].includes(value))
    throw new Error('must be debug, info, warn or error');
  return value;
}
