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
} from '../../carriers/carrier-settings.ts';
import { readDefinition } from '../../carriers/http/check-definition.ts';
import { faultWords } from '../../carriers/http/definition-words.ts';
import { missingOf, requireUrl } from '../../carriers/http/http-columns.ts';
import { secretPrefix } from '../../carriers/http/placeholders.ts';
import { definitionOf } from '../../carriers/http/presets.ts';

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

/** What is wrong with the form of a carrier over HTTP, field by field; of a description, member by member. */
async function httpFaults(given: Record<string, string>, isNew: boolean): Promise<CarrierFault[]> {
  const fault = (field: string, isMissing: boolean): CarrierFault => ({ field, control: null, isMissing });
  const faults: CarrierFault[] = [];
  let definition = definitionOf(given['preset'] ?? null, null);
  if (given['definition'] && !given['preset']) {
    const read = readDefinition(given['definition']);
    if ('faults' in read)
      return read.faults.map(one => ({ ...fault(`definition.${one.at}`, false), words: faultWords(one) }));
    definition = read.definition;
  }
  if (given['preset'] ? !definition : isNew && !definition) faults.push(fault('preset', !given['preset']));
  const url = given['url'] || (isNew ? definition?.url : '');
  if (url && !isRead(() => requireUrl(url, given['private'] === 'on'))) faults.push(fault('url', false));
  if (!isNew || !definition) return faults;
  return [...faults, ...missingOf(definition, given).map(field => fault(field, true))];
}
