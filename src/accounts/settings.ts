// Settings of an account that operators change: name, reader, column. All values of a call are read before any is written, so
// that a bad value changes nothing.
import { type Db, type Queryable, transaction } from '../db/db.ts';
import { limits } from '../limits.ts';
import { foldKeyword, legalOptOutWords, withLegalWords } from '../text/keywords.ts';
import { canonicalAddress } from './address.ts';
import { recordNotice } from './notices.ts';

const optOutWordsMax = 20;

/** `values`: the accepted values, for people. */
type AccountSetting = { column: string; read(text: string): unknown; values: string };

export const accountSettings = {
  name: { column: 'name', read: accountName, values: 'TEXT' },
  api: { column: 'api_enabled', read: onOff, values: 'on|off' },
  mode: { column: 'mode', read: oneOf('english', 'turkish', 'unicode'), values: 'english|turkish|unicode' },
  abroad: { column: 'abroad', read: onOff, values: 'on|off' },
  rate: { column: 'rate', read: rate, values: 'N' },
  ips: { column: 'api_ips', read: addresses, values: 'a,b' },
  'panel-ips': { column: 'panel_ips', read: addresses, values: 'a,b' },
  'opt-out': { column: 'opt_out_keywords', read: optOutWords, values: 'WORD,WORD' },
  'low-balance': { column: 'low_balance', read: lowBalance, values: 'off|N' },
  'low-balance-sms': { column: 'low_balance_sms', read: onOff, values: 'on|off' },
  status: { column: 'status', read: oneOf('active', 'suspended'), values: 'active|suspended' },
} satisfies Record<string, AccountSetting>;

const shownSql = `select ${Object.entries(accountSettings)
  .map(([name, one]) => `${one.column} as "${name}"`)
  .join(', ')} from accounts where id = $1`;

/**
 * Returns every setting under the name that changes it: on or off, numbers, words and lists; undefined if there is no such
 * account.
 */
export async function readSettings(
  db: Queryable,
  accountId: number,
): Promise<Record<keyof typeof accountSettings, unknown> | undefined> {
  const found = (await db.query({ name: 'account settings', text: shownSql, values: [accountId] })).rows[0];
  return found && Object.fromEntries(Object.entries(found).map(([name, value]) => [name, settingValue(value)]));
}

function settingValue(value: unknown): unknown {
  if (value === null) return 'off';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : value;
}

/** Returns the present values of the changed settings, for the audit log. */
export async function settingsBefore(
  db: Queryable,
  accountId: number,
  given: Record<string, string>,
): Promise<Record<string, unknown>> {
  const before = (await readSettings(db, accountId)) ?? {};
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => name in given && String(value) !== given[name]),
  );
}

export class BadSetting extends Error {}

/** Settings that other folders own (the notification address): read with the rest, written in the same transaction. */
export type ForeignSettings = Record<
  string,
  { read(text: string): unknown; write(tx: Queryable, id: number, value: unknown): Promise<void> }
>;

export async function changeSettings(
  db: Db,
  accountId: number,
  given: Record<string, string>,
  foreign: ForeignSettings = {},
  reason?: string,
): Promise<void> {
  const own: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [name, text] of Object.entries(given)) {
    const setting = (accountSettings as Record<string, AccountSetting>)[name];
    if (setting && Object.hasOwn(accountSettings, name)) own.push([setting.column, setting.read(text)]);
    else if (foreign[name] && Object.hasOwn(foreign, name)) others.push([name, foreign[name].read(text)]);
    else throw new BadSetting(`unknown setting "${name}"; known: ${knownNames(foreign).join(', ')}`);
  }
  await transaction(db, async tx => {
    const before = await tx.query('select status from accounts where id = $1 for update', [accountId]);
    if (before.rowCount === 0) throw new BadSetting(`there is no account ${accountId}`);
    if (own.length) {
      // Column names come from the table above, never from the caller.
      const sets = own.map(([column], i) => `${column} = $${i + 2}`).join(', ');
      await tx.query(`update accounts set stamp = stamp + 1, ${sets} where id = $1`, [
        accountId,
        ...own.map(([, value]) => value),
      ]);
    }
    const status = given['status'] as 'active' | 'suspended' | undefined;
    if (status !== undefined && status !== before.rows[0].status)
      await recordNotice(tx, accountId, `account.${status}`, reason ? { reason } : {});
    for (const [name, value] of others) await foreign[name]!.write(tx, accountId, value);
  });
}

function knownNames(foreign: ForeignSettings): string[] {
  return [...Object.keys(accountSettings), ...Object.keys(foreign)];
}

export function onOff(text: string): boolean {
  if (text === 'on') return true;
  if (text === 'off') return false;
  throw new BadSetting(`"${text}" is not on or off`);
}

function oneOf(...allowed: string[]): (text: string) => string {
  return text => {
    if (!allowed.includes(text)) throw new BadSetting(`"${text}" is not one of ${allowed.join(', ')}`);
    return text;
  };
}

function rate(text: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > 1_000_000) throw new BadSetting(`rate "${text}" is not a whole number from 1 to 1000000`);
  return value;
}

/** Credit below which the account is notified; off means never. */
function lowBalance(text: string): number | null {
  if (text === 'off') return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new BadSetting(`"${text}" is not off or a whole number from 1 to 999999999`);
  return Number(text);
}

function accountName(text: string): string {
  if (text.trim() === '' || text.length > 200) throw new BadSetting('a name has 1 to 200 characters');
  return text;
}

/** Opt-out words besides the legal ones. They are stored together, because the previous release reads only this column. */
function optOutWords(text: string): string[] {
  const list = withLegalWords(text.split(',').map(foldKeyword).filter(Boolean));
  if (list.length > legalOptOutWords.length + optOutWordsMax)
    throw new BadSetting(`at most ${optOutWordsMax} keywords`);
  const wrong = list.find(one => !/^[A-Z0-9]{2,20}$/.test(one));
  if (wrong !== undefined) throw new BadSetting(`"${wrong}" is not one word of 2 to 20 letters and digits`);
  return list;
}

function addresses(text: string): string[] {
  const list = text
    .split(',')
    .map(one => one.trim())
    .filter(Boolean);
  if (list.length > limits.ipAddresses) throw new BadSetting(`at most ${limits.ipAddresses} addresses`);
  return list.map(one => {
    const canonical = canonicalAddress(one);
    if (!canonical) throw new BadSetting(`"${one}" is not an IP address`);
    return canonical;
  });
}
