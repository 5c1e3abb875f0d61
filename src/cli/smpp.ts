// Commands about SMPP users of an account and their binds. A user is given by its system_id.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import type { Db } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { kickSmppBinds, listSmppBinds, type SmppBind, smppBacklogs } from '../smpp-server/binds.ts';
import {
  addressesMax,
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
  type SmppUser,
  smppLimits,
  smppUsersMax,
} from '../smpp-server/users.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, need, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const usualKeepHours = 24;

function onOff(text: string, name: string): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageError(`${name} "${text}" is not on or off`);
  return text === 'on';
}

function limitOf(name: keyof typeof smppLimits, text: string): number {
  return wholeNumber(text, name, smppLimits[name].least, smppLimits[name].most);
}

const lists = { none: null, BIREYSEL: 'BIREYSEL', TACIR: 'TACIR' } as const;

/** Settings of `smpp set`: name → accepted values, and what they change. */
const settings: Record<string, { values: string; read(text: string): Partial<SmppSettings> }> = {
  name: { values: 'TEXT', read: name => ({ name }) },
  addresses: {
    values: 'a,b,192.0.2.0/28',
    read: text => ({ addresses: text.split(',').filter(one => one.trim() !== '') }),
  },
  state: { values: 'on|off', read: text => ({ enabled: onOff(text, 'state') }) },
  binds: { values: 'N', read: text => ({ binds: limitOf('binds', text) }) },
  window: { values: 'N', read: text => ({ window: limitOf('window', text) }) },
  'receipt-window': { values: 'N', read: text => ({ receiptWindow: limitOf('receiptWindow', text) }) },
  rate: { values: 'none|N', read: text => ({ rate: text === 'none' ? null : limitOf('rate', text) }) },
  iys: {
    values: Object.keys(lists).join('|'),
    read(text) {
      if (!Object.hasOwn(lists, text)) throw new UsageError(`iys "${text}" is not one of ${Object.keys(lists)}`);
      return { consentList: lists[text as keyof typeof lists] };
    },
  },
  duplicates: { values: 'on|off', read: text => ({ duplicates: onOff(text, 'duplicates') }) },
  inbound: { values: 'on|off', read: text => ({ inbound: onOff(text, 'inbound') }) },
};

export const smppCommands: Command[] = [
  {
    words: 'smpp list',
    args: ['ID'],
    help: 'SMPP users of an account: limits, addresses, binds, pending receipts; never their passwords',
    run: listUsers,
    show: (lines: Awaited<ReturnType<typeof listUsers>>) =>
      table(
        ['system_id', 'state', 'binds', 'waiting', 'rate', 'last bind', 'addresses', 'name'],
        lines.map(one => [
          ...[one.systemId, one.state, `${one.bound}/${one.binds}`, one.waiting, one.rate, one.lastBindAt],
          ...[one.addresses.join(',') || 'none: nobody may bind', one.name],
        ]),
      ),
    empty: 'no SMPP users; peyk smpp add ID --addresses LIST makes one',
  },
  {
    words: 'smpp add',
    args: ['ID'],
    flags: {
      name: 'what it is for, at most 60 characters',
      addresses: `addresses and networks that may bind, at most ${addressesMax}; without any, nobody may bind`,
      'system-id': 'at most 15 letters, digits, dots, dashes or underscores; default: generated',
    },
    help: `add an SMPP user, at most ${smppUsersMax} for an account; prints system_id and password (shown only now)`,
    async run({ db, args, flags, config }) {
      const { id } = await existingAccount(db, args[0]);
      const addresses = settings['addresses']!.read(flags.addresses ?? '');
      const newUser = { name: flags.name ?? '', ...addresses, systemId: flags['system-id'] };
      const login = await explained(createSmppUser(db, await secretKeyOfData(db, config), id, newUser));
      await record(db, id, 'smpp.add', { systemId: login.systemId });
      return login;
    },
  },
  {
    words: 'smpp set',
    args: ['ID', 'SYSTEM-ID', 'key=value'],
    openArgs: true,
    help: Object.entries(settings)
      .map(([name, { values }]) => `${name}=${values}`)
      .join(' '),
    run: setUser,
  },
  {
    words: 'smpp rotate',
    args: ['ID', 'SYSTEM-ID'],
    flags: { keep: `hours for which the old password still works, 0 to ${keepHoursMax}; default ${usualKeepHours}` },
    help: 'issue a new password (shown only now); existing binds continue',
    async run({ db, args, flags, config }) {
      const { id, user } = await existingUser(db, args);
      const keep = flags.keep === undefined ? usualKeepHours : wholeNumber(flags.keep, '--keep', 0, keepHoursMax);
      const key = await secretKeyOfData(db, config);
      const login = await rotateSmppPassword(db, key, id, user.systemId, keep);
      await record(db, id, 'smpp.rotate', { systemId: user.systemId, keepHours: keep });
      return login;
    },
  },
  {
    words: 'smpp remove',
    args: ['ID', 'SYSTEM-ID'],
    help: 'remove an SMPP user with its binds and pending receipts',
    async run({ db, args }) {
      const { id, user } = await existingUser(db, args);
      await removeSmppUser(db, id, user.systemId);
      await record(db, id, 'smpp.remove', { systemId: user.systemId });
      return { removed: user.systemId };
    },
  },
  {
    words: 'smpp binds',
    args: ['ID'],
    help: 'present binds of an account, over all nodes: address, rates, last error',
    async run({ db, args }) {
      return listSmppBinds(db, (await existingAccount(db, args[0])).id);
    },
    show: (lines: SmppBind[]) =>
      table(
        ['bind', 'system_id', 'kind', 'address', 'since', 'submits', 'in/s', 'receipts', 'out/s', 'last error'],
        lines.map(one => [
          ...[one.id, one.systemId, one.kind, `${one.address}${one.secure ? ' TLS' : ''}`, one.boundAt, one.submits],
          ...[one.submitsPerSecond, one.receipts, one.receiptsPerSecond, one.lastError],
        ]),
      ),
    empty: 'nobody is bound',
  },
  {
    words: 'smpp kick',
    args: ['ID', 'SYSTEM-ID', '[BIND]'],
    help: 'unbind one bind of a user, or all of them; it may bind again (smpp set … state=off keeps it out)',
    async run({ db, args }) {
      const { id, user } = await existingUser(db, args);
      const bind = args[2] === undefined ? null : wholeNumber(args[2], 'the bind', 1, Number.MAX_SAFE_INTEGER);
      const kicked = await kickSmppBinds(db, id, user.systemId, bind);
      await record(db, id, 'smpp.kick', { systemId: user.systemId });
      return { kicked };
    },
  },
];

async function listUsers({ db, args }: CommandContext) {
  const { id } = await existingAccount(db, args[0]);
  const [users, binds, pending] = [
    await listSmppUsers(db, id),
    await listSmppBinds(db, id),
    await smppBacklogs(db, id),
  ];
  return users.map(({ accountId: _, id: __, enabled, ...user }) => ({
    ...user,
    state: enabled ? 'on' : 'off',
    bound: binds.filter(one => one.systemId === user.systemId).length,
    waiting: pending.find(one => one.systemId === user.systemId)?.waiting ?? 0,
  }));
}

async function setUser({ db, args }: CommandContext): Promise<unknown> {
  const { id, user } = await existingUser(db, args);
  const pairs = args.slice(2);
  if (pairs.length === 0) throw new UsageError('give at least one key=value');
  let change: Partial<SmppSettings> = {};
  const given: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.*)$/s.exec(pair) ?? [];
    if (!Object.hasOwn(settings, name))
      throw new UsageError(`"${pair}" is not one of ${Object.keys(settings).join('=, ')}=`);
    change = { ...change, ...settings[name]!.read(value) };
    given[name] = value;
  }
  await explained(changeSmppUser(db, id, user.systemId, change));
  await record(db, id, 'smpp.change', { systemId: user.systemId, ...given });
  const { accountId: _, id: __, ...changed } = await requireSmppUser(db, id, user.systemId);
  return changed;
}

async function existingUser(db: Db, args: string[]): Promise<{ id: number; user: SmppUser }> {
  const { id } = await existingAccount(db, args[0]);
  return { id, user: await explained(requireSmppUser(db, id, need(args[1], 'the system_id'))) };
}

const problems: Record<SmppProblem, string> = {
  'no-such-user': 'the account has no such SMPP user',
  'too-many-users': `an account has at most ${smppUsersMax} SMPP users`,
  'system-id-taken': 'the system_id is taken',
  'bad-system-id': 'a system_id is at most 15 letters, digits, dots, dashes or underscores',
  'bad-address': 'not an address or network like 192.0.2.7 or 192.0.2.0/28',
  'too-many-addresses': `at most ${addressesMax} addresses`,
  'bad-number': 'a number is out of its bounds',
  'bad-name': 'a name has at most 60 characters',
};

function explained<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch(error => {
    if (!(error instanceof SmppFault)) throw error;
    throw new UsageError(error.given ? `${problems[error.problem]} (${error.given})` : problems[error.problem]);
  });
}

async function record(db: Db, accountId: number, action: string, detail: Record<string, unknown>): Promise<void> {
  await recordAuditEntry(db, { accountId, actor: operator, action, detail });
}
