// Commands about cells: further databases, each with its own accounts.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { makeCell } from '../cells/add-cell.ts';
import { changeAddress } from '../cells/change-address.ts';
import { announceCells, CellFault, changeCell, readCells } from '../cells/directory.ts';
import { removeCell } from '../cells/remove-cell.ts';
import { carriersWithTooFewBinds } from '../cells/share-carriers.ts';
import { type CellState, cellStates } from '../cells/states.ts';
import { schemaOf } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { type Command, type CommandContext, errorText, need, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const weightMax = 1_000;

export const cellCommands: Command[] = [
  {
    words: 'distribute',
    args: ['URL'],
    atHome: true,
    flags: { weight: 'share of the new accounts that it gets, 0 to 1000; default 1' },
    help: 'make an empty schema of a Citus cluster a cell: URL is that of the coordinator, with ?schema=NAME',
    run: context => addCell(context, true),
  },
  {
    words: 'cell add',
    args: ['URL'],
    atHome: true,
    flags: { weight: 'share of the new accounts that it gets, 0 to 1000; default 1' },
    help: 'make an empty database a cell: checks and migrates it, then gives it its share of the new accounts',
    run: context => addCell(context, false),
  },
  {
    words: 'cell list',
    args: [],
    atHome: true,
    help: 'cells with number of accounts, size and state; 0 is the home',
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
    flags: { end: 'accept new accounts again' },
    switches: ['end'],
    help: 'open no more accounts in this cell; existing ones are unaffected',
    run: drainCell,
  },
  {
    words: 'cell remove',
    args: ['N'],
    atHome: true,
    flags: { gone: 'the database is lost: do not connect to it' },
    switches: ['gone'],
    help: 'remove a drained, empty cell from the directory; the other cells get its binds, and its number is never reused',
    run: takeOut,
  },
  {
    words: 'cell address',
    args: ['N', 'URL'],
    atHome: true,
    help: 'change the database address of a cell; it must lead to the same cell',
    run: changeCellAddress,
  },
  {
    words: 'cell weight',
    args: ['N', 'WEIGHT'],
    atHome: true,
    help: 'share of the new accounts that a cell gets, 0 to 1000',
    async run({ db, args }) {
      const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
      const weight = wholeNumber(args[1], 'the weight', 0, weightMax);
      if (!(await changeCell(db, cell, { weight }))) throw new UsageError(`there is no cell ${cell}`);
      await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.weight', detail: { cell, weight } });
      return { cell, weight };
    },
  },
];

function needAddress(given: string | undefined): string {
  const address = need(given, 'the address of the database');
  if (!/^postgres(ql)?:\/\//.test(address)) throw new UsageError('an address begins with postgres://');
  return address;
}

/** Errors that the operator can fix are shown without a stack. */
function refused(error: unknown): never {
  throw error instanceof CellFault ? new UsageError(error.message) : new Error(errorText(error), { cause: error });
}

async function addCell({ db, config, args, flags, log }: CommandContext, citus: boolean): Promise<unknown> {
  const address = needAddress(args[0]);
  if (citus && !schemaOf({ connectionString: address })) throw new UsageError('name a schema: …?schema=cell_1');
  const weight = flags.weight === undefined ? 1 : wholeNumber(flags.weight, '--weight', 0, weightMax);
  const key = await secretKeyOfData(db, config);
  const cell = await makeCell(db, address, { key, weight, log, citus }).catch(refused);
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.add', detail: { cell, weight } });
  const cells = (await readCells(db, key)).length;
  for (const one of await carriersWithTooFewBinds(db, cells))
    process.stderr.write(`${one}; more: peyk carrier add --name NAME --binds ${cells}\n`);
  return { cell, weight, cells };
}

async function changeCellAddress({ db, config, args }: CommandContext): Promise<unknown> {
  const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
  const address = needAddress(args[1]);
  await changeAddress(db, cell, address, await secretKeyOfData(db, config)).catch(refused);
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.address', detail: { cell } });
  return { cell, changed: true };
}

async function drainCell({ db, args, flags }: CommandContext): Promise<unknown> {
  const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
  const draining = flags.end === undefined;
  if (!(await changeCell(db, cell, { draining }))) throw new UsageError(`there is no cell ${cell}`);
  await announceCells(db);
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.drain', detail: { cell, draining } });
  return { cell, draining };
}

async function takeOut({ db, config, args, flags }: CommandContext): Promise<unknown> {
  const cell = wholeNumber(args[0], 'the cell', 0, 9_000);
  const isGone = flags.gone !== undefined;
  await removeCell(db, cell, { key: await secretKeyOfData(db, config), isGone }).catch(refused);
  await recordAuditEntry(db, { accountId: null, actor: operator, action: 'cell.remove', detail: { cell, isGone } });
  return { removed: cell };
}
