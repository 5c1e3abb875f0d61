// Commands about the installation: audit, quarantine, migrate, settings, brands, registry, staff.
import { hash } from '@node-rs/argon2';
import { recordDeed } from '../accounts/audit-log.ts';
import { createStaff } from '../accounts/staff.ts';
import { audit } from '../audit/invariants.ts';
import { describeConfig } from '../config.ts';
import { addBrand } from '../consent/brands.ts';
import { transaction } from '../db/db.ts';
import { listQuarantined, type Quarantined, releaseQuarantined } from '../orders/quarantined.ts';
import { existingAccount } from './accounts.ts';
import { type Command, need, UsageError, wholeNumber } from './command.ts';
import { passwordHelp, readPassword } from './password.ts';

export const systemCommands: Command[] = [
  {
    words: 'brand add',
    args: ['ID', 'CODE'],
    flags: { quota: 'consent records per month; default: no limit' },
    help: 'give an account an active registry subscription with that brand code',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      const code = wholeNumber(args[1], 'the brand code', 1, Number.MAX_SAFE_INTEGER);
      const quota = flags.quota === undefined ? null : wholeNumber(flags.quota, '--quota', 0, 2_000_000_000);
      const brand = await addBrand(db, account.id, code, quota);
      await recordDeed(db, {
        accountId: account.id,
        actor: 'operator (command line)',
        action: 'brand.add',
        detail: brand,
      });
      return brand;
    },
  },
  {
    words: 'consent sync',
    args: [],
    help: 'push queued consent records to the registry and pull its changes now',
    run: async ({ db, config, log }) => (await import('../consent/sync.ts')).syncOnce({ db, config, log }),
  },
  {
    words: 'staff create',
    args: [],
    flags: { email: 'address to sign in with', password: passwordHelp('at least 10 characters') },
    help: 'a user of the operator’s staff for the panel, or a new password for one',
    async run({ db, flags }) {
      const email = need(flags.email, '--email').toLowerCase();
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address`);
      const password = await readPassword(flags.password);
      if (password.length < 10) throw new UsageError('a password has at least 10 characters');
      const passwordHash = await hash(password);
      await transaction(db, async tx => {
        if (!(await createStaff(tx, email, passwordHash)))
          throw new UsageError(`${email} is a customer’s address; staff need one of their own`);
        await recordDeed(tx, { actor: 'operator (command line)', action: 'staff.create', detail: { email } });
      });
      return { email };
    },
  },
  {
    words: 'audit',
    args: [],
    help: 'check the invariants of the stored data; exit code 1 when something is wrong',
    async run({ db }) {
      const result = await audit(db);
      if (!result.ok) process.exitCode = 1;
      return result;
    },
    show: (result: { ok: boolean; findings: { invariant: string; subject: string; detail: string }[] }) =>
      result.ok ? 'ok' : result.findings.map(one => `${one.subject}: ${one.invariant}: ${one.detail}`).join('\n'),
  },
  {
    words: 'quarantine list',
    args: [],
    help: 'messages that were set aside because no dispatcher could send them',
    run: ({ db }) => listQuarantined(db),
    show: (list: Quarantined[]) => list.map(showQuarantined).join('\n') || 'nothing is set aside',
  },
  {
    words: 'quarantine release',
    args: ['ORDER'],
    help: 'let dispatchers try the messages of an order again that were set aside, once the cause is mended',
    async run({ db, args }) {
      const order = wholeNumber(args[0], 'the order ID', 1, Number.MAX_SAFE_INTEGER);
      const released = await releaseQuarantined(db, order);
      if (released.length === 0) throw new UsageError(`nothing of order ${order} is set aside`);
      const { accountId } = released[0]!;
      const detail = { order, chunks: released.length };
      await recordDeed(db, { accountId, actor: 'operator (command line)', action: 'quarantine.release', detail });
      return released;
    },
    show: (list: Quarantined[]) => list.map(showQuarantined).join('\n'),
  },
  {
    words: 'migrate',
    args: [],
    help: 'bring the database schema up to date',
    run: async () => ({ ok: true }),
    show: () => 'the schema is up to date',
  },
  {
    words: 'config',
    args: [],
    help: 'effective settings, without secrets',
    run: async ({ config }) => describeConfig(config),
  },
];

function showQuarantined({ chunkId, orderId, accountId, messages, lost }: Quarantined): string {
  return `order ${orderId} of account ${accountId}: ${messages} messages (chunk ${chunkId}, lost ${lost} times)`;
}
