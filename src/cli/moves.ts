// Commands that move accounts between cells.
import { CellFault } from '../cells/directory.ts';
import { cancelMove, moveAccount } from '../cells/move/mover.ts';
import { openMoves } from '../cells/move/moves.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { accountId, type Command, type CommandContext, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

type Line = { account: string; from: number; to: number; step: string; since: Date };

export const moveCommands: Command[] = [
  {
    words: 'account move',
    atHome: true,
    args: ['ID', 'CELL'],
    flags: { cancel: 'cancel a move that is not over' },
    switches: ['cancel'],
    help: 'move an account with all its data to another cell while it works; its calls are answered 503 for a few seconds. Run it again to continue an interrupted move',
    run: move,
  },
  {
    words: 'account moves',
    atHome: true,
    args: [],
    help: 'moves in progress',
    async run({ db }): Promise<Line[]> {
      const moves = await openMoves(db);
      return moves.map(one => ({
        account: String(one.accountId),
        from: one.from,
        to: one.to,
        step: one.step,
        since: one.stepAt,
      }));
    },
    show: (lines: Line[]) =>
      table(
        ['account', 'from', 'to', 'step', 'since'],
        lines.map(one => [one.account, one.from, one.to, one.step, one.since]),
      ),
    empty: 'no account is on its way',
  },
];

async function move({ db, connection, config, log, args, flags }: CommandContext): Promise<object> {
  const id = accountId(args[0]);
  const to = wholeNumber(args[1], 'the cell', 0, 9_000);
  const parts = { db, connection, key: await secretKeyOfData(db, config), log };
  const report = (what: string) => void process.stderr.write(`${what}\n`);
  try {
    if (flags.cancel === undefined) {
      const { from, waitedMs } = await moveAccount(parts, id, to, operator, report);
      return { account: String(id), from, to, waitedSeconds: Math.round(waitedMs / 100) / 10 };
    }
    const state = await cancelMove(parts, id, report);
    if (!state) throw new UsageError(`account ${id} is not being moved`);
    return { account: String(id), state };
  } catch (error) {
    throw error instanceof CellFault ? new UsageError(error.message) : error;
  }
}
