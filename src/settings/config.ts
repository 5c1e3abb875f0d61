// All settings in one table: name, reader, default, meaning. Values come from flags of the same name (`--peyk-port 8080`), then
// the environment, then a `.env` file; a secret may be in a file named by its setting with `_FILE`. All errors are reported
// together.
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { keysOf, readKeys, readSecretKeyFile } from '../sealing/secrets.ts';
import { fileNameOf, readEnvFile, secretValue } from './files.ts';
import { readArguments } from './flags.ts';
import { didYouMean } from './spelling.ts';
import {
  allRoles,
  apiKey,
  backupTarget,
  cellsServed,
  content,
  count,
  databaseUrl,
  flag,
  httpUrl,
  logFormat,
  logLevel,
  networks,
  operatorCode,
  path,
  port,
  portOrOff,
  publicUrl,
  roles,
  secretKey,
  share,
  simulators,
  text,
} from './values.ts';

/** A default may depend on the settings above it in the table. */
type Setting<T> = { read(text: string): T; fallback(above: Above): T; secret?: boolean; help: string };
type Above = { DATABASE_URL?: string; PEYK_HOST?: string; PEYK_TLS_CERT?: string };

function setting<T>(
  read: (text: string) => T,
  fallback: (above: Above) => T,
  help: string,
  secret = false,
): Setting<T> {
  return { read, fallback, help, secret };
}

/** Not 2775, where the simulated carrier listens. */
const usualSmppPort = 2776;
const asRoot = () => process.getuid?.() === 0;

export const settings = {
  PEYK_PORT: setting(port, () => 8080, 'HTTP port of API, panel, docs, health and metrics; 0 picks a free one'),
  PEYK_HOST: setting(text, () => '127.0.0.1', 'address the HTTP server listens on'),
  PEYK_TLS_CERT: setting(
    path,
    () => '',
    'PEM file with the certificate chain of the TLS listener; empty = none; reloaded when it changes',
  ),
  PEYK_TLS_KEY: setting(path, () => '', 'PEM file with the private key of that certificate'),
  PEYK_TLS_PORT: setting(port, () => 8443, 'port of the TLS listener, which serves all that PEYK_PORT serves'),
  PEYK_TLS_HOST: setting(
    text,
    above => above.PEYK_HOST ?? '127.0.0.1',
    'address the TLS listener listens on; default: that of PEYK_HOST',
  ),
  PEYK_DATA: setting(
    value => resolve(value),
    () => (asRoot() ? '/var/lib/peyk' : resolve('data')),
    'folder of the embedded database and the secrets (default ./data; as root /var/lib/peyk)',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    () => '',
    'an existing PostgreSQL 15+ instead of the embedded one; of several hosts the one that accepts writes is used',
    true,
  ),
  PEYK_POSTGRES_BIN: setting(text, () => '', 'folder with initdb and postgres, instead of the bundled ones'),
  PEYK_DATABASE_GIVE_UP_SECONDS: setting(
    count(1, 86_400),
    () => 300,
    'how long restarts of a failing embedded database are tried before the program exits with code 1',
  ),
  PEYK_BACKUP: setting(
    backupTarget,
    () => '',
    'where backups and the archived log are kept: a folder on another disk, or s3://bucket/prefix; empty = no backups',
  ),
  PEYK_BACKUP_S3_ENDPOINT: setting(
    httpUrl,
    () => '',
    'address of the S3-compatible service, like https://s3.eu-central-1.amazonaws.com',
  ),
  PEYK_BACKUP_S3_REGION: setting(text, () => 'us-east-1', 'its region, as requests are signed with'),
  PEYK_BACKUP_S3_KEY_ID: setting(text, () => '', 'access key id there', true),
  PEYK_BACKUP_S3_SECRET: setting(text, () => '', 'secret access key there', true),
  PEYK_BACKUP_EVERY_HOURS: setting(count(1, 720), () => 24, 'hours between two base backups'),
  PEYK_BACKUP_KEEP_DAYS: setting(
    count(1, 3_650),
    () => 14,
    'days of which every moment can be restored; older backups are removed',
  ),
  PEYK_BACKUP_VERIFY_HOURS: setting(
    count(0, 8_784),
    () => 168,
    'hours between two verifications of the last backup; 0 = never',
  ),
  PEYK_BACKUP_LAG_SECONDS: setting(
    count(1, 3_600),
    () => 30,
    'the most seconds that the archived log may be behind the database',
  ),
  PEYK_DEMO_KEY: setting(
    apiKey,
    () => '',
    'key of the demo account made on empty data (default: random; with DATABASE_URL: no demo account)',
    true,
  ),
  PEYK_DEMO_HASH: setting(text, () => '', 'hash of the demo account made on empty data (default: like the key)', true),
  PEYK_DEMO_TRAFFIC: setting(
    flag,
    above => !above.DATABASE_URL,
    'an example account with a month of traffic beside a new demo account; default: off with DATABASE_URL',
  ),
  PEYK_SIMULATORS: setting(
    simulators,
    above => (above.DATABASE_URL ? [] : ['smsc', 'registry']),
    'simulators started beside the program; empty = none, also the default with DATABASE_URL',
  ),
  PEYK_SMSC_PORT: setting(port, () => 2775, 'SMSC simulator: SMPP'),
  PEYK_SMSC_HTTP_PORT: setting(port, () => 2780, 'SMSC simulator: page and HTTP API'),
  PEYK_REGISTRY_PORT: setting(port, () => 2790, 'consent registry simulator'),
  PEYK_WORKERS: setting(count(1, 64), () => availableParallelism(), 'API processes (default: number of cores)'),
  PEYK_ROLES: setting(roles, () => [...allRoles], 'roles of this node: api, dispatch, webhooks, consent, smpp'),
  PEYK_CELLS: setting(
    cellsServed,
    (): 'all' | number[] => 'all',
    'cells that this node serves: all, or numbers; 0 is the home',
  ),
  PEYK_SMPP_HOST: setting(
    text,
    above => above.PEYK_HOST ?? '127.0.0.1',
    'address customers reach over SMPP; default: PEYK_HOST',
  ),
  PEYK_SMPP_PORT: setting(
    portOrOff,
    above => (above.DATABASE_URL ? null : usualSmppPort),
    'SMPP for customers in plain text: a port, or off; default: 2776 (a free one where it is taken), off with DATABASE_URL',
  ),
  PEYK_SMPP_TLS_PORT: setting(
    portOrOff,
    above => (above.PEYK_TLS_CERT ? 3550 : null),
    'SMPP for customers with TLS: a port, or off; default: 3550 with PEYK_TLS_CERT, else off',
  ),
  PEYK_SMPP_PROXY_PROTOCOL: setting(
    flag,
    () => false,
    'SMPP connections from PEYK_TRUSTED_PROXIES begin with a PROXY protocol header (version 1 or 2)',
  ),
  PEYK_ALLOW_PRIVATE_WEBHOOKS: setting(flag, () => false, 'webhooks to private addresses and over plain http (tests)'),
  PEYK_TRUSTED_PROXIES: setting(
    networks,
    () => [],
    'addresses or networks of balancers whose X-Forwarded-For is trusted, and over SMPP their PROXY protocol if it is on',
  ),
  PEYK_PUBLIC_URL: setting(
    publicUrl,
    () => '',
    'public address of the panel and the API, like https://sms.example.com',
  ),
  PEYK_METRICS_ADDRESSES: setting(
    networks,
    () => [],
    'addresses or networks that may read /metrics and details of health, beside this machine',
  ),
  PEYK_METRICS_TOKEN: setting(text, () => '', 'bearer token that may read them from anywhere; empty = none', true),
  PEYK_WATCH_PORT: setting(
    portOrOff,
    () => null,
    'port for health and metrics only, also on a node without the API: a port, or off',
  ),
  PEYK_OPERATOR_CODE: setting(operatorCode, () => 'B186', 'operator code appended to every SMS; empty = none'),
  PEYK_VALIDITY_SECONDS: setting(count(1, 604_800), () => 86_400, 'how long delivery of a message is tried'),
  PEYK_RECEIPT_GRACE_SECONDS: setting(count(0, 604_800), () => 3_600, 'wait for a receipt after the validity ended'),
  PEYK_UNSURE_HOLD_SECONDS: setting(count(0, 600), () => 30, 'wait before messages with a lost answer are resolved'),
  PEYK_LEASE_SECONDS: setting(count(2, 60), () => 6, 'silence after which a dispatcher counts as dead'),
  PEYK_RETENTION_DAYS: setting(count(1, 36_500), () => 400, 'days after which finished orders are removed'),
  PEYK_INBOUND_RETENTION_DAYS: setting(
    count(1, 36_500),
    () => 400,
    'days after which messages from phones are removed',
  ),
  PEYK_REGISTRY_URL: setting(httpUrl, () => '', 'consent registry; default: the simulator when it runs'),
  PEYK_IDENTITY_URL: setting(
    httpUrl,
    () => '',
    'identity service of applications; default: the simulator when it runs; empty = staff check the documents',
  ),
  PEYK_REGISTRY_CODE: setting(text, () => '1', 'our code at the registry (iysCode)'),
  PEYK_REGISTRY_USER: setting(text, () => 'peyk', 'user name at the registry'),
  PEYK_REGISTRY_PASSWORD: setting(text, () => 'peyk', 'password at the registry', true),
  PEYK_REGISTRY_SYNC_SECONDS: setting(count(1, 86_400), () => 60, 'pause between two synchronisations'),
  PEYK_REGISTRY_PUSH_USER: setting(text, () => '', 'user name the registry pushes with; empty = no push', true),
  PEYK_REGISTRY_PUSH_PASSWORD: setting(text, () => '', 'password the registry pushes with; empty = no push', true),
  PEYK_STAFF_SECOND_FACTOR: setting(
    flag,
    above => Boolean(above.DATABASE_URL),
    'staff pages of the panel only with two-step sign-in; default: on with DATABASE_URL, off over embedded data',
  ),
  PEYK_SECRET_KEY: setting(
    secretKey,
    () => '',
    'base64 of 32 bytes that encrypt stored secrets (default: file in PEYK_DATA); of several keys the first seals and each opens',
    true,
  ),
  PEYK_CONTENT: setting(
    content,
    (): 'plain' | 'sealed' => 'plain',
    'how texts of messages are stored: plain, or sealed with the key of stored secrets; read either way',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    httpUrl,
    () => '',
    'OpenTelemetry collector that traces are exported to (OTLP over HTTP, like http://127.0.0.1:4318); empty = no traces',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(text, () => '', 'headers for the collector: name=value,name=value', true),
  OTEL_TRACES_SAMPLER_ARG: setting(
    share,
    () => 1,
    'share of the requests without a traceparent that are traced, 0 to 1',
  ),
  PEYK_LOG_LEVEL: setting(logLevel, () => 'info', 'debug, info, warn or error'),
  PEYK_LOG_FORMAT: setting(
    logFormat,
    (): 'auto' | 'json' | 'text' => 'auto',
    'log lines: json, text (for people), or auto: text if standard error is a terminal, json otherwise',
  ),
} satisfies Record<string, Setting<unknown>>;

export { allRoles, type Role } from './values.ts';
export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> };

export class ConfigError extends Error {}

type LoadedConfig = {
  config: Config;
  /** The arguments that are not settings. */
  rest: string[];
  flags: Record<string, string>;
  /** Settings that were set explicitly, not defaults. */
  given: ReadonlySet<string>;
  /** Names that look like settings but are unknown. */
  warnings: string[];
  /** Invalid values; the config has the default instead. */
  problems: string[];
};

/** Like `readConfig`, but throws for invalid values, all of them together. */
export function loadConfig(args: string[], env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): LoadedConfig {
  const loaded = readConfig(args, env, folder);
  refuseWrong(loaded.problems);
  return loaded;
}

export function refuseWrong(problems: string[]): void {
  if (problems.length) throw new ConfigError(`Settings are wrong:\n  ${problems.join('\n  ')}`);
}

/** Takes settings out of the arguments and returns the rest unchanged. */
export function readConfig(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  folder = process.cwd(),
  service = serviceFile,
): LoadedConfig {
  const { flags, rest } = takeFlags(args);
  const problems: string[] = [];
  const file = envFilesOf(flags[envFileName] ?? env[envFileName], { folder, service }, problems);
  const config: Record<string, unknown> = {};
  const given = new Set<string>();
  const lookUp = (name: string) => flags[name] ?? env[name] ?? file[name];
  for (const [name, one] of Object.entries(settings) as [string, Setting<unknown>][]) {
    try {
      const value = one.secret ? secretValue(name, lookUp) : lookUp(name);
      if (value !== undefined) given.add(name);
      config[name] = value === undefined ? one.fallback(config as Above) : one.read(value);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message} (given: ${one.secret ? '…' : JSON.stringify(lookUp(name))})`);
      config[name] = one.fallback(config as Above);
    }
  }
  problems.push(...otherKeyThanTheData(config as Partial<Config>));
  const warnings = unknownNames([...Object.keys(env), ...Object.keys(file)]);
  return { config: Object.freeze(config) as Config, rest, flags, given, warnings, problems };
}

/** Also from the environment, so that all processes of a node read the same file. */
const envFileName = 'PEYK_ENV_FILE';
/** The service's file (ops/systemd): commands read what the service reads. */
const serviceFile = '/etc/peyk/peyk.env';

/** The named file; otherwise the one in the folder before the service's. */
function envFilesOf(
  named: string | undefined,
  { folder, service }: { folder: string; service: string },
  problems: string[],
): NodeJS.Dict<string> {
  const read = (path: string, mustBe: boolean) => {
    try {
      return readEnvFile(path, mustBe);
    } catch (error) {
      problems.push((error as Error).message);
      return {};
    }
  };
  if (named) return read(resolve(folder, named), true);
  return { ...read(service, false), ...read(join(folder, '.env'), false) };
}

/** Checks that need no database; db/sealed-data.ts asks the data. */
function otherKeyThanTheData({ DATABASE_URL, PEYK_DATA, PEYK_SECRET_KEY }: Partial<Config>): string[] {
  if (DATABASE_URL || !PEYK_DATA || !PEYK_SECRET_KEY) return [];
  const kept = readSecretKeyFile(PEYK_DATA);
  if (!kept || keysOf(kept).some(one => keysOf(readKeys(PEYK_SECRET_KEY)!).some(other => other.equals(one)))) return [];
  return [`PEYK_SECRET_KEY: is not the key of the data in ${PEYK_DATA} (its file secret.key); leave the setting out`];
}

/** Every setting, and every secret as the path of a file that holds it. */
const knownNames = new Set(
  (Object.entries(settings) as [string, Setting<unknown>][]).flatMap(([name, one]) =>
    one.secret ? [name, fileNameOf(name)] : [name],
  ),
);

// Names of the program itself and of its tests and tools.
const ownNames = /^PEYK_(CHILD$|ENV_FILE$|TEST_|CHAOS_|SCREENSHOTS$)/;

function unknownNames(names: string[]): string[] {
  const unknown = [...new Set(names)].filter(
    name => name.startsWith('PEYK_') && !knownNames.has(name) && !ownNames.test(name),
  );
  return unknown.map(name => `${name} is not a setting${didYouMean(name, knownNames)}`);
}

/** Effective values for people; of secrets only whether they are set. */
export function describeConfig(config: Config): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(settings) as [SettingName, Setting<unknown>][])
    shown[name] = one.secret ? (config[name] === '' ? 'not set' : 'set') : config[name];
  return shown;
}

function takeFlags(args: string[]): { flags: Record<string, string>; rest: string[] } {
  const flags: Record<string, string> = {};
  const rest: string[] = [];
  for (const one of readArguments(args, settingFlags)) {
    const name = 'flag' in one && settingOfFlag(one.flag);
    if (name) flags[name] = one.value ?? '';
    else rest.push('flag' in one ? one.written : one.word);
  }
  return { flags, rest };
}

// Short forms exist only if no command has a flag of that name: `carrier add --port` is not ours.
const shortFlags = new Map<string, SettingName | typeof envFileName>([
  ['env-file', envFileName],
  ['roles', 'PEYK_ROLES'],
  ['data', 'PEYK_DATA'],
  ['workers', 'PEYK_WORKERS'],
]);

const settingFlags = new Map([
  ...[...shortFlags.keys(), ...[...knownNames].flatMap(name => [name, flagOf(name)])].map(
    flag => [flag, 'string'] as const,
  ),
]);

function flagOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function settingOfFlag(flag: string): string | undefined {
  const name = flag.toUpperCase().replaceAll('-', '_');
  return knownNames.has(name) ? name : shortFlags.get(flag);
}
