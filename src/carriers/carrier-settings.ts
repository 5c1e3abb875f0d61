// The settings of a carrier by the name of their flag, one row each: kind of carrier, column, allowed values (for the form and for
// reading them), default and help. A test compares the defaults of the columns with it.
import { presets } from './http/presets.ts';

export type CarrierKind = 'smpp' | 'http';
export type Control =
  | { kind: 'number'; min: number; max: number; mayBeEmpty?: boolean }
  | { kind: 'switch' }
  | { kind: 'choice'; options: string[] }
  | { kind: 'text'; max: number };
type Setting = {
  of: CarrierKind | 'both';
  column: string;
  /** Member of a Carrier, if it is not the column's name in camel case. */
  property?: string;
  control: Control;
  initial: string;
  help: string;
  /** Reads the value where the control is not enough. */
  read?(given: string): unknown;
};

const number = (min: number, max: number): Control => ({ kind: 'number', min, max });
const choice = (...options: string[]): Control => ({ kind: 'choice', options });
const text = (max: number): Control => ({ kind: 'text', max });
const onOff: Control = { kind: 'switch' };
export const passwordControl = text(64);
const ids = choice('text', 'decimal', 'hex');

// biome-ignore format: a table
export const carrierSettings = {
  kind: { of: 'both', column: 'kind', control: choice('smpp', 'http'), initial: 'smpp', help: 'smpp|http; default smpp' },
  preset: { of: 'http', column: 'preset', control: choice('', ...Object.keys(presets)), initial: '', help: 'description of an HTTP carrier that comes with the program: peyk carrier presets' },
  url: { of: 'http', column: 'base_url', control: text(500), initial: '', help: 'address of an HTTP carrier; default that of its description' },
  user: { of: 'http', column: 'api_user', control: text(200), initial: '', help: 'user name, key or account at an HTTP carrier' },
  private: { of: 'http', column: 'private', property: 'isPrivate', control: onOff, initial: 'off', help: 'on|off: an HTTP carrier at a private address or over plain http; default off' },
  definition: { of: 'http', column: 'definition', property: 'ownDefinition', control: text(50_000), initial: '', help: 'file with a description of your own (JSON, docs/http-carriers.md)', read: manyLines },
  host: { of: 'smpp', column: 'host', control: text(253), initial: '', help: 'name or address of its SMSC', read: hostName },
  port: { of: 'smpp', column: 'port', control: number(1, 65_535), initial: '2775', help: '1 to 65535' },
  tls: { of: 'smpp', column: 'tls', control: onOff, initial: 'off', help: 'on|off; default off' },
  'tls-verify': { of: 'both', column: 'tls_verify', control: onOff, initial: 'on', help: 'on|off: check its certificate; default on' },
  'system-id': { of: 'smpp', column: 'system_id', control: text(15), initial: '', help: 'user name of the bind, at most 15 characters' },
  'system-type': { of: 'smpp', column: 'system_type', control: text(12), initial: '', help: 'as the carrier wants it; default empty' },
  bind: { of: 'smpp', column: 'bind_type', control: choice('transceiver', 'transmitter', 'separate'), initial: 'transceiver', help: 'transceiver|transmitter|separate; default transceiver' },
  binds: { of: 'both', column: 'binds', control: number(1, 32), initial: '1', help: 'connections at once, 1 to 32; default 1' },
  window: { of: 'both', column: 'window_size', control: number(1, 1_000), initial: '100', help: 'submits without an answer per bind, 1 to 1000; default 100' },
  rate: { of: 'both', column: 'rate', control: { kind: 'number', min: 1, max: 1_000_000, mayBeEmpty: true }, initial: '', help: 'SMS per second over all binds, 1 to 1000000; empty = no limit, the default' },
  'source-ton': { of: 'smpp', column: 'source_ton', control: number(0, 6), initial: '5', help: '0 to 6; default 5' },
  'source-npi': { of: 'smpp', column: 'source_npi', control: number(0, 18), initial: '0', help: '0 to 18; default 0' },
  'destination-ton': { of: 'smpp', column: 'destination_ton', control: number(0, 6), initial: '1', help: '0 to 6; default 1' },
  'destination-npi': { of: 'smpp', column: 'destination_npi', control: number(0, 18), initial: '1', help: '0 to 18; default 1' },
  'answer-id': { of: 'smpp', column: 'answer_id_format', control: ids, initial: 'text', help: 'text|decimal|hex: form of message ids in answers; default text' },
  'receipt-id': { of: 'smpp', column: 'receipt_id_format', control: ids, initial: 'text', help: 'text|decimal|hex: form of message ids in receipts; default text' },
  'data-coding': { of: 'smpp', column: 'data_coding', control: number(0, 255), initial: '0', help: 'of the default alphabet, 0 to 255; default 0' },
  long: { of: 'smpp', column: 'long_messages', control: choice('udh', 'sar'), initial: 'udh', help: 'udh|sar: how parts are joined; default udh' },
  validity: { of: 'both', column: 'validity_seconds', control: number(60, 604_800), initial: '86400', help: 'seconds, 60 to 604800; default 86400' },
  prefixes: { of: 'both', column: 'prefixes', control: text(500), initial: '', help: 'beginnings of the numbers it serves (9053,9054); empty = all, the default; 0 = none, while receipts still come', read: prefixList },
  priority: { of: 'both', column: 'priority', control: number(0, 1_000), initial: '10', help: '0 to 1000, the least is used first; default 10' },
  unsure: { of: 'both', column: 'unsure', control: choice('lane', 'resend', 'fail'), initial: 'lane', help: 'lane|resend|fail: submits whose answer was lost; default lane' },
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof carrierSettings;
export const settingNames = Object.keys(carrierSettings) as SettingName[];

export function settingOf(name: SettingName): Setting {
  return carrierSettings[name];
}

/** Settings of the kind, in the order of the table. */
export function settingsOf(kind: CarrierKind): SettingName[] {
  return settingNames.filter(name => carrierSettings[name].of === 'both' || carrierSettings[name].of === kind);
}

/** The property of a Carrier that holds the setting. */
export function propertyOf(name: SettingName): string {
  const { property, column } = settingOf(name);
  return property ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The given value as it is stored; throws an Error that names the allowed values. */
export function readSetting(name: SettingName, given: string): unknown {
  const { control, read } = settingOf(name);
  return read ? read(given) : readControl(control, given);
}

export function readControl(control: Control, given: string): unknown {
  switch (control.kind) {
    case 'number': {
      if (given === '' && control.mayBeEmpty) return null;
      const value = /^\d{1,9}$/.test(given) ? Number(given) : -1;
      if (value >= control.min && value <= control.max) return value;
      throw new Error(`"${given}" is not a whole number from ${control.min} to ${control.max}`);
    }
    case 'switch':
      if (given === 'on' || given === 'off') return given === 'on';
      throw new Error(`"${given}" is not on or off`);
    case 'choice':
      if (control.options.includes(given)) return given;
      throw new Error(`"${given}" is not one of ${control.options.filter(Boolean).join(', ')}`);
    case 'text':
      if (given.length <= control.max && !/[^\x20-\x7e]/.test(given)) return given;
      throw new Error(`at most ${control.max} printable ASCII characters`);
  }
}

/** Whether a reader accepts what it is given. */
export function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function manyLines(given: string): string {
  if (given.length <= 50_000 && !/[^\P{Cc}\n\r\t]/u.test(given)) return given;
  throw new Error('at most 50000 characters without control characters');
}

function hostName(given: string): string {
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(given)) throw new Error('not a host name or address');
  return given;
}

function prefixList(given: string): string[] {
  const list = given
    .split(',')
    .map(one => one.trim())
    .filter(Boolean);
  if (list.some(one => !/^\d{1,15}$/.test(one))) throw new Error('prefixes are digits, separated by commas');
  return list;
}
