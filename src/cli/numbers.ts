// Commands about inbound numbers and keywords.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { addInboundNumber, type InboundNumber, listInboundNumbers, removeInboundNumber } from '../inbound/numbers.ts';
import { existingAccount } from './accounts.ts';
import { type Command, need, operator, UsageError } from './command.ts';
import { oneList } from './in-cells.ts';
import { table } from './table.ts';

const keyword = 'keyword of the account on a shared short code';

export const numberCommands: Command[] = [
  {
    words: 'number add',
    args: ['ID', 'NUMBER'],
    flags: { keyword },
    help: 'assign an inbound number, or a keyword on a short code, to an account',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      const added = await addInboundNumber(db, account.id, need(args[1], 'the number'), flags.keyword ?? '');
      await recordAuditEntry(db, { accountId: account.id, actor: operator, action: 'number.add', detail: added });
      return added;
    },
  },
  {
    words: 'number list',
    args: ['[ID]'],
    everywhere: oneList,
    help: 'inbound numbers and keywords of an account, or of all',
    async run({ db, args }) {
      const id = args[0] === undefined ? null : (await existingAccount(db, args[0])).id;
      return (await listInboundNumbers(db, id)).map(one => ({ ...one, accountId: String(one.accountId) }));
    },
    show: (lines: (InboundNumber & { accountId: string })[]) =>
      table(
        ['number', 'keyword', 'account'],
        lines.map(one => [one.number, one.keyword, one.accountId]),
      ),
    empty: 'no inbound numbers',
  },
  {
    words: 'number remove',
    args: ['ID', 'NUMBER'],
    flags: { keyword },
    help: 'remove an inbound number or keyword; received messages stay',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      const number = need(args[1], 'the number');
      const removed = await removeInboundNumber(db, account.id, number, flags.keyword ?? '');
      if (!removed)
        throw new UsageError(`account ${account.id} has no ${[number, flags.keyword].filter(Boolean).join(' ')}`);
      await recordAuditEntry(db, { accountId: account.id, actor: operator, action: 'number.remove', detail: removed });
      return removed;
    },
  },
];
