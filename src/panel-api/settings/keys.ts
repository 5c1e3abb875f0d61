// API access: several named keys. Hash and secret are in the answer that creates them and never again.
import {
  type ApiKey,
  createKey,
  deleteKey,
  endKey,
  KeyFault,
  keysMax,
  limitKey,
  listKeys,
  renameKey,
  rotateKey,
} from '../../accounts/api-keys.ts';
import { rotateCredentials, startOfKey } from '../../accounts/credentials.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { ApiKeyLine, Settings } from './contract.ts';
import type { Refused } from './settings-read.ts';

export const keyHandlers = {
  async 'settings.createKey'(call) {
    const { name } = call.input;
    const fresh = await withRefusal(createKey(call.db, call.account.id, name));
    await auditEntry(call, 'credentials.create', { name, key: startOfKey(fresh.key) });
    return fresh;
  },

  async 'settings.rotateKey'(call) {
    const { db, account } = call;
    const { key, keepHours = 0 } = call.input;
    const reason = `rotated by ${call.session.email}`;
    const fresh = key
      ? await withRefusal(rotateKey(db, account.id, key, keepHours, reason))
      : await rotateCredentials(db, account.id, reason);
    await auditEntry(call, 'credentials.rotate', key ? { key: startOfKey(key), keepHours } : {});
    return fresh;
  },

  async 'settings.renameKey'(call) {
    const { key, name } = call.input;
    await withRefusal(renameKey(call.db, call.account.id, key, name));
    await auditEntry(call, 'credentials.rename', { key: startOfKey(key), name });
    return {};
  },

  async 'settings.limitKey'(call) {
    const { key, scopes, recipientsMax, dailyMax } = call.input;
    const limits = { scopes: scopes && [...new Set(scopes)], recipientsMax, dailyMax };
    await withRefusal(limitKey(call.db, call.account.id, key, limits));
    await auditEntry(call, 'credentials.limit', { key: startOfKey(key), ...limits });
    return {};
  },

  async 'settings.endKey'(call) {
    const { key } = call.input;
    await withRefusal(endKey(call.db, call.account.id, key, `disabled by ${call.session.email}`));
    await auditEntry(call, 'credentials.disable', { key: startOfKey(key) });
    return {};
  },

  async 'settings.deleteKey'(call) {
    const { key } = call.input;
    await withRefusal(deleteKey(call.db, call.account.id, key));
    await auditEntry(call, 'credentials.delete', { key: startOfKey(key) });
    return {};
  },
} satisfies Partial<Handlers>;

/** The keys as settings.read returns them. */
export async function showKeys(
  call: AccountCall,
  refused: Refused[],
): Promise<Pick<Settings, 'key' | 'keys' | 'keysMax' | 'oldKeys'>> {
  const all = await listKeys(call.db, call.account.id);
  const sees = call.role !== 'viewer';
  const keys = sees ? all.filter(one => !one.ended).map(showKey) : [];
  const refusedCalls = (key: string) =>
    refused
      .filter(one => one.cause === 'disabled-key' && one.keyStart === startOfKey(key))
      .reduce((sum, one) => sum + one.count, 0);
  const oldKeys = all.flatMap(({ key, name, disabledAt, ended, reason }) =>
    ended && disabledAt
      ? [
          {
            key: sees ? key : null,
            keyStart: startOfKey(key),
            name,
            disabledAt: iso(disabledAt),
            reason,
            refusedCalls: refusedCalls(key),
          },
        ]
      : [],
  );
  return { key: keys[0] ?? null, keys, keysMax, oldKeys };
}

function showKey(one: ApiKey): ApiKeyLine {
  const { key, name, createdAt, disabledAt, lastAt, address, operation, scopes, recipientsMax, dailyMax } = one;
  const lastUse = lastAt && address && operation ? { at: iso(lastAt), address, operation } : null;
  return { key, name, createdAt: iso(createdAt), endsAt: iso(disabledAt), scopes, recipientsMax, dailyMax, lastUse };
}

async function withRefusal<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch(error => {
    if (!(error instanceof KeyFault)) throw error;
    if (error.problem === 'no-such-key') throw new PanelRefusal('not-found', { field: 'key' });
    throw new PanelRefusal(error.problem, { field: 'key' });
  });
}
