// Carriers as the operator knows them, from the database and changed while running. Passwords are stored sealed.
import { type Queryable, row, rows, run, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import type { Definition } from './http/definition.ts';
import { httpColumns, readSecrets } from './http/http-columns.ts';
import { secretPrefix } from './http/placeholders.ts';
import { definitionOf } from './http/presets.ts';

export type Carrier = {
  id: number;
  name: string;
  kind: 'smpp' | 'http';
  /** Of kind http: which description, or one of its own. */
  preset: string | null;
  ownDefinition: unknown;
  baseUrl: string;
  apiUser: string;
  isPrivate: boolean;
  host: string;
  port: number;
  tls: boolean;
  tlsVerify: boolean;
  systemId: string;
  systemType: string;
  bindType: 'transceiver' | 'transmitter' | 'separate';
  binds: number;
  windowSize: number;
  rate: number | null;
  sourceTon: number;
  sourceNpi: number;
  destinationTon: number;
  destinationNpi: number;
  answerIdFormat: IdFormat;
  receiptIdFormat: IdFormat;
  dataCoding: number;
  longMessages: 'udh' | 'sar';
  validitySeconds: number;
  prefixes: string[];
  priority: number;
  unsure: 'lane' | 'resend' | 'fail';
  paused: boolean;
  pauseReason: string | null;
  changedAt: Date;
};
export type IdFormat = 'text' | 'decimal' | 'hex';
/** `callbackUrl`: where a carrier over HTTP may post; empty where the program does not know its own address. */
export type CarrierWithPassword = Carrier & {
  password: string;
  definition: Definition | null;
  secrets: Record<string, string>;
  callbackUrl: string;
};

/** The bundled simulator; what applies to it alone is in simulator-carrier.ts. */
export const simulatorName = 'simulator';
export const besideOthers = 'the simulator carries nothing beside other carriers; carrier resume simulator asks for it';

/** Settings of a carrier by the name of their flag: whose they are, column, how a given text is read, what may be given. */
// biome-ignore format: a table
export const carrierSettings = {
  kind: { of: 'both', column: 'kind', read: oneOf('smpp', 'http'), help: 'smpp|http; default smpp' },
  preset: { of: 'http', column: 'preset', read: text(40), help: 'description of an HTTP carrier that comes with the program: peyk carrier presets' },
  url: { of: 'http', column: 'base_url', read: text(500), help: 'address of an HTTP carrier; default that of its description' },
  user: { of: 'http', column: 'api_user', read: text(200), help: 'user name, key or account at an HTTP carrier' },
  private: { of: 'http', column: 'private', read: onOff, help: 'on|off: an HTTP carrier at a private address or over plain http; default off' },
  definition: { of: 'http', column: 'definition', read: text(50_000, /[^\P{Cc}\n\r\t]/u), help: 'file with a description of your own (JSON, docs/http-carriers.md)' },
  host: { of: 'smpp', column: 'host', read: hostName, help: 'name or address of its SMSC' },
  port: { of: 'smpp', column: 'port', read: whole(1, 65_535), help: '1 to 65535' },
  tls: { of: 'smpp', column: 'tls', read: onOff, help: 'on|off; default off' },
  'tls-verify': { of: 'both', column: 'tls_verify', read: onOff, help: 'on|off: check its certificate; default on' },
  'system-id': { of: 'smpp', column: 'system_id', read: text(15), help: 'user name of the bind, at most 15 characters' },
  'system-type': { of: 'smpp', column: 'system_type', read: text(12), help: 'as the carrier wants it; default empty' },
  bind: { of: 'smpp', column: 'bind_type', read: oneOf('transceiver', 'transmitter', 'separate'), help: 'transceiver|transmitter|separate; default transceiver' },
  binds: { of: 'both', column: 'binds', read: whole(1, 32), help: 'connections at once, 1 to 32; default 1' },
  window: { of: 'both', column: 'window_size', read: whole(1, 1_000), help: 'submits without an answer per bind, 1 to 1000; default 100' },
  rate: { of: 'both', column: 'rate', read: (given: string) => (given === '' ? null : whole(1, 1_000_000)(given)), help: 'SMS per second over all binds, 1 to 1000000; empty = no limit, the default' },
  'source-ton': { of: 'smpp', column: 'source_ton', read: whole(0, 6), help: '0 to 6; default 5' },
  'source-npi': { of: 'smpp', column: 'source_npi', read: whole(0, 18), help: '0 to 18; default 0' },
  'destination-ton': { of: 'smpp', column: 'destination_ton', read: whole(0, 6), help: '0 to 6; default 1' },
  'destination-npi': { of: 'smpp', column: 'destination_npi', read: whole(0, 18), help: '0 to 18; default 1' },
  'answer-id': { of: 'smpp', column: 'answer_id_format', read: oneOf('text', 'decimal', 'hex'), help: 'text|decimal|hex: form of message ids in answers; default text' },
  'receipt-id': { of: 'smpp', column: 'receipt_id_format', read: oneOf('text', 'decimal', 'hex'), help: 'text|decimal|hex: form of message ids in receipts; default text' },
  'data-coding': { of: 'smpp', column: 'data_coding', read: whole(0, 255), help: 'of the default alphabet, 0 to 255; default 0' },
  long: { of: 'smpp', column: 'long_messages', read: oneOf('udh', 'sar'), help: 'udh|sar: how parts are joined; default udh' },
  validity: { of: 'both', column: 'validity_seconds', read: whole(60, 604_800), help: 'seconds, 60 to 604800; default 86400' },
  prefixes: { of: 'both', column: 'prefixes', read: prefixList, help: 'beginnings of the numbers it serves (9053,9054); empty = all, the default; 0 = none, while receipts still come' },
  priority: { of: 'both', column: 'priority', read: whole(0, 1_000), help: '0 to 1000, the least is used first; default 10' },
  unsure: { of: 'both', column: 'unsure', read: oneOf('lane', 'resend', 'fail'), help: 'lane|resend|fail: submits whose answer was lost; default lane' },
} satisfies Record<string, { of: 'both' | 'smpp' | 'http'; column: string; read(text: string): unknown; help: string }>;

const columns = `id, name, kind, preset, definition as "ownDefinition", base_url as "baseUrl", api_user as "apiUser",
  private as "isPrivate", host, port, tls, tls_verify as "tlsVerify", system_id as "systemId", system_type as "systemType",
  bind_type as "bindType", binds, window_size as "windowSize", rate, source_ton as "sourceTon", source_npi as "sourceNpi",
  destination_ton as "destinationTon", destination_npi as "destinationNpi", answer_id_format as "answerIdFormat",
  receipt_id_format as "receiptIdFormat", data_coding as "dataCoding", long_messages as "longMessages",
  validity_seconds as "validitySeconds", prefixes, priority, unsure, paused, pause_reason as "pauseReason",
  changed_at as "changedAt"`;

// Resumed by name: that asks for it, which matters to the simulator (simulator-carrier.ts).
const pauseSql = sql('carrier pause')`
  update carriers set paused = $2, pause_reason = $3, wanted_by = case when not $2 then 'operator' else wanted_by end,
    changed_at = clock_timestamp() where name = $1`;

/** Those of the kind, in the order of the table. */
export function settingsOf(kind: 'smpp' | 'http'): (keyof typeof carrierSettings)[] {
  const names = Object.keys(carrierSettings) as (keyof typeof carrierSettings)[];
  return names.filter(name => carrierSettings[name].of === 'both' || carrierSettings[name].of === kind);
}

/** Adds a carrier, or changes the one of that name. Everything is read before anything is written. */
export async function putCarrier(
  db: Queryable,
  key: SecretKey,
  name: string,
  given: Record<string, string>,
): Promise<Carrier> {
  if (!/^[A-Za-z0-9._-]{1,40}$/.test(name)) throw new Error('a carrier name has 1 to 40 letters, digits, dots, dashes');
  const kind = await kindOf(db, name, given);
  const known = settingsOf(kind);
  const read = new Map<string, unknown>([['name', name]]);
  for (const [flag, value] of Object.entries(given)) {
    if (flag === 'password' && kind === 'smpp') read.set('password', seal(key, text(64)(value)));
    else if (known.includes(flag as keyof typeof carrierSettings)) {
      const setting = carrierSettings[flag as keyof typeof carrierSettings];
      try {
        read.set(setting.column, setting.read(value));
      } catch (error) {
        throw new Error(`--${flag}: ${(error as Error).message}`);
      }
    } else if (flag !== 'password' && !(kind === 'http' && (flag === 'secret' || flag.startsWith(secretPrefix))))
      throw new Error(`unknown carrier setting --${flag}; known: ${known.join(', ')}, password`);
  }
  if (kind === 'http') for (const [column, value] of await httpColumns(db, key, name, given)) read.set(column, value);
  const set = [...read];
  // Columns come from the table above, never from the caller. A change names only some of them, so it cannot be an upsert:
  // the row to insert would lack those that must not be null.
  const values = set.map(([, value]) => value);
  const changes = set.map(([column], i) => `${column} = $${i + 1}`);
  const change = `update carriers set ${changes}, changed_at = clock_timestamp() where name = $1 returning ${columns}`;
  const changed = await db.query(change, values);
  if (changed.rows[0]) return changed.rows[0] as Carrier;
  // In the same statement: the simulator never carries beside a new carrier, not even for a moment.
  const result = await db.query(
    `with aside as (
       update carriers set paused = true, pause_reason = $${set.length + 1}, changed_at = clock_timestamp()
       where name = '${simulatorName}' and name <> $1 and not paused and wanted_by is null)
     insert into carriers (${set.map(([column]) => column)}) values (${set.map((_, i) => `$${i + 1}`)}) returning ${columns}`,
    [...values, besideOthers],
  );
  return result.rows[0] as Carrier;
}

export async function pauseCarrier(
  db: Queryable,
  name: string,
  paused: boolean,
  reason: string | null = null,
): Promise<void> {
  if ((await run(db, pauseSql, [name, paused, paused ? reason : null])) === 0)
    throw new Error(`there is no carrier "${name}"`);
}

const reconnectSql = sql('carrier reconnect')`update carriers set changed_at = clock_timestamp() where name = $1`;

/** Its binds are given up and made anew at once, also those that wait a minute after a refusal. */
export async function reconnectCarrier(db: Queryable, name: string): Promise<void> {
  await run(db, reconnectSql, [name]);
}

export type CarrierLine = Carrier & {
  state: string;
  links: { slot: number; state: string; lastError: string | null }[];
};

const linksSql = sql<{ carrierId: number; slot: number; state: string; lastError: string | null }>('carrier links')`
  select carrier_id as "carrierId", slot, state, last_error as "lastError" from carrier_links
  where at > now() - interval '15 seconds' order by carrier_id, slot`;

/** Every carrier with the state of its links: paused, bound, partly bound, connecting, down. */
export async function listCarriers(db: Queryable): Promise<CarrierLine[]> {
  const carriers = (await db.query(`select ${columns} from carriers order by priority, name`)).rows as Carrier[];
  const links = await rows(db, linksSql);
  return carriers.map(one => {
    const own = links
      .filter(link => link.carrierId === one.id)
      .map(({ slot, state, lastError }) => ({ slot, state, lastError }));
    return { ...one, state: carrierState(one, own), links: own };
  });
}

function carrierState(carrier: Carrier, links: { state: string }[]): string {
  if (carrier.paused) return 'paused';
  const bound = links.filter(link => link.state === 'bound').length;
  if (bound > 0) return bound >= carrier.binds ? 'bound' : 'partly bound';
  return links.some(link => link.state !== 'down') ? 'connecting' : 'down';
}

export async function findCarrier(db: Queryable, name: string): Promise<CarrierLine | undefined> {
  return (await listCarriers(db)).find(one => one.name === name);
}

const sealedSql = sql<{ id: number; password: Buffer; secrets: Buffer | null }>('carrier passwords')`
  select id, password, secrets from carriers`;

// Of a carrier that several cells share: what this one may use of it.
const ownColumns = columns
  .replace('bind_type as "bindType", binds,', 'bind_type as "bindType", least(share, binds) as binds,')
  .replace(
    ' rate,',
    ' case when share is null or rate is null then rate else greatest(1, rate * share / binds) end as rate,',
  );

/** For the process that binds. */
export async function carriersWithPasswords(
  db: Queryable,
  key: SecretKey,
  publicUrl = '',
): Promise<CarrierWithPassword[]> {
  const carriers = (
    await db.query({ name: 'carriers all', text: `select ${ownColumns} from carriers order by priority, id` })
  ).rows as Carrier[];
  const sealed = new Map((await rows(db, sealedSql)).map(one => [one.id, one]));
  return carriers.map(one => {
    const { password, secrets } = sealed.get(one.id)!;
    const open = secrets ? readSecrets(key, secrets) : {};
    return {
      ...one,
      password: unseal(key, password),
      definition: one.kind === 'http' ? definitionOf(one.preset, one.ownDefinition) : null,
      secrets: open,
      callbackUrl: one.kind === 'http' && publicUrl ? callbackUrl(publicUrl, one.id, open) : '',
    };
  });
}

/** Below which its receipts and inbound messages are posted. */
export function callbackUrl(publicUrl: string, id: number, secrets: Record<string, string>): string {
  return `${publicUrl.replace(/\/$/, '')}/carrier/${id}/${secrets['callback']}`;
}

const kindSql = sql<{ kind: 'smpp' | 'http' }>('carrier kind')`select kind from carriers where name = $1`;

/** What it is, or for a new one what it is to be. */
export async function kindOf(db: Queryable, name: string, given: Record<string, string>): Promise<'smpp' | 'http'> {
  const wanted = given['kind'] === 'http' ? 'http' : 'smpp';
  const known = (await row(db, kindSql, [name]))?.kind;
  if (known && given['kind'] !== undefined && known !== wanted)
    throw new Error(`--kind: "${name}" is a carrier over ${known}; remove it first`);
  return known ?? wanted;
}

const anySql = sql<{ id: number }>('carrier by name')`select id from carriers where name = $1`;

export async function carrierExists(db: Queryable, name: string): Promise<boolean> {
  return (await row(db, anySql, [name])) !== undefined;
}

function text(max: number, refused = /[^\x20-\x7e]/): (given: string) => string {
  return given => {
    if (given.length > max || refused.test(given)) throw new Error(`at most ${max} printable ASCII characters`);
    return given;
  };
}

function hostName(given: string): string {
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(given)) throw new Error('not a host name or address');
  return given;
}

function whole(min: number, max: number): (given: string) => number {
  return given => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : -1;
    if (value < min || value > max) throw new Error(`"${given}" is not a whole number from ${min} to ${max}`);
    return value;
  };
}

function onOff(given: string): boolean {
  if (given !== 'on' && given !== 'off') throw new Error(`"${given}" is not on or off`);
  return given === 'on';
}

function oneOf(...allowed: string[]): (given: string) => string {
  return given => {
    if (!allowed.includes(given)) throw new Error(`"${given}" is not one of ${allowed.join(', ')}`);
    return given;
  };
}

function prefixList(given: string): string[] {
  const list = given
    .split(',')
    .map(one => one.trim())
    .filter(Boolean);
  if (list.some(one => !/^\d{1,15}$/.test(one))) throw new Error('prefixes are digits, separated by commas');
  return list;
}
