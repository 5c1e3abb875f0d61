// Moves under way, in the home database, with the step that each has reached.
import { type Queryable, row, rows, run, sql } from '../../db/db.ts';

/**
 * `copying`: the account works in its old cell. `leaving`: it waits; it has left the old cell if there is a parcel. `moved`: it works in the new
 * cell, and the old one is cleared.
 */
export type Step = 'copying' | 'leaving' | 'moved';
/** `status`: of the account before it waited. */
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
const stepSql = sql('move step')`
  update account_moves set step = $2, step_at = now(), status = coalesce($3, status) where account_id = $1`;
const endSql = sql('move end')`
  with still as (update account_cells set moving_to = null where account_id = $1 and moving_to is not null)
  delete from account_moves where account_id = $1`;

export async function beginMove(db: Queryable, accountId: number, from: number, to: number): Promise<void> {
  await run(db, beginSql, [accountId, from, to]);
}

export async function setStep(
  db: Queryable,
  accountId: number,
  step: Step,
  status: string | null = null,
): Promise<void> {
  await run(db, stepSql, [accountId, step, status]);
}

export async function endMove(db: Queryable, accountId: number): Promise<void> {
  await run(db, endSql, [accountId]);
}
