// Moves in progress, in the home database, with the step that each has reached.
import { type Queryable, rowsOf, runOf } from '../../db/db.ts';

/**
 * `copying`: the account works in its old cell. `leaving`: it waits; it has left the old cell if there is a parcel.
 * `moved`: it works in the new cell, and the old one is cleared.
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

/** The oldest first. */
export const openMoves = rowsOf<Move>('moves')`
  select account_id as "accountId", from_cell as "from", to_cell as "to", step, status, begun_at as "begunAt", step_at as "stepAt"
  from account_moves order by begun_at`;

export async function findMove(db: Queryable, accountId: number): Promise<Move | undefined> {
  return (await openMoves(db)).find(one => one.accountId === accountId);
}

export const beginMove = runOf<[accountId: number, from: number, to: number]>('move begin')`
  with moving as (
    insert into account_cells (account_id, cell, moving_to) values ($1, $2, $3)
    on conflict (account_id) do update set moving_to = excluded.moving_to)
  insert into account_moves (account_id, from_cell, to_cell, step) values ($1, $2, $3, 'copying')`;

/** `status` null: unchanged. */
export const setStep = runOf<[accountId: number, step: Step, status: string | null]>('move step')`
  update account_moves set step = $2, step_at = now(), status = coalesce($3, status) where account_id = $1`;

export const endMove = runOf<[accountId: number]>('move end')`
  with still as (update account_cells set moving_to = null where account_id = $1 and moving_to is not null)
  delete from account_moves where account_id = $1`;
