// Who moves accounts: the command, from its first step to its last; and a task of the background, which ends what a command that
// died left in the middle of its seconds.
import { findAccount } from '../../accounts/account.ts';
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import { type Connection, type Db, row, sql } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { cellOfAccount, home, readCells } from '../directory.ts';
import { copyAndSwitch, finish, goOn, type Moving, takeBack, words } from './move.ts';
import { beginMove, findMove, type Move, openMoves, type Step } from './moves.ts';
import { MoveFailed, Sides } from './side.ts';

export type MoverParts = { db: Db; connection: Connection; key: SecretKey; log: Log };
export type Tell = (what: string) => void;
export type Moved = { accountId: number; from: number; to: number; waitedMs: number };

const steps: Record<Step, (moving: Moving) => Promise<void>> = { copying: copyAndSwitch, leaving: goOn, moved: finish };

const platformSql = sql<{ value: string }>('move platform account')`
  select value from installation where name = 'platform-account' and value = $1`;

/** Moves an account, or goes on with a move that was begun. */
export async function moveAccount(
  parts: MoverParts,
  accountId: number,
  to: number,
  actor: string,
  tell: Tell,
): Promise<Moved> {
  return withSides(parts, accountId, async sides => {
    const isResumed = await begin(sides, accountId, to);
    let waitsSince = monotonicMs();
    let waitedMs = 0;
    const watched = (what: string) => {
      if (what === words.waits) waitsSince = monotonicMs();
      if (what === words.goesOn) waitedMs = Math.round(monotonicMs() - waitsSince);
      tell(what);
    };
    const client = await sides.at(home);
    const first = (await findMove(client, accountId))!;
    for (let move: Move | undefined = first; move; move = await findMove(client, accountId))
      await steps[move.step]({ sides, move, isResumed, tell: watched });
    const { from } = first;
    await recordAuditEntry(parts.db, { accountId, actor, action: 'account.move', detail: { from, to } });
    return { accountId, from, to, waitedMs };
  });
}

/** Takes a move back; one with which the account has left is brought to its end instead. What became of it. */
export async function cancelMove(
  parts: MoverParts,
  accountId: number,
  tell: Tell,
): Promise<'cancelled' | 'moved' | null> {
  if (!(await findMove(parts.db, accountId))) return null;
  return withSides(parts, accountId, async sides => {
    const client = await sides.at(home);
    let move = await findMove(client, accountId);
    if (move?.step === 'leaving') await goOn({ sides, move, tell });
    move = await findMove(client, accountId);
    if (!move) return 'moved';
    const isOver = move.step === 'moved';
    await (isOver ? finish : takeBack)({ sides, move, tell });
    return isOver ? 'moved' : 'cancelled';
  });
}

/** A mover that died must not leave an account waiting. Returns how many moves it went on with. */
export async function relieveMoves(parts: MoverParts): Promise<number> {
  let relieved = 0;
  for (const { accountId: account, step } of await openMoves(parts.db)) {
    if (step === 'copying') continue;
    try {
      await withSides(parts, account, sides => relieve(sides, account));
    } catch (error) {
      // Its mover is at work; or a cell is away, which must not keep the others waiting.
      if (!(error instanceof MoveFailed))
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

async function relieve(sides: Sides, account: number): Promise<void> {
  const client = await sides.at(home);
  for (
    let move = await findMove(client, account);
    move && move.step !== 'copying';
    move = await findMove(client, account)
  )
    await steps[move.step]({ sides, move, tell: () => {} });
}

/** Whether it was begun before. */
async function begin(sides: Sides, accountId: number, to: number): Promise<boolean> {
  const client = await sides.at(home);
  sides.connection(to);
  const known = await findMove(client, accountId);
  if (known && known.to !== to)
    throw new MoveFailed(
      `account ${accountId} is on its way to cell ${known.to}; peyk account move ${accountId} ${known.to} --cancel takes that back`,
    );
  if (known) return true;
  const from = await cellOfAccount(client, accountId);
  if (from === to) throw new MoveFailed(`account ${accountId} is in cell ${to}`);
  if (!(await findAccount(await sides.at(from), accountId))) throw new MoveFailed(`there is no account ${accountId}`);
  if (await row(await sides.at(from), platformSql, [String(accountId)]))
    throw new MoveFailed(`account ${accountId} is the platform's own, and every cell has one`);
  await beginMove(client, accountId, from, to);
  return false;
}

async function withSides<T>(parts: MoverParts, accountId: number, work: (sides: Sides) => Promise<T>): Promise<T> {
  const cells = await readCells(parts.db, parts.key);
  const sides = new Sides(accountId, parts.connection, cells, parts.log);
  try {
    // Nobody else moves it from here on.
    await sides.at(home);
    return await work(sides);
  } finally {
    await sides.close();
  }
}
