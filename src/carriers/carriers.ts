// Reads and changes carriers. They may change while the program runs; passwords are stored sealed.
import { type Queryable, row, rows, run, runOf, type Sql, sql } from '../db/db.ts';
import { type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import {
  passwordControl,
  propertyOf,
  readControl,
  readSetting,
  type SettingName,
  settingNames,
  settingOf,
  settingsOf,
} from './carrier-settings.ts';
import type { Definition } from './http/definition.ts';
import { httpColumns, readSecrets } from './http/http-columns.ts';
import { secretPrefix } from './http/placeholders.ts';
import { definitionOf } from './http/presets.ts';

export type Carrier = {
  id: number;
  name: string;
  kind: 'smpp' | 'http';
  /** For kind http: a description that comes with the program, or the operator's own. */
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
/** `callbackUrl`: where a carrier over HTTP may post; empty if the program does not know its own address. */
export type CarrierWithPassword = Carrier & {
  password: string;
  definition: Definition | null;
  secrets: Record<string, string>;
  callbackUrl: string;
};

/** The bundled simulator; see simulator-carrier.ts. */
export const simulatorName = 'simulator';
export const besideOthers = 'the simulator carries nothing beside other carriers; carrier resume simulator asks for it';

/** The selected columns of a carrier; `own`: expressions that replace columns. */
function selected(own: Partial<Record<SettingName, string>> = {}): string {
  const settings = settingNames.map(name => `${own[name] ?? settingOf(name).column} as "${propertyOf(name)}"`);
  return `id, name, ${settings.join(', ')}, paused, pause_reason as "pauseReason", changed_at as "changedAt"`;
}

const columns = selected();
// For a carrier that several cells share: this cell's part of the binds and the rate.
const ownColumns = selected({
  binds: 'least(share, binds)',
  rate: 'case when share is null or rate is null then rate else greatest(1, rate * share / binds) end',
});

// Resuming is a request of an operator, which matters for the simulator (simulator-carrier.ts).
const pauseSql = sql('carrier pause')`
  update carriers set paused = $2, pause_reason = $3, wanted_by = case when not $2 then 'operator' else wanted_by end,
    changed_at = clock_timestamp() where name = $1`;

/** Adds a carrier, or changes the one of that name. All settings are checked before anything is written. */
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
    if (flag === 'password' && kind === 'smpp')
      read.set('password', seal(key, String(readControl(passwordControl, value))));
    else if (known.includes(flag as SettingName)) {
      try {
        read.set(settingOf(flag as SettingName).column, readSetting(flag as SettingName, value));
      } catch (error) {
        throw new Error(`--${flag}: ${(error as Error).message}`);
      }
    } else if (flag !== 'password' && !(kind === 'http' && (flag === 'secret' || flag.startsWith(secretPrefix))))
      throw new Error(`unknown carrier setting --${flag}; known: ${known.join(', ')}, password`);
  }
  if (kind === 'http') for (const [column, value] of await httpColumns(db, key, name, given)) read.set(column, value);
  const set = [...read];
  // Columns come from the table of settings, never from the caller. This cannot be an upsert: a change names only some columns,
  // and the row to insert would lack others that must not be null.
  const values = set.map(([, value]) => value);
  const changes = set.map(([column], i) => `${column} = $${i + 1}`);
  const change = `update carriers set ${changes}, changed_at = clock_timestamp() where name = $1 returning ${columns}`;
  const changed = await db.query(change, values);
  if (changed.rows[0]) return changed.rows[0] as Carrier;
  // In the same statement, so that the simulator never sends beside a new carrier.
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

/** Drops and reconnects its binds at once, including those that wait a minute after a refusal. */
export const reconnectCarrier = runOf<[name: string]>('carrier reconnect')`
  update carriers set changed_at = clock_timestamp() where name = $1`;

export type CarrierLine = Carrier & {
  state: string;
  links: { slot: number; state: string; lastError: string | null }[];
};

const linksText = `(select coalesce(json_agg(json_build_object('slot', l.slot, 'state', l.state, 'lastError', l.last_error) order by l.slot), '[]')
  from carrier_links l where l.carrier_id = carriers.id and l.at > now() - interval '15 seconds')`;
const listSql: Sql<Omit<CarrierLine, 'state'> & { wanted: number }> = {
  name: 'carrier list',
  text: `select ${columns}, least(coalesce(share, binds), binds) as wanted, ${linksText} as links from carriers order by priority, name`,
};

/** Every carrier with the state of its links: paused, bound, partly bound, connecting, down. */
export async function listCarriers(db: Queryable): Promise<CarrierLine[]> {
  const found = await rows(db, listSql);
  return found.map(({ wanted, ...one }) => ({ ...one, state: carrierState(one, wanted, one.links) }));
}

/** `wanted`: the number of links of this database; a part of the binds if several cells share the carrier. */
function carrierState(carrier: Carrier, wanted: number, links: { state: string }[]): string {
  if (carrier.paused) return 'paused';
  const bound = links.filter(link => link.state === 'bound').length;
  if (bound > 0) return bound >= wanted ? 'bound' : 'partly bound';
  return links.some(link => link.state !== 'down') ? 'connecting' : 'down';
}

export async function findCarrier(db: Queryable, name: string): Promise<CarrierLine | undefined> {
  return (await listCarriers(db)).find(one => one.name === name);
}

const withPasswordsSql: Sql<Carrier & { sealed: Buffer; sealedSecrets: Buffer | null }> = {
  name: 'carriers all',
  text: `select ${ownColumns}, password as sealed, secrets as "sealedSecrets" from carriers order by priority, id`,
};

/** For the process that binds. */
export async function carriersWithPasswords(
  db: Queryable,
  key: SecretKey,
  publicUrl = '',
): Promise<CarrierWithPassword[]> {
  return (await rows(db, withPasswordsSql)).map(({ sealed, sealedSecrets, ...one }) => {
    const secrets = sealedSecrets ? readSecrets(key, sealedSecrets) : {};
    return {
      ...one,
      password: unseal(key, sealed),
      definition: one.kind === 'http' ? definitionOf(one.preset, one.ownDefinition) : null,
      secrets,
      callbackUrl: one.kind === 'http' && publicUrl ? callbackUrl(publicUrl, one.id, secrets) : '',
    };
  });
}

/** The address below which the carrier posts receipts and inbound messages. */
export function callbackUrl(publicUrl: string, id: number, secrets: Record<string, string>): string {
  return `${publicUrl.replace(/\/$/, '')}/carrier/${id}/${secrets['callback']}`;
}

const kindSql = sql<{ kind: 'smpp' | 'http' }>('carrier kind')`select kind from carriers where name = $1`;

/** The kind of a stored carrier, or the given kind of a new one. */
export async function kindOf(db: Queryable, name: string, given: Record<string, string>): Promise<'smpp' | 'http'> {
  const wanted = given['kind'] === 'http' ? 'http' : 'smpp';
  const known = (await row(db, kindSql, [name]))?.kind;
  if (known && given['kind'] !== undefined && known !== wanted)
    throw new Error(`--kind: "${name}" is a carrier over ${known}; remove it first`);
  return known ?? wanted;
}

export async function carrierExists(db: Queryable, name: string): Promise<boolean> {
  return (await row(db, kindSql, [name])) !== undefined;
}
