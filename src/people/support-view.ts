// Staff looking at an account as its people see it: a mark on the staff member's own session, which ends by itself. What it
// lets them do is decided in panel-api/call/call.ts; here it only begins, ends and takes off the mask.

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
