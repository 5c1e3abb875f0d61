// The columns of a carrier over HTTP. The given settings, combined with the stored ones, are checked before anything is
// written. Secrets are names and values, sealed together.
import { randomBytes } from 'node:crypto';
import { type Queryable, row, sql } from '../../db/db.ts';
import { hostOf } from '../../http-client/public-address.ts';
import { type SecretKey, seal, unseal } from '../../sealing/secrets.ts';
import type { Definition } from './definition.ts';
import { namesIn, secretPrefix } from './placeholders.ts';
import { definitionOf, presets } from './presets.ts';

type Known = {
  preset: string | null;
  definition: unknown;
  baseUrl: string;
  apiUser: string;
  isPrivate: boolean;
  secrets: Buffer;
};
const knownSql = sql<Known>('http carrier known')`
  select preset, definition, base_url as "baseUrl", api_user as "apiUser", private as "isPrivate", secrets from carriers
  where name = $1 and kind = 'http'`;

const secretName = /^[a-z][a-z0-9_]{0,30}$/;
/** A comma before another name; a comma inside a value stays. */
const betweenSecrets = /,(?=[a-z][a-z0-9_]{0,30}=)/;
const secretMax = 4_096;
const callbackBytes = 24;

/** `given`: settings by their names, each already valid. */
export async function httpColumns(
  db: Queryable,
  key: SecretKey,
  name: string,
  given: Record<string, string>,
): Promise<[string, unknown][]> {
  const known = await row(db, knownSql, [name]);
  const secrets = secretsAfter(known ? readSecrets(key, known.secrets) : null, given);
  const { preset, own } = await describedBy(known, given);
  const definition = definitionOf(preset, own)!;
  const user = given['user'] ?? known?.apiUser ?? '';
  const isPrivate = given['private'] === undefined ? known?.isPrivate === true : given['private'] === 'on';
  const baseUrl = given['url'] ?? known?.baseUrl ?? '';
  const url = requireUrl(baseUrl || definition.url, isPrivate);
  requireCredentials(definition, user, secrets);
  return [
    ['kind', 'http'],
    ['preset', preset],
    ['definition', own === null ? null : JSON.stringify(own)],
    ['base_url', baseUrl],
    ['api_user', user],
    ['private', isPrivate],
    ['secrets', seal(key, JSON.stringify(secrets))],
    ['host', hostOf(url)],
    ['port', Number(url.port || (url.protocol === 'https:' ? 443 : 80))],
    ['tls', url.protocol === 'https:'],
    // Columns of SMPP carriers that must not be null.
    ['system_id', ''],
    ['password', seal(key, '')],
  ];
}

export function readSecrets(key: SecretKey, sealed: Buffer): Record<string, string> {
  return JSON.parse(unseal(key, sealed)) as Record<string, string>;
}

function secretsAfter(known: Record<string, string> | null, given: Record<string, string>): Record<string, string> {
  const secrets = known ?? { callback: randomBytes(callbackBytes).toString('base64url') };
  if (given['password'] !== undefined) secrets['password'] = given['password'];
  const listed = (given['secret']?.split(betweenSecrets) ?? []).map(one => /^([^=]*)=(.*)$/s.exec(one)?.slice(1) ?? []);
  const named = Object.entries(given)
    .filter(([flag]) => flag.startsWith(secretPrefix))
    .map(([flag, value]) => [flag.slice(secretPrefix.length), value]);
  for (const [name = '', value = ''] of [...listed, ...named]) {
    if (!secretName.test(name) || name === 'callback') throw new Error('--secret: give NAME=VALUE,NAME=VALUE');
    secrets[name] = value;
  }
  for (const value of Object.values(secrets))
    if (value.length > secretMax || /[\0-\x1f\x7f]/.test(value))
      throw new Error(`a secret has at most ${secretMax} characters and no control characters`);
  return secrets;
}

/** A preset and an own description exclude each other: the one given last counts. */
async function describedBy(known: Known | undefined, given: Record<string, string>) {
  if (given['definition']) {
    // Imported when a description is checked, which few processes do.
    const { requireDefinition } = await import('./check-definition.ts');
    return { preset: null, own: requireDefinition(given['definition']) };
  }
  const preset = given['preset'] || known?.preset || null;
  if (preset === null && known?.definition) return { preset: null, own: known.definition as Definition };
  if (preset === null || !Object.hasOwn(presets, preset))
    throw new Error(
      `--preset: one of ${Object.keys(presets).join(', ')}, or --definition with a description of your own`,
    );
  return { preset, own: null };
}

/** The fields that a description needs and the form lacks. */
export function missingOf(definition: Definition, given: Record<string, string>): string[] {
  const fields = [...new Set(namesIn(JSON.stringify(definition)))]
    .filter(name => name === 'user' || name.startsWith(secretPrefix))
    .map(name => (name === `${secretPrefix}password` ? 'password' : name));
  return fields.filter(field => !given[field]);
}

export function requireUrl(given: string, isPrivate: boolean): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('--url: not a valid https address');
  if (url.protocol === 'http:' && !isPrivate) throw new Error('--url: must begin with https unless --private is on');
  if (url.username || url.password || url.search || url.hash)
    throw new Error('--url: without user name, password, query and fragment');
  return url;
}

/** A required field of the form is empty; `message` is for the command line. */
export class MissingCredential extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

function requireCredentials(definition: Definition, user: string, secrets: Record<string, string>): void {
  const sealed = Object.entries(secrets).map(([name, value]) => [`${secretPrefix}${name}`, value]);
  const { password = '' } = secrets;
  const [field] = missingOf(definition, { user, password, ...Object.fromEntries(sealed) });
  if (field === undefined) return;
  const name = field.replace(secretPrefix, '');
  const flag = field === name ? `--${name}` : `--secret ${name}=VALUE`;
  throw new MissingCredential(field, `${flag} is missing: ${definition.credentials[name] ?? name}`);
}
