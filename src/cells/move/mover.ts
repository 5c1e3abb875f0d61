// A command runs a move. A background task completes it if the command died while the account waited.
import { findAccount } from '../../accounts/account.ts';
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import { type Connection, type Db, row, sql } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { CellFault, cellOfAccount, home, readCells } from '../directory.ts';
import { copyAndSwitch, finish, goOn, type Moving, type Patience, takeBack, words } from './move.ts';
import { beginMove, findMove, openMoves, type Step } from './moves.ts';
import { Sides } from './side.ts';

export type MoverParts = { db: Db; connection: Connection; key: SecretKey; log: Log };
export type Report = (what: string) => void;
export type Moved = { accountId: number; from: number; to: number; waitedMs: number };

type Steps = Partial<Record<Step, (moving: Moving) => Promise<void>>>;
/** The account waits or has left its cell: the move can only be completed. */
const lastSteps: Steps = { leaving: goOn, moved: finish };

const platformSql = sql<{ value: string }>('move platform account')`
  select value from installation where name = 'platform-account' and value = $1`;

/** Moves an account, or continues a move that was begun. */
export async function moveAccount(
  parts: MoverParts,
  accountId: number,
  to: number,
  actor: string,
  report: Report,
  patience?: Patience,
): Promise<Moved> {
  return withSides(parts, accountId, async sides => {
    const isResumed = await begin(sides, accountId, to);
    let waitsSince = monotonicMs();
    let waitedMs = 0;
    const watched = (what: string) => {
      if (what === words.waits) waitsSince = monotonicMs();
      if (what === words.goesOn) waitedMs = Math.round(monotonicMs() - waitsSince);
      report(what);
    };
    const first = (await findMove(await sides.at(home), accountId))!;
    await follow(sides, accountId, watched, {
      ...lastSteps,
      copying: moving => copyAndSwitch(moving, isResumed, patience),
    });
    const { from } = first;
    await recordAuditEntry(parts.db, { accountId, actor, action: 'account.move', detail: { from, to } });
    return { accountId, from, to, waitedMs };
  });
}

/** Cancels a move. If the account has already left its cell, the move is completed instead. */
export async function cancelMove(
  parts: MoverParts,
  accountId: number,
  report: Report,
): Promise<'cancelled' | 'moved' | null> {
  if (!(await findMove(parts.db, accountId))) return null;
  return withSides(parts, accountId, async sides => {
    await follow(sides, accountId, report, lastSteps);
    const move = await findMove(await sides.at(home), accountId);
    if (!move) return 'moved';
    await takeBack({ sides, move, report });
    return 'cancelled';
  });
}

/** Runs the steps of a move until it is over or reaches a step that is not listed. */
async function follow(sides: Sides, account: number, report: Report, steps: Steps): Promise<void> {
  const client = await sides.at(home);
  for (;;) {
    const move = await findMove(client, account);
    const step = move && steps[move.step];
    if (!step) return;
    await step({ sides, move, report });
  }
}

/** Completes moves whose mover died while the account waited. Returns how many. */
export async function relieveMoves(parts: MoverParts): Promise<number> {
  let relieved = 0;
  for (const { accountId: account, step } of await openMoves(parts.db)) {
    if (step === 'copying') continue;
    try {
      await withSides(parts, account, sides => follow(sides, account, () => {}, lastSteps));
    } catch (error) {
      // CellFault: another mover is working on it. A cell that does not answer must not delay the other moves.
      if (!(error instanceof CellFault))
        parts.log.warn(
          { account, step, error: (error as Error).message },
          'move: its mover is gone, and it cannot go on yet',
        );
      continue;
    }
    parts.log.warn({ account, step }, 'move: its mover is gone; the account no longer waits');
    relieved++;
  }
  return relieved;
}

/** Returns whether the move was begun before. */
async function begin(sides: Sides, accountId: number, to: number): Promise<boolean> {
  const client = await sides.at(home);
  sides.connection(to);
  const known = await findMove(client, accountId);
  if (known && known.to !== to)
    throw new CellFault(
      `account ${accountId} is on its way to cell ${known.to}; peyk account move ${accountId} ${known.to} --cancel takes that back`,
    );
  if (known) return true;
  const from = await cellOfAccount(client, accountId);
  if (from === to) throw new CellFault(`account ${accountId} is in cell ${to}`);
  if (!(await findAccount(await sides.at(from), accountId))) throw new CellFault(`there is no account ${accountId}`);
  if (await row(await sides.at(from), platformSql, [String(accountId)]))
    throw new CellFault(`account ${accountId} is the platform's own, and every cell has one`);
  await beginMove(client, accountId, from, to);
  return false;
}

async function withSides<T>(parts: MoverParts, accountId: number, work: (sides: Sides) => Promise<T>): Promise<T> {
  const cells = await readCells(parts.db, parts.key);
  const sides = new Sides(accountId, parts.connection, cells, parts.log);
  try {
    // Takes the lock of this move.
    await sides.at(home);
    return await work(sides);
  } finally {
    await sides.close();
  }
}
