// SMPP users: add, change, disable, rotate, remove, list with binds and pending receipts, close a bind. The system_id is always
// generated: it is unique over all accounts, and a chosen one would reveal which names exist. A password is shown when it is
// created, never again.
import { lockBoundedLists, type Queryable, transaction } from '../../db/db.ts';
import { kickSmppBinds, listSmppBinds, smppBacklogs } from '../../smpp-server/binds.ts';
import {
  changeSmppUser,
  createSmppUser,
  keepHoursMax,
  listSmppUsers,
  removeSmppUser,
  requireSmppUser,
  rotateSmppPassword,
  SmppFault,
  type SmppProblem,
  type SmppSettings,
  smppLimits,
  smppUsersMax,
} from '../../smpp-server/users.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { Handlers } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { type Extra, type PanelCode, PanelRefusal } from '../words/errors.ts';
import type { SmppUserLine } from './contract.ts';

const usualKeepHours = 24;

export const smppHandlers = {
  async 'smpp.list'({ db, account, baseUrl, options }) {
    const binds = await listSmppBinds(db, account.id);
    return {
      users: await showSmppUsers(db, account.id),
      max: smppUsersMax,
      limits: smppLimits,
      liveBinds: binds.map(one => ({ ...one, boundAt: iso(one.boundAt), lastErrorAt: iso(one.lastErrorAt) })),
      server: { host: new URL(baseUrl).hostname, ...options.smpp },
    };
  },

  async 'smpp.add'(call) {
    const wanted = given(call.input);
    const login = await withRefusal(createSmppUser(call.db, call.key, call.account.id, wanted));
    await auditEntry(call, 'smpp.add', { systemId: login.systemId, ...inWords(wanted) });
    return login;
  },

  async 'smpp.save'(call) {
    const { systemId, ...input } = call.input;
    const change = given(input);
    const changed = await withRefusal(
      transaction(call.db, async tx => {
        // Serialised, so that concurrent changes do not undo each other.
        await lockBoundedLists(tx, call.account.id);
        const before = await requireSmppUser(tx, call.account.id, systemId);
        await changeSmppUser(tx, call.account.id, systemId, change);
        return differences(before, await requireSmppUser(tx, call.account.id, systemId));
      }),
    );
    if (Object.keys(changed).length > 0) await auditEntry(call, 'smpp.change', { systemId, ...inWords(changed) });
    return {};
  },

  async 'smpp.rotate'(call) {
    const { systemId, keepHours = usualKeepHours } = call.input;
    if (keepHours > keepHoursMax) throw bad('keepHours');
    const login = await withRefusal(rotateSmppPassword(call.db, call.key, call.account.id, systemId, keepHours));
    await auditEntry(call, 'smpp.rotate', { systemId, keepHours });
    return login;
  },

  async 'smpp.remove'(call) {
    const { systemId } = call.input;
    await withRefusal(removeSmppUser(call.db, call.account.id, systemId));
    await auditEntry(call, 'smpp.remove', { systemId });
    return {};
  },

  async 'smpp.kick'(call) {
    const { systemId, bindId = null } = call.input;
    await withRefusal(requireSmppUser(call.db, call.account.id, systemId));
    const kicked = await kickSmppBinds(call.db, call.account.id, systemId, bindId);
    if (kicked > 0) await auditEntry(call, 'smpp.kick', { systemId });
    return { kicked };
  },
} satisfies Partial<Handlers>;

/** In order of creation, with binds and pending receipts. */
export async function showSmppUsers(db: Queryable, accountId: number): Promise<SmppUserLine[]> {
  const [users, binds, pending] = [
    await listSmppUsers(db, accountId),
    await listSmppBinds(db, accountId),
    await smppBacklogs(db, accountId),
  ];
  return users.map(({ id: _, accountId: __, ...user }) => {
    const backlog = pending.find(one => one.systemId === user.systemId);
    return {
      ...user,
      createdAt: iso(user.createdAt),
      oldUntil: iso(user.oldUntil),
      lastBindAt: iso(user.lastBindAt),
      lastErrorAt: iso(user.lastErrorAt),
      bound: binds.filter(one => one.systemId === user.systemId).length,
      waiting: backlog?.waiting ?? 0,
      waitingMore: backlog?.more ?? false,
      oldestAt: iso(backlog?.oldestAt ?? null),
    };
  });
}

type Change = Partial<SmppSettings>;

function given(input: { [Name in keyof SmppSettings]?: SmppSettings[Name] | undefined }): Change {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const change: Change = Object.fromEntries(entries);
  return change.name === undefined ? change : { ...change, name: change.name.trim() };
}

// The names of `peyk smpp set`, for the audit log.
const words: { [Name in keyof SmppSettings]: [word: string, say: (value: SmppSettings[Name]) => unknown] } = {
  name: ['name', value => value],
  addresses: ['addresses', value => value.join(', ')],
  enabled: ['state', value => (value ? 'on' : 'off')],
  binds: ['binds', value => value],
  window: ['window', value => value],
  receiptWindow: ['receipt-window', value => value],
  rate: ['rate', value => value ?? 'none'],
  consentList: ['iys', value => value ?? 'none'],
  duplicates: ['duplicates', value => value],
  inbound: ['inbound', value => value],
};
const settingNames = Object.keys(words) as (keyof SmppSettings)[];

function differences(before: SmppSettings, after: SmppSettings): Change {
  const changed = settingNames.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map(name => [name, after[name]]));
}

function inWords(change: Change): Record<string, unknown> {
  return Object.fromEntries(
    settingNames
      .filter(name => change[name] !== undefined)
      .map(name => {
        const [word, say] = words[name] as [string, (value: unknown) => unknown];
        return [word, say(change[name])];
      }),
  );
}

const refusals: Record<SmppProblem, (given: string) => [PanelCode, Extra?]> = {
  'no-such-user': () => ['not-found', { field: 'systemId' }],
  'too-many-users': () => ['smpp-users-full'],
  'system-id-taken': () => ['bad-input', { field: 'systemId' }],
  'bad-system-id': () => ['bad-input', { field: 'systemId' }],
  'bad-name': () => ['bad-input', { field: 'name' }],
  'bad-number': figure => ['bad-input', { field: figure }],
  'too-many-addresses': () => ['smpp-addresses-full', { field: 'addresses' }],
  'bad-address': address => [
    'bad-address',
    {
      field: 'addresses',
      tr: `“${address}” bir IP adresi ya da ağ (192.0.2.0/28) değil.`,
      en: `“${address}” is neither an IP address nor a network (192.0.2.0/28).`,
    },
  ],
};

async function withRefusal<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch(error => {
    if (!(error instanceof SmppFault)) throw error;
    throw new PanelRefusal(...refusals[error.problem](error.given));
  });
}
