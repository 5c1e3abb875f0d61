// Commands about cells: databases beside the home, each with accounts of its own.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { makeCell, NotACell } from '../cells/add-cell.ts';
import { announceCells, changeCell, home, readCells } from '../cells/directory.ts';
import { hindrancesAmong } from '../cells/move/checks.ts';
import { type CellState, cellStates } from '../cells/states.ts';
import { type Db, openPool } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { type Command, type CommandContext, errorText, need, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const weightMax = 1_000;

export const cellCommands: Command[] = [
  {
    words: 'cell add',
    args: ['URL'],
    atHome: true,
    flags: { weight: 'how large a part of the new accounts it gets, 0 to 1000; 1 unless given' },
    help: 'make an empty database a cell: it is checked, migrated and gets its part of the new accounts',
    run: addCell,
  },
  {
    words: 'cell list',
    args: [],
    atHome: true,
    help: 'cells with their accounts, their size and whether they answer; 0 is the home',
    async run({ db, config }): Promise<CellState[]> {
      return cellStates(db, await secretKeyOfData(db, config));
    },
    show: (lines: CellState[]) =>
      table(
        ['cell', 'state', 'accounts', 'MB', 'weight', 'address'],
        lines.map(one => [one.cell, one.state, one.accounts, one.megabytes, one.weight, one.address]),
      ),
    empty: 'one database, no cells; peyk cell add URL adds one',
  },
  {
    words: 'cell drain',
    args: ['N'],
    atHome: true,
    flags: { end: 'it takes new accounts again' },
    switches: ['end'],
    help: 'no new accounts in this cell any more; those that are there stay and work on',
    run: drainCell,
  },
  {
    words: 'cell weight',
    args: ['N', 'WEIGHT'],
    atHome: true,
    help: 'how large a part of the new accounts a cell gets, 0 to 1000',
    async run({ db, args }) {
      const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
      const weight = wholeNumber(args[1], 'the weight', 0, weightMax);
      if (!(await changeCell(db, cell, { weight }))) throw new UsageError(`there is no cell ${cell}`);
      await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.weight', detail: { cell, weight } });
      return { cell, weight };
    },
  },
];

async function addCell({ db, config, args, flags, log }: CommandContext): Promise<unknown> {
  const address = need(args[0], 'the address of the database');
  if (!/^postgres(ql)?:\/\//.test(address)) throw new UsageError('an address begins with postgres://');
  const weight = flags.weight === undefined ? 1 : wholeNumber(flags.weight, '--weight', 0, weightMax);
  const key = await secretKeyOfData(db, config);
  const cell = await makeCell(db, address, { key, weight, log }).catch(error => {
    throw error instanceof NotACell ? new UsageError(error.message) : new Error(errorText(error), { cause: error });
  });
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.add', detail: { cell, weight } });
  const cells = (await readCells(db, key)).length;
  await sayWhatHindersMoves(db, cell, address);
  return { cell, weight, cells };
}

async function drainCell({ db, args, flags }: CommandContext): Promise<unknown> {
  const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
  const draining = flags.end === undefined;
  if (!(await changeCell(db, cell, { draining }))) throw new UsageError(`there is no cell ${cell}`);
  await announceCells(db);
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.drain', detail: { cell, draining } });
  return { cell, draining };
}

/** Not a reason to refuse the cell: new accounts live there, and moving them may wait. */
async function sayWhatHindersMoves(homeDb: Db, cell: number, address: string): Promise<void> {
  const db = openPool({ connectionString: address }, { max: 1, name: 'peyk command', onError: () => {} });
  const hindrances = await hindrancesAmong([
    [home, homeDb],
    [cell, db],
  ]).finally(() => db.end());
  for (const one of hindrances) process.stderr.write(`accounts cannot be moved yet: ${one}\n`);
}
