// Commands about accounts: open, show, change, credentials, senders.
import { type Account, findAccount, listAccounts } from '../accounts/account.ts';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { findActiveKey, newCredentials, rotateCredentials } from '../accounts/credentials.ts';
import { findOldLogin, type OldLogin, readOldLogin, setOldLogin } from '../accounts/old-login.ts';
import { listRefusals } from '../accounts/refusals.ts';
import {
  accountSettings,
  changeSettings,
  type ForeignSettings,
  onOff,
  readSettings,
  settingsBefore,
} from '../accounts/settings.ts';
import { readBalance } from '../balance/ledger.ts';
import { openAccountSomewhere } from '../cells/open-account.ts';
import { listBrands } from '../consent/brands.ts';
import type { Db } from '../db/db.ts';
import { decideSender, listSenders } from '../senders/senders.ts';
import { endpointStates } from '../webhooks/endpoint-state.ts';
import { checkWebhookUrl, setWebhookInbound, setWebhookUrl } from '../webhooks/endpoints.ts';
import { accountId, type Command, type CommandContext, need, operator, UsageError } from './command.ts';
import { oneList } from './in-cells.ts';
import { table } from './table.ts';

export async function existingAccount(db: Db, value: string | undefined): Promise<Account> {
  const id = accountId(value);
  const account = await findAccount(db, id);
  if (!account) throw new UsageError(`there is no account ${id}; peyk account list shows them`);
  return account;
}

/** Settings that are stored in other tables than those of `accountSettings`. */
const otherValues = { webhook: 'URL', 'webhook-inbound': 'on|off', 'old-login': 'off|on|USERNAME' };
const settingsHelp = [
  ...Object.entries(accountSettings).map(([name, one]) => `${name}=${one.values}`),
  ...Object.entries(otherValues).map(([name, values]) => `${name}=${values}`),
].join(' ');

export const accountCommands: Command[] = [
  {
    words: 'account create',
    args: [],
    atHome: true,
    flags: {
      name: 'name of the account',
      cell: 'cell for the account; default: chosen by the weights of the cells',
    },
    help: 'open an account with the welcome credit; prints its ID, key, hash and the secret for clients that compute the hash themselves (shown only now)',
    async run({ db, flags, cells, cell }) {
      const name = need(flags.name, '--name');
      const pools = { home: { db }, several: cells !== undefined, of: (id: number) => cells!.of(id) };
      const opened = await openAccountSomewhere(pools, name, newCredentials(), { cell });
      const there = cells ? cells.of(opened.cell).db : db;
      await recordAuditEntry(there, { accountId: opened.id, actor: operator, action: 'account.create' });
      const { id, key, hash, secret } = opened;
      return { id: String(id), key, hash, secret, ...(cells ? { cell: opened.cell } : {}) };
    },
  },
  {
    words: 'account list',
    args: [],
    everywhere: oneList,
    help: 'all accounts with their balance',
    async run({ db }) {
      return (await listAccounts(db)).map(one => ({ ...one, id: String(one.id) }));
    },
    show: (lines: { id: string; status: string; sms: number; name: string; createdAt: Date }[]) =>
      table(
        ['ID', 'status', 'SMS', 'since', 'name'],
        lines.map(one => [one.id, one.status, one.sms, one.createdAt, one.name]),
      ),
    empty: 'no accounts; peyk account create --name NAME opens one',
  },
  {
    words: 'account show',
    args: ['ID'],
    help: 'settings of an account by their names in account set, its balance, senders and brand codes',
    async run({ db, args }) {
      return showAccount(db, await existingAccount(db, args[0]));
    },
  },
  {
    words: 'account set',
    args: ['ID', 'key=value'],
    openArgs: true,
    help: settingsHelp,
    run: setAccount,
  },
  {
    words: 'account refusals',
    args: ['ID'],
    help: 'the latest refused calls of an account with their true cause',
    async run({ db, args }) {
      return listRefusals(db, (await existingAccount(db, args[0])).id);
    },
    show: (lines: { at: Date; operation: string; code: number; cause: string; address: string }[]) =>
      table(
        ['time', 'operation', 'code', 'cause', 'address'],
        lines.map(one => [one.at, one.operation, one.code, one.cause, one.address]),
      ),
    empty: 'no refused calls',
  },
  {
    words: 'credentials rotate',
    args: ['ID'],
    help: 'issue a new key and hash, and the secret for clients that compute the hash themselves; the old ones stop working at once',
    async run({ db, args }) {
      const account = await existingAccount(db, args[0]);
      const fresh = await rotateCredentials(db, account.id);
      await recordAuditEntry(db, { accountId: account.id, actor: operator, action: 'credentials.rotate' });
      return fresh;
    },
  },
  {
    words: 'sender approve',
    args: ['ID', 'NAME'],
    help: 'approve a sender ID',
    run: context => decide(context, 'approved'),
  },
  {
    words: 'sender reject',
    args: ['ID', 'NAME'],
    flags: { reason: 'why, for the customer' },
    help: 'reject a sender ID; an approved one is revoked',
    run: context => decide(context, 'rejected'),
  },
  {
    words: 'sender list',
    args: ['ID'],
    help: 'sender IDs of an account',
    async run({ db, args }) {
      return listSenders(db, (await existingAccount(db, args[0])).id);
    },
    show: (lines: { name: string; state: string }[]) =>
      table(
        ['state', 'name'],
        lines.map(one => [one.state, one.name]),
      ),
    empty: 'no sender IDs; APITEST may be used until one is approved',
  },
];

async function showAccount(db: Db, account: Account): Promise<object> {
  const balance = (await readBalance(db, account.id))!;
  const webhooks = await endpointStates(db, account.id);
  // The one that account set changes.
  const webhook = webhooks.find(one => one.no === 1) ?? null;
  const { name, status, ...settings } = (await readSettings(db, account.id))!;
  return {
    id: String(account.id),
    name,
    status,
    ...settings,
    key: await findActiveKey(db, account.id),
    balance: { sms: balance.sms, amount: Number(balance.amount) },
    senders: await listSenders(db, account.id),
    brands: await listBrands(db, account.id),
    webhook,
    webhooks: webhooks.filter(one => one.url !== ''),
    'webhook-inbound': webhook?.inbound ? 'on' : 'off',
    'old-login': (await findOldLogin(db, account.id))?.username ?? 'off',
  };
}

async function setAccount({ db, args, config }: CommandContext): Promise<unknown> {
  const account = await existingAccount(db, args[0]);
  const pairs = args.slice(1);
  if (pairs.length === 0) throw new UsageError('give at least one key=value');
  const given: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`"${pair}" is not key=value`);
    given[pair.slice(0, at)] = pair.slice(at + 1);
  }
  let login: OldLogin | null = null;
  const foreign: ForeignSettings = {
    webhook: {
      read: url => checkWebhookUrl(url, config.PEYK_ALLOW_PRIVATE_WEBHOOKS),
      write: (tx, id, url) => setWebhookUrl(tx, id, url as string, config.PEYK_ALLOW_PRIVATE_WEBHOOKS),
    },
    'webhook-inbound': { read: onOff, write: (tx, id, on) => setWebhookInbound(tx, id, on as boolean) },
    'old-login': {
      read: readOldLogin,
      async write(tx, id, value) {
        login = await setOldLogin(tx, id, value as string | null);
      },
    },
  };
  const was = await settingsBefore(db, account.id, given);
  await changeSettings(db, account.id, given, foreign);
  await recordAuditEntry(db, {
    accountId: account.id,
    actor: operator,
    action: 'account.set',
    detail: { ...given, was },
  });
  const shown = await showAccount(db, (await findAccount(db, account.id))!);
  // The password is shown only now.
  return login === null ? shown : { ...shown, oldLogin: login };
}

async function decide({ db, args, flags }: CommandContext, state: 'approved' | 'rejected'): Promise<unknown> {
  const account = await existingAccount(db, args[0]);
  const sender = await decideSender(db, account.id, need(args[1], 'the sender ID'), state, flags.reason ?? null);
  await recordAuditEntry(db, {
    accountId: account.id,
    actor: operator,
    action: `sender.${state}`,
    detail: { name: sender.name },
  });
  return sender;
}
