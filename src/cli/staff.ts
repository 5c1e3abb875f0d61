// Commands about the operator's staff.
import { hash } from '@node-rs/argon2';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { transaction } from '../db/db.ts';
import { createStaff, listStaff, removeStaff, type StaffLine } from '../people/staff.ts';
import { type Command, need, operator, UsageError } from './command.ts';
import { passwordHelp, readPassword } from './password.ts';
import { table } from './table.ts';

export const staffCommands: Command[] = [
  {
    words: 'staff create',
    args: [],
    flags: { email: 'address to sign in with', password: passwordHelp('at least 10 characters') },
    help: 'add a member of staff for the panel, or set a new password',
    async run({ db, flags }) {
      const email = need(flags.email, '--email').toLowerCase();
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address`);
      const password = await readPassword(flags.password);
      if (password.length < 10) throw new UsageError('the password must have at least 10 characters');
      const passwordHash = await hash(password);
      await transaction(db, async tx => {
        if (!(await createStaff(tx, email, passwordHash)))
          throw new UsageError(`${email} is a customer’s address; staff need one of their own`);
        await recordAuditEntry(tx, { actor: operator, action: 'staff.create', detail: { email } });
      });
      return { email };
    },
  },
  {
    words: 'staff list',
    args: [],
    help: 'members of staff, with their last activity',
    run: ({ db }) => listStaff(db),
    show: (lines: StaffLine[]) =>
      table(
        ['e-mail', 'name', 'second factor', 'since', 'last seen'],
        lines.map(one => [one.email, one.name, one.secondFactor ? 'on' : 'off', one.createdAt, one.seenAt]),
      ),
    empty: 'nobody; peyk staff create --email E-MAIL adds the first',
  },
  {
    words: 'staff remove',
    args: ['EMAIL'],
    help: 'remove a member of staff; their sessions end at once. The last one cannot be removed',
    async run({ db, args }) {
      const email = need(args[0], 'the e-mail address').toLowerCase();
      await transaction(db, async tx => {
        const outcome = await removeStaff(tx, email);
        if (outcome === 'unknown') throw new UsageError(`${email} is not a staff user; peyk staff list shows them`);
        if (outcome === 'last') throw new UsageError(`${email} is the last of the staff; add somebody else first`);
        await recordAuditEntry(tx, { actor: operator, action: 'staff.remove', detail: { email } });
      });
      return { email, removed: true };
    },
  },
];
