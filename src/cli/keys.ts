// Commands about the named API keys of an account. A key is given in full or by its first characters.
import {
  createKey,
  endKey,
  KeyFault,
  type KeyProblem,
  keysMax,
  limitKey,
  listKeys,
  rotateKey,
} from '../accounts/api-keys.ts';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { startOfKey } from '../accounts/credentials.ts';
import { type KeyLimits, type KeyScope, keyScopes, limitMost } from '../accounts/key-limits.ts';
import type { Db } from '../db/db.ts';
import { existingAccount } from './accounts.ts';
import { type Command, need, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const nameLength = 60;
const keepHoursMax = 720;
const keyStartMin = 4;
const reason = `by ${operator}`;

const limitFlags = {
  scopes: 'what it may do, of read,send,verify,manage; all: everything, the default',
  recipients: 'recipients of one call at most; none: no limit, the default (an assistant: 100)',
  daily: 'messages a day at most; none: no limit, the default (an assistant that cannot ask its user: 1,000)',
};

function readLimits(flags: Record<string, string | undefined>): Partial<KeyLimits> {
  const { scopes, recipients, daily } = flags;
  const change: Partial<KeyLimits> = {};
  if (scopes !== undefined) change.scopes = scopes === 'all' ? null : scopes.split(',').map(readScope);
  if (recipients !== undefined) change.recipientsMax = readMost(recipients, '--recipients');
  if (daily !== undefined) change.dailyMax = readMost(daily, '--daily');
  return change;
}

function readScope(text: string): KeyScope {
  const scope = keyScopes.find(one => one === text.trim());
  if (!scope) throw new UsageError(`--scopes: "${text}" is none of ${keyScopes.join(', ')}`);
  return scope;
}

function readMost(text: string, flag: string): number | null {
  return text === 'none' ? null : wholeNumber(text, flag, 1, limitMost);
}

export const keyCommands: Command[] = [
  {
    words: 'key list',
    args: ['ID'],
    help: 'API keys of an account: name, state, last use; never their hashes',
    async run({ db, args }) {
      const { id } = await existingAccount(db, args[0]);
      return (await listKeys(db, id)).map(
        ({ key, name, createdAt, disabledAt, ended, lastAt, address, operation, scopes, recipientsMax, dailyMax }) => ({
          key,
          name,
          scopes: scopes ?? 'all',
          recipientsMax,
          dailyMax,
          state: ended ? 'ended' : disabledAt ? 'ending' : 'active',
          createdAt,
          endsAt: disabledAt,
          lastUse: lastAt && { at: lastAt, address, operation },
        }),
      );
    },
    show: (
      lines: {
        key: string;
        name: string;
        state: string;
        createdAt: Date;
        endsAt: Date;
        lastUse: { at: Date } | null;
      }[],
    ) =>
      table(
        ['key', 'state', 'since', 'ends', 'last use', 'name'],
        lines.map(one => [one.key, one.state, one.createdAt, one.endsAt, one.lastUse?.at, one.name]),
      ),
    empty: 'no API keys; peyk key add ID --name NAME makes one',
  },
  {
    words: 'key add',
    args: ['ID'],
    flags: { name: 'what the key is for, at most 60 characters', ...limitFlags },
    help: 'add an API key; prints key, hash and the secret for clients that compute the hash themselves (shown only now)',
    async run({ db, args, flags }) {
      const { id } = await existingAccount(db, args[0]);
      const name = need(flags.name?.trim(), '--name');
      if (name.length > nameLength) throw new UsageError(`--name has at most ${nameLength} characters`);
      const { scopes = null, recipientsMax = null, dailyMax = null } = readLimits(flags);
      const fresh = await explained(createKey(db, id, name, { scopes, recipientsMax, dailyMax }));
      await record(db, id, 'credentials.create', { name, key: startOfKey(fresh.key) });
      return fresh;
    },
  },
  {
    words: 'key limit',
    args: ['ID', 'KEY'],
    flags: limitFlags,
    help: 'change the limits of an API key; omitted ones keep their value',
    async run({ db, args, flags }) {
      const { id } = await existingAccount(db, args[0]);
      const key = await wholeKey(db, id, args[1]);
      const change = readLimits(flags);
      await explained(limitKey(db, id, key, change));
      await record(db, id, 'credentials.limit', { key: startOfKey(key), ...change });
      return { limited: key, ...change };
    },
  },
  {
    words: 'key rotate',
    args: ['ID', 'KEY'],
    flags: { keep: 'hours for which the old one still works, 0 to 720; default 0' },
    help: 'issue a new key and hash under the same name; other keys are unchanged',
    async run({ db, args, flags }) {
      const { id } = await existingAccount(db, args[0]);
      const key = await wholeKey(db, id, args[1]);
      const keepHours = flags.keep === undefined ? 0 : wholeNumber(flags.keep, '--keep', 0, keepHoursMax);
      const fresh = await explained(rotateKey(db, id, key, keepHours, `rotated ${reason}`));
      await record(db, id, 'credentials.rotate', { key: startOfKey(key), keepHours });
      return fresh;
    },
  },
  {
    words: 'key revoke',
    args: ['ID', 'KEY'],
    help: 'end an API key at once; other keys are unchanged',
    async run({ db, args }) {
      const { id } = await existingAccount(db, args[0]);
      const key = await wholeKey(db, id, args[1]);
      await explained(endKey(db, id, key, `disabled ${reason}`));
      await record(db, id, 'credentials.disable', { key: startOfKey(key) });
      return { revoked: key };
    },
  },
];

/** The only key that begins with these characters. */
async function wholeKey(db: Db, accountId: number, value: string | undefined): Promise<string> {
  const start = need(value, 'the key');
  if (start.length < keyStartMin) throw new UsageError(`give at least ${keyStartMin} characters of the key`);
  const fitting = (await listKeys(db, accountId)).filter(one => one.key.startsWith(start));
  if (fitting.length > 1)
    throw new UsageError(`several keys of account ${accountId} begin with "${start}": give more characters`);
  return fitting[0]?.key ?? start;
}

const problems: Record<KeyProblem, string> = {
  'no-such-key': 'the account has no such key',
  'key-ended': 'the key has ended already',
  'key-active': 'the key is still in use',
  'too-many-keys': `an account has at most ${keysMax} keys at a time`,
};

async function explained<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch(error => {
    throw error instanceof KeyFault ? new UsageError(problems[error.problem]) : error;
  });
}

async function record(db: Db, accountId: number, action: string, detail: Record<string, unknown>): Promise<void> {
  await recordAuditEntry(db, { accountId, actor: operator, action, detail });
}
