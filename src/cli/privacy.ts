// Commands about personal data: erase a number.
import { openStore } from '../backup/open-store.ts';
import { readBackupState } from '../backup/state.ts';
import { openMoves } from '../cells/move/moves.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { parseNumber } from '../numbers/phone.ts';
import type { Erased } from '../privacy/erase-number.ts';
import { eraseForGood } from '../privacy/erasures.ts';
import { type CellResult, type Command, need, operator, UsageError } from './command.ts';

export const privacyCommands: Command[] = [
  {
    words: 'privacy erase',
    args: ['NUMBER'],
    everywhere: allErased,
    help: 'erase a person’s number from ended and inbound messages with their texts, and from drafts, files, webhooks, receipts and parts; blacklist and consent entries stay; repeated after a restore',
    async run({ db, config, args }): Promise<Erased> {
      const number = parseNumber(need(args[0], 'the number'), true);
      if (!number) throw new UsageError(`"${args[0]}" is not a phone number`);
      if (config.PEYK_BACKUP === '' && (await readBackupState(db)))
        throw new UsageError(
          'Backups are taken, but PEYK_BACKUP is not set here: a restore would bring the number back.',
        );
      // Rows that a move has already copied would arrive unerased.
      const [moving] = await openMoves(db);
      if (moving)
        throw new UsageError(
          `account ${moving.accountId} is being moved to another cell: run it again when peyk account moves lists none.`,
        );
      const store = config.PEYK_BACKUP === '' ? null : await openStore(config);
      return eraseForGood({ db, key: await secretKeyOfData(db, config), actor: operator }, store, number);
    },
    show: ({ messages, open, inbound, elsewhere }: Erased) =>
      `erased from ${messages} messages, ${inbound} inbound ones and ${elsewhere} other rows${open ? `; ${open} are still on their way: run it again when they have ended` : ''}`,
  },
];

function allErased(results: CellResult[]): Erased {
  const all = results.map(one => one.value as Erased);
  const sum = (name: keyof Erased) => all.reduce((total, one) => total + one[name], 0);
  return { messages: sum('messages'), open: sum('open'), inbound: sum('inbound'), elsewhere: sum('elsewhere') };
}
