// Removes old records of an account's use: the API log after a month, notices after the retention of orders. Ids grow with
// time, so each step looks at the oldest thousand rows.
import { sql } from '../db/db.ts';
import { dayMs, type RetentionStep } from '../db/retention.ts';

export const refusalsEnd: RetentionStep = {
  statement: sql('retention refusals')`delete from api_refusals where id = any (array(
    select x.id from (select id, at from api_refusals order by id limit 1000) x where x.at < $1))`,
  olderMs: 30 * dayMs,
};

export const callsEnd: RetentionStep = {
  statement: sql('retention calls')`delete from api_calls where id = any (array(
    select x.id from (select id, at from api_calls order by id limit 1000) x where x.at < $1))`,
  olderMs: 30 * dayMs,
};

export const noticesEnd: RetentionStep = {
  statement: sql('retention notices')`delete from account_notices where (id, account_id) in (
    select x.id, x.account_id from (select id, account_id, created_at from account_notices order by id limit 1000) x
    where x.created_at < $1)`,
  olderMs: 400 * dayMs,
};
