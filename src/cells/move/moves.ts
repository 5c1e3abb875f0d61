// Moves under way, in the home database: how far each came, so that whoever goes on with one knows where to begin.
import { type Queryable, row, rows, run, sql } from '../../db/db.ts';

/**
 * `copying`: the account works in its old cell, the new one has part of its history. `leaving`: it waits; where it is, the old cell says, which
 * has a parcel of it once it is gone. `moved`: it works in the new cell, the old one is cleared.
 */
export type Step = 'copying' | 'leaving' | 'moved';
/** `status`: of the account, while it waits. */
export type Move = {
  accountId: number;
  from: number;
  to: number;
  step: Step;
  status: string;
  begunAt: Date;
  stepAt: Date;
};

const columns = `account_id as "accountId", from_cell as "from", to_cell as "to", step, status, begun_at as "begunAt", step_at as "stepAt"`;
const oneSql = { name: 'move', text: `select ${columns} from account_moves where account_id = $1` };
const allSql = { name: 'moves', text: `select ${columns} from account_moves order by begun_at` };

export function findMove(db: Queryable, accountId: number): Promise<Move | undefined> {
  return row<Move>(db, oneSql, [accountId]);
}

/** The oldest first. */
export function openMoves(db: Queryable): Promise<Move[]> {
  return rows<Move>(db, allSql);
}

const beginSql = sql('move begin')`
  with moving as (
    insert into account_cells (account_id, cell, moving_to) values ($1, $2, $3)
    on conflict (account_id) do update set moving_to = excluded.moving_to)
  insert into account_moves (account_id, from_cell, to_cell, step) values ($1, $2, $3, 'copying')`;
const leaveSql = sql('move leave')`
  update account_moves set step = 'leaving', step_at = now(), status = $2 where account_id = $1`;
const stepSql = sql('move step')`update account_moves set step = $2, step_at = now() where account_id = $1`;
const endSql = sql('move end')`
  with still as (update account_cells set moving_to = null where account_id = $1 and moving_to is not null)
  delete from account_moves where account_id = $1`;

export async function beginMove(db: Queryable, accountId: number, from: number, to: number): Promise<void> {
  await run(db, beginSql, [accountId, from, to]);
}

export async function leaveStep(db: Queryable, accountId: number, status: string): Promise<void> {
  await run(db, leaveSql, [accountId, status]);
}

export async function setStep(db: Queryable, accountId: number, step: Step): Promise<void> {
  await run(db, stepSql, [accountId, step]);
}

export async function endMove(db: Queryable, accountId: number): Promise<void> {
  await run(db, endSql, [accountId]);
}
