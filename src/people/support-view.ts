// Staff viewing an account as its people see it: a mark on the staff member's own session that ends by itself.
// panel-api/call/call.ts decides what it allows; this file begins it, ends it and removes the mask.

import { type Queryable, run, runOf, sql } from '../db/db.ts';
import { now } from '../time/clock.ts';

const viewLifeMs = 3_600_000;

const beginSql = sql('support view begin')`
  update sessions set viewing_account_id = $2, viewing_until = $3, viewing_revealed = false where id = $1`;
const revealSql = sql('support view reveal')`
  update sessions set viewing_revealed = true where id = $1 and viewing_account_id = $2 and viewing_until > $3`;
export const endView = runOf<[sessionId: number]>('support view end')`
  update sessions set viewing_account_id = null, viewing_until = null, viewing_revealed = false where id = $1`;

export async function beginView(db: Queryable, sessionId: number, accountId: number): Promise<void> {
  await run(db, beginSql, [sessionId, accountId, new Date(now().getTime() + viewLifeMs)]);
}

export async function revealView(db: Queryable, sessionId: number, accountId: number): Promise<void> {
  await run(db, revealSql, [sessionId, accountId, now()]);
}
