// Runs a command with cells: for an account in the account's cell, for everything in each cell, for a named cell (--cell N) in
// that one, otherwise at home.
import { cellOfAccount, hasCells, home, readCells, reflectAccount } from '../cells/directory.ts';
import { isDatabaseAway } from '../db/away.ts';
import { openPool } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import {
  type CellResult,
  type Command,
  type CommandCell,
  type CommandCells,
  type CommandContext,
  errorText,
  UsageError,
  wholeNumber,
} from './command.ts';

/** With one database, the command runs there. `named`: the value of --cell. */
export async function runInCells(command: Command, context: CommandContext, named: string | undefined) {
  const cell = named === undefined ? undefined : wholeNumber(named, '--cell', 0, 9_000);
  if (!(await hasCells(context.db))) {
    if (cell) throw new UsageError(`there is no cell ${cell}`);
    return command.run(context);
  }
  const { cells, close } = await openCells(context);
  try {
    if (command.atHome) return await command.run({ ...context, cells, ...(cell === undefined ? {} : { cell }) });
    if (cell !== undefined) return await command.run({ ...context, ...cells.of(cell) });
    if (command.everywhere) return command.everywhere(await inEach(command, { ...context, cells }), context);
    const account = command.args[0] === 'ID' ? context.args[0] : context.flags.account;
    if (account === undefined) return await command.run({ ...context, cells });
    return await inCellOfAccount(command, { ...context, cells }, Number(account));
  } finally {
    await close();
  }
}

async function inCellOfAccount(command: Command, context: CommandContext, id: number): Promise<unknown> {
  const place = context.cells!.of(Number.isSafeInteger(id) ? await cellOfAccount(context.db, id) : home);
  if (place.cell === home) return command.run(context);
  const value = await command.run({ ...context, ...place });
  await reflectAccount(context.db, place.db, id);
  return value;
}

/** A cell that refuses or is away does not stop the others. If all fail, the first error is thrown. */
async function inEach(command: Command, context: CommandContext): Promise<CellResult[]> {
  const done: CellResult[] = [];
  let refusal: Error | undefined;
  for (const place of context.cells!.all)
    try {
      done.push({ cell: place.cell, value: await command.run({ ...context, ...place }) });
    } catch (error) {
      const isAway = isDatabaseAway(error);
      if (!isAway && !(error instanceof UsageError))
        throw new Error(`cell ${place.cell}: ${errorText(error)}`, { cause: error });
      if (isAway) {
        process.stderr.write(`cell ${place.cell} is left out, it does not answer: ${errorText(error)}\n`);
        process.exitCode = 1;
      }
      refusal ??= error as Error;
    }
  if (done.length === 0 && refusal) throw refusal;
  return done;
}

/** The lists of all cells, concatenated. */
export function oneList(results: CellResult[]): unknown[] {
  return results.flatMap(one => one.value as unknown[]);
}

/** Pools connect when first used: a cell that is down fails only the commands that need it. */
async function openCells({ db, config, connection }: CommandContext) {
  const key = await secretKeyOfData(db, config);
  const all = (await readCells(db, key)).map(({ id, connection: address }): CommandCell => {
    if (!address) return { cell: id, db, connection };
    const pool = openPool(address, { max: 2, name: 'peyk command', onError: () => {} });
    return { cell: id, connection: address, db: pool };
  });
  const cells: CommandCells = {
    all,
    of(cell) {
      const found = all.find(one => one.cell === cell);
      if (!found) throw new UsageError(`there is no cell ${cell}`);
      return found;
    },
  };
  const close = async () => {
    await Promise.all(all.filter(one => one.cell !== home).map(one => one.db.end()));
  };
  return { cells, close };
}
