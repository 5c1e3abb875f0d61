// Who moves accounts: the command, from its first step to its last; and a task of the background, which ends what a command that
// died left in the middle of its seconds.
import { findAccount } from '../../accounts/account.ts';
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import { type Connection, type Db, openPool, row, sql } from '../../db/db.ts';
import { statementLimits } from '../../db/statement-limits.ts';
import type { Log } from '../../log.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { type Cell, cellOfAccount, home, readCells } from '../directory.ts';
import { backToCopying, cancel, copyAndSwitch, finish, MoveFailed, type Moving, prepare, words } from './move.ts';
import { beginMove, findMove, type Move, openMoves, type Step } from './moves.ts';
import { lockMove, type Session } from './session.ts';
import type { Side } from './side.ts';

export type MoverParts = { db: Db; connection: Connection; key: SecretKey; log: Log };
export type Tell = (what: string) => void;
export type Moved = { accountId: number; from: number; to: number; waitedMs: number };

const steps: Record<Step, (moving: Moving) => Promise<void>> = {
  begun: prepare,
  copying: copyAndSwitch,
  fenced: backToCopying,
  switched: finish,
};

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
  const begun = await existing(parts, accountId, to);
  return withMove(parts, begun, tell, async moving => {
    let fencedAt = 0;
    let waitedMs = 0;
    const watched: Moving = {
      ...moving,
      tell(what) {
        if (what === words.fenced) fencedAt = monotonicMs();
        if (what === words.goesOn) waitedMs = Math.round(monotonicMs() - fencedAt);
        tell(what);
      },
    };
    for (let move: Move | undefined = moving.move; move; move = await findMove(parts.db, accountId))
      await steps[move.step]({ ...watched, move });
    const { from } = moving.move;
    const detail = { from, to };
    await recordAuditEntry(parts.db, { accountId, actor, action: 'account.move', detail });
    return { accountId, from, to, waitedMs };
  });
}

/** Takes a move back; one that has passed the switch is brought to its end instead. What became of it. */
export async function cancelMove(
  parts: MoverParts,
  accountId: number,
  tell: Tell,
): Promise<'cancelled' | 'moved' | null> {
  const move = await findMove(parts.db, accountId);
  if (!move) return null;
  return withMove(parts, move, tell, async moving => {
    const isOver = moving.move.step === 'switched';
    await (isOver ? finish(moving) : cancel(moving));
    return isOver ? 'moved' : 'cancelled';
  });
}

/** A mover that died must not leave an account waiting. Returns how many moves it went on with. */
export async function relieveMoves(parts: MoverParts): Promise<number> {
  let relieved = 0;
  for (const move of await openMoves(parts.db)) {
    if (move.step !== 'fenced' && move.step !== 'switched') continue;
    const session = await lockMove(parts.connection, move.accountId);
    if (!session) continue;
    try {
      await withSides(
        parts,
        session,
        move,
        () => {},
        moving => steps[moving.move.step](moving),
      );
      parts.log.warn(
        { account: move.accountId, step: move.step },
        'move: its mover is gone; the account no longer waits',
      );
      relieved++;
    } finally {
      await session.end();
    }
  }
  return relieved;
}

async function existing(parts: MoverParts, accountId: number, to: number): Promise<Move> {
  const cells = await readCells(parts.db, parts.key);
  if (!cells.some(one => one.id === to)) throw new MoveFailed(`there is no cell ${to}`);
  const known = await findMove(parts.db, accountId);
  if (known && known.to !== to)
    throw new MoveFailed(
      `account ${accountId} is on its way to cell ${known.to}; peyk account move ${accountId} ${known.to} --cancel takes that back`,
    );
  if (known) return known;
  const from = await cellOfAccount(parts.db, accountId);
  if (from === to) throw new MoveFailed(`account ${accountId} is in cell ${to}`);
  await withDb(parts, cells, from, async db => {
    if (!(await findAccount(db, accountId))) throw new MoveFailed(`there is no account ${accountId}`);
    if (await row(db, platformSql, [String(accountId)]))
      throw new MoveFailed(`account ${accountId} is the platform's own, and every cell has one`);
  });
  await beginMove(parts.db, accountId, from, to);
  return (await findMove(parts.db, accountId))!;
}

async function withMove<T>(
  parts: MoverParts,
  move: Move,
  tell: Tell,
  work: (moving: Moving) => Promise<T>,
): Promise<T> {
  const session = await lockMove(parts.connection, move.accountId);
  if (!session) throw new MoveFailed(`account ${move.accountId} is being moved by somebody else at this moment`);
  try {
    return await withSides(parts, session, move, tell, work);
  } finally {
    await session.end().catch(() => {});
  }
}

async function withSides<T>(
  parts: MoverParts,
  session: Session,
  { accountId, from, to }: Move,
  tell: Tell,
  work: (moving: Moving) => Promise<T>,
): Promise<T> {
  const cells = await readCells(parts.db, parts.key);
  const source = openSide(parts, cells, from);
  const target = openSide(parts, cells, to);
  try {
    // As it is now that nobody else touches it.
    const move = await findMove(session.client, accountId);
    if (!move) throw new MoveFailed(`account ${accountId} is no longer being moved`);
    return await work({ session, move, source, target, tell });
  } finally {
    await Promise.all([source.db.end(), target.db.end()]);
  }
}

/** Pools of our own, with time for what reads whole tables. */
function openSide({ connection, log }: MoverParts, cells: Cell[], cell: number): Side {
  const found = cells.find(one => one.id === cell);
  if (!found) throw new MoveFailed(`there is no cell ${cell}`);
  const place = cell === home ? connection : found.connection!;
  const onError = (error: Error) => log.warn({ cell, error: error.message }, 'move: database connection lost');
  return {
    cell,
    connection: place,
    db: openPool(place, { max: 3, name: 'peyk move', onError, limit: statementLimits.audit }),
  };
}

async function withDb(parts: MoverParts, cells: Cell[], cell: number, work: (db: Db) => Promise<void>): Promise<void> {
  const { db } = openSide(parts, cells, cell);
  await work(db).finally(() => db.end());
}
