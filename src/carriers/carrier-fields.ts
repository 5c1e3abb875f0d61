// How each setting of a carrier is asked for in a form: the control, its bounds, what it is when nothing is said. The settings
// themselves are in carriers.ts; carrier-fields.test.ts holds the two and the table's own defaults together.
import { carrierSettings } from './carriers.ts';
import { httpFaults } from './http/http-columns.ts';
import { secretPrefix } from './http/placeholders.ts';
import { presets } from './http/presets.ts';

/** A description of one's own is a text of many lines, with a place of its own in the form. */
export type SettingName = Exclude<keyof typeof carrierSettings, 'definition'>;
export type CarrierKind = 'smpp' | 'http';
export type Control =
  | { kind: 'number'; min: number; max: number; mayBeEmpty?: boolean }
  | { kind: 'switch' }
  | { kind: 'choice'; options: string[] }
  | { kind: 'text'; max: number };
export type CarrierField = {
  name: SettingName;
  of: CarrierKind | 'both';
  control: Control;
  initial: string;
  isNeeded: boolean;
};

const number = (min: number, max: number): Control => ({ kind: 'number', min, max });
const choice = (...options: string[]): Control => ({ kind: 'choice', options });
const text = (max: number): Control => ({ kind: 'text', max });
const ids = choice('text', 'decimal', 'hex');

// biome-ignore format: a table
const controls: Record<SettingName, [control: Control, initial: string]> = {
  kind: [choice('smpp', 'http'), 'smpp'],
  preset: [choice('', ...Object.keys(presets)), ''],
  url: [text(500), ''],
  user: [text(200), ''],
  private: [{ kind: 'switch' }, 'off'],
  host: [text(253), ''],
  port: [number(1, 65_535), '2775'],
  tls: [{ kind: 'switch' }, 'off'],
  'tls-verify': [{ kind: 'switch' }, 'on'],
  'system-id': [text(15), ''],
  'system-type': [text(12), ''],
  bind: [choice('transceiver', 'transmitter', 'separate'), 'transceiver'],
  binds: [number(1, 32), '1'],
  window: [number(1, 1_000), '100'],
  rate: [{ kind: 'number', min: 1, max: 1_000_000, mayBeEmpty: true }, ''],
  'source-ton': [number(0, 6), '5'],
  'source-npi': [number(0, 18), '0'],
  'destination-ton': [number(0, 6), '1'],
  'destination-npi': [number(0, 18), '1'],
  'answer-id': [ids, 'text'],
  'receipt-id': [ids, 'text'],
  'data-coding': [number(0, 255), '0'],
  long: [choice('udh', 'sar'), 'udh'],
  validity: [number(60, 604_800), '86400'],
  prefixes: [text(500), ''],
  priority: [number(0, 1_000), '10'],
  unsure: [choice('lane', 'resend', 'fail'), 'lane'],
};

const needed = new Set<SettingName>(['host', 'port', 'system-id']);

export const carrierFields: CarrierField[] = (Object.keys(controls) as SettingName[]).map(name => ({
  name,
  of: carrierSettings[name].of,
  control: controls[name][0],
  initial: controls[name][1],
  isNeeded: needed.has(name),
}));

/** `control` null: the name of the carrier, its password, or a setting that does not exist. `words`: where there are better ones. */
export type CarrierFault = {
  field: string;
  control: Control | null;
  isMissing: boolean;
  words?: { tr: string; en: string };
};

/** Everything that is wrong with what was given, at once. A new carrier must say more than a changed one. */
export async function carrierFaults(
  name: string,
  given: Record<string, string>,
  isNew: boolean,
  kind: CarrierKind = given['kind'] === 'http' ? 'http' : 'smpp',
): Promise<CarrierFault[]> {
  const fields = fieldsOf(kind);
  const faults: CarrierFault[] = [];
  if (!/^[A-Za-z0-9._-]{1,40}$/.test(name)) faults.push({ field: 'name', control: null, isMissing: name === '' });
  for (const { name: field, control, isNeeded } of fields) {
    const value = given[field];
    const isMissing = isNeeded && (value === undefined ? isNew : value === '');
    if (isMissing) faults.push({ field, control, isMissing });
    else if (value !== undefined && !reads(field, value)) faults.push({ field, control, isMissing: false });
  }
  faults.push(...(kind === 'http' ? await httpFaults(given, isNew) : passwordFaults(given['password'], isNew)));
  const known = new Set<string>([...fields.map(field => field.name), 'password']);
  const isOfHttp = (field: string) => kind === 'http' && (field === 'definition' || field.startsWith(secretPrefix));
  const unknown = Object.keys(given).filter(field => !known.has(field) && !isOfHttp(field));
  return [...faults, ...unknown.map(field => ({ field, control: null, isMissing: false }))];
}

export function fieldsOf(kind: CarrierKind): CarrierField[] {
  return carrierFields.filter(field => field.of === 'both' || field.of === kind);
}

function passwordFaults(password: string | undefined, isNew: boolean): CarrierFault[] {
  const faults: CarrierFault[] = [];
  if (isNew && !password) faults.push({ field: 'password', control: null, isMissing: true });
  if ((password ?? '').length > 64 || /[^\x20-\x7e]/.test(password ?? ''))
    faults.push({ field: 'password', control: null, isMissing: false });
  return faults;
}

function reads(name: SettingName, value: string): boolean {
  try {
    carrierSettings[name].read(value);
    return true;
  } catch {
    return false;
  }
}
