// The form of a carrier: its fields, and everything that is wrong with its values.
import {
  type CarrierKind,
  type Control,
  isRead,
  passwordControl,
  readControl,
  readSetting,
  type SettingName,
  settingNames,
  settingOf,
} from './carrier-settings.ts';
import { httpFaults } from './http/http-columns.ts';
import { secretPrefix } from './http/placeholders.ts';

/** The description is a text of many lines, with a place of its own in the form. */
type FieldName = Exclude<SettingName, 'definition'>;
type CarrierField = {
  name: FieldName;
  of: CarrierKind | 'both';
  control: Control;
  initial: string;
  isNeeded: boolean;
};

const needed = new Set<SettingName>(['host', 'port', 'system-id']);

export const carrierFields: CarrierField[] = settingNames
  .filter(name => name !== 'definition')
  .map(name => {
    const { of, control, initial } = settingOf(name);
    return { name, of, control, initial, isNeeded: needed.has(name) };
  });

/** `control` is null for the name of the carrier, its password and unknown settings. `words` replace the usual sentence. */
export type CarrierFault = {
  field: string;
  control: Control | null;
  isMissing: boolean;
  words?: { tr: string; en: string };
};

/** All faults of the given values at once. A new carrier has required fields; a changed one keeps what is not given. */
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
    else if (value !== undefined && !isRead(() => readSetting(field, value)))
      faults.push({ field, control, isMissing: false });
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
  if (!password) return isNew ? [{ field: 'password', control: null, isMissing: true }] : [];
  const isGood = isRead(() => readControl(passwordControl, password));
  return isGood ? [] : [{ field: 'password', control: null, isMissing: false }];
}
