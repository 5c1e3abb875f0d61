// Combines a stored carrier with a form about it: the stored secrets go only to the stored host, both in a test and when saved.

import { propertyOf, readSetting } from '../../carriers/carrier-settings.ts';
import {
  type Carrier,
  type CarrierWithPassword,
  carriersWithPasswords,
  simulatorName,
} from '../../carriers/carriers.ts';
import { secretPrefix } from '../../carriers/http/placeholders.ts';
import { definitionOf } from '../../carriers/http/presets.ts';
import type { UserCall } from '../call/context.ts';
import { fieldsOf } from './carrier-fields.ts';

type Stored = Awaited<ReturnType<typeof carriersWithPasswords>>[number];

export async function storedCarrier(call: UserCall, name: string): Promise<Stored | undefined> {
  return (await carriersWithPasswords(call.db, call.key)).find(one => one.name === name);
}

/** A form with all settings except secrets. */
export function storedForm(stored: Stored): Record<string, string> {
  const { ownDefinition } = stored;
  return { ...valuesOf(stored), ...(ownDefinition ? { definition: JSON.stringify(ownDefinition) } : {}) };
}

/** Stored secrets go only to the stored host: a form with another host must contain its own. */
export function keptSecrets(stored: Stored | undefined, given: Record<string, string>): Record<string, string> {
  if (!stored || !isSamePeer(stored, given)) return {};
  if (stored.kind === 'smpp') return { password: stored.password };
  const { callback: _, password = '', ...others } = stored.secrets;
  const named = Object.entries(others).map(([name, value]) => [`${secretPrefix}${name}`, value]);
  return { password, ...Object.fromEntries(named) };
}

export function isSamePeer(stored: Stored, given: Record<string, string>): boolean {
  if (stored.kind === 'http')
    return stored.definition !== null && addressOf(given) === (stored.baseUrl || stored.definition.url);
  return stored.host === given['host'] && String(stored.port) === given['port'];
}

/** The address of an HTTP carrier with this form; '' if it is unknown. */
function addressOf(given: Record<string, string>): string {
  if (given['url']) return given['url'];
  if (given['preset']) return definitionOf(given['preset'], null)?.url ?? '';
  try {
    return String(JSON.parse(given['definition'] ?? '').url);
  } catch {
    return '';
  }
}

/** Every setting of a carrier as text, by its flag. */
export function valuesOf(carrier: Carrier): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name } of fieldsOf(carrier.kind)) values[name] = settingText(carrier[propertyOf(name) as keyof Carrier]);
  return values;
}

function settingText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(',');
  return value === null || value === undefined ? '' : String(value);
}

/** A carrier that is not stored. `given`: settings by their flags, in clear text, with the description and secrets. */
export function carrierOf(given: Record<string, string>, password: string): CarrierWithPassword {
  const own = given['definition'] ? JSON.parse(given['definition']) : null;
  const secrets = Object.entries(given).filter(([flag]) => flag.startsWith(secretPrefix));
  const carrier: Record<string, unknown> = {
    id: 0,
    name: simulatorName,
    changedAt: new Date(0),
    paused: false,
    password,
    secrets: {
      ...Object.fromEntries(secrets.map(([flag, value]) => [flag.slice(secretPrefix.length), value])),
      password,
    },
    callbackUrl: '',
    definition: definitionOf(given['preset'] || null, given['preset'] ? null : own),
  };
  for (const { name, initial } of fieldsOf(given['kind'] === 'http' ? 'http' : 'smpp'))
    carrier[propertyOf(name)] = readSetting(name, given[name] ?? initial);
  return carrier as CarrierWithPassword;
}
