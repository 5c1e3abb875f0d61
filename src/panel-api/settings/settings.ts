// Settings → Security, Sending, API access. The hash is in the answer of a rotation and never again.

import { findAccount } from '../../accounts/account.ts';
import { addressAllowed, canonicalAddress } from '../../accounts/address.ts';
import { listUsage } from '../../accounts/api-usage.ts';
import { lowBalanceSettings } from '../../accounts/low-balance.ts';
import { findOldLogin, type OldLogin, readOldLogin, setOldLogin } from '../../accounts/old-login.ts';
import { BadSetting, changeSettings, settingsBefore } from '../../accounts/settings.ts';
import { countAttempt } from '../../people/attempts.ts';
import { legalOptOutWords, withLegalWords } from '../../text/keywords.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import { homeDb } from '../call/cells.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { type PanelCode, PanelRefusal } from '../words/errors.ts';
import type { Settings } from './contract.ts';
import { judgeCredentials } from './credential-tester.ts';
import { showKeys } from './keys.ts';
import { panelSettings, refusedAddresses } from './settings-read.ts';

// A person pastes one at a time; a guessing program would continue.
const testsPerMinuteMax = 20;
const recentDays = 7;
const recentMax = 50;
const dayMs = 86_400_000;

export const settingsHandlers = {
  'settings.read': readSettings,

  'settings.setApi': call => change(call, { api: call.input.enabled ? 'on' : 'off' }, 'bad-setting'),

  async 'settings.setOldLogin'(call) {
    const wanted = call.input.enabled ? (call.input.username ?? 'on') : 'off';
    const login = await oldLogin(call, wanted);
    await auditEntry(call, 'settings.change', { 'old-login': login?.username ?? 'off' });
    return { login };
  },

  async 'settings.testCredentials'(call) {
    const pauseMs = await countAttempt(homeDb(call), [
      { name: `tester ${call.account.id}`, most: testsPerMinuteMax, windowMs: 60_000 },
    ]);
    if (pauseMs > 0) throw new PanelRefusal('slow-down', { retryAfterMs: pauseMs });
    return judgeCredentials(call.db, call.account, { ...call.input, address: call.visitor.address });
  },

  async 'settings.setAddresses'(call) {
    const { list } = call.input;
    const addresses = call.input.addresses.map(one => {
      const canonical = canonicalAddress(one);
      if (!canonical) throw new PanelRefusal('bad-address', { field: 'addresses' });
      return canonical;
    });
    const unique = [...new Set(addresses)];
    if (list === 'panel' && !addressAllowed(unique, call.visitor.address))
      throw new PanelRefusal('would-lock-out', { field: 'addresses' });
    const name = list === 'panel' ? 'panel-ips' : 'ips';
    return change(call, { [name]: unique.join(',') }, 'bad-address');
  },

  async 'settings.setSending'(call) {
    const given: Record<string, string> = {};
    const { mode, abroad, optOutKeywords } = call.input;
    if (mode) given['mode'] = mode;
    if (abroad !== undefined) given['abroad'] = abroad ? 'on' : 'off';
    if (optOutKeywords !== undefined) given['opt-out'] = optOutKeywords.join(',');
    return change(call, given, 'bad-keyword');
  },

  async 'settings.setLowBalance'(call) {
    const { threshold } = call.input;
    const given = { 'low-balance': threshold === null ? 'off' : String(threshold) };
    return change(call, { ...given, 'low-balance-sms': call.input.sms ? 'on' : 'off' }, 'bad-setting');
  },

  'settings.setName': call => change(call, { name: call.input.name }, 'bad-name'),
} satisfies Partial<Handlers>;

async function change(call: AccountCall, given: Record<string, string>, otherwise: PanelCode): Promise<Settings> {
  const was = await settingsBefore(call.db, call.account.id, given);
  await changeSettings(call.db, call.account.id, given).catch(error => {
    throw error instanceof BadSetting ? new PanelRefusal(otherwise) : error;
  });
  await auditEntry(call, 'settings.change', { ...given, was });
  return readSettings({ ...call, account: (await findAccount(call.db, call.account.id))! });
}

async function oldLogin(call: AccountCall, wanted: string): Promise<OldLogin | null> {
  try {
    return await setOldLogin(call.db, call.account.id, readOldLogin(wanted));
  } catch (error) {
    throw error instanceof BadSetting ? new PanelRefusal('bad-username', { field: 'username' }) : error;
  }
}

async function readSettings(call: AccountCall): Promise<Settings> {
  const { account, db } = call;
  const { panelIps, optOutKeywords } = await panelSettings(db, account.id);
  const since = new Date(call.now.getTime() - recentDays * dayMs);
  const usage = await listUsage(db, account.id, since);
  const refused = await refusedAddresses(db, account.id, since);
  const login = await findOldLogin(db, account.id);
  return {
    accountId: account.id,
    name: account.name,
    apiEnabled: account.apiEnabled,
    mode: account.mode,
    abroad: account.abroad,
    rate: account.rate,
    optOutKeywords: withLegalWords(optOutKeywords),
    legalKeywords: [...legalOptOutWords],
    apiAddresses: account.apiIps,
    panelAddresses: panelIps,
    address: call.visitor.address,
    recentAddresses: recentAddresses(account.apiIps, usage, refused),
    ...(await showKeys(call, refused)),
    oldLogin: call.role === 'viewer' || !login ? null : { username: login.username, since: iso(login.createdAt) },
    retentionDays: call.options.retentionDays,
    ...(await lowBalanceSettings(db, account.id)),
  };
}

type Usage = Awaited<ReturnType<typeof listUsage>>;
type Refused = Awaited<ReturnType<typeof refusedAddresses>>;

function recentAddresses(list: string[], usage: Usage, refused: Refused): Settings['recentAddresses'] {
  const found = new Map<string, { calls: number; refused: number; lastAt: Date }>();
  const add = (address: string, calls: number, refusals: number, lastAt: Date) => {
    const known = found.get(address) ?? { calls: 0, refused: 0, lastAt };
    found.set(address, {
      calls: known.calls + calls,
      refused: known.refused + refusals,
      lastAt: lastAt > known.lastAt ? lastAt : known.lastAt,
    });
  };
  for (const one of usage) add(one.address, one.accepted, 0, one.lastAt);
  for (const one of refused) add(one.address, 0, one.count, one.lastAt);
  return [...found]
    .sort(([, a], [, b]) => b.lastAt.getTime() - a.lastAt.getTime())
    .slice(0, recentMax)
    .map(([address, one]) => ({ address, ...one, lastAt: iso(one.lastAt), isListed: addressAllowed(list, address) }));
}
