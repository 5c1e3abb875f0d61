// The API log of an account goes after a month. Rows with ids that grow with time: each step looks at the oldest thousand.
import { type Queryable, sql } from '../db/db.ts';
import { dayMs, type Left, type RetentionStep, removeOlder } from '../db/retention.ts';

const steps: RetentionStep[] = [
  {
    statement: sql('retention refusals')`delete from api_refusals where id = any (array(
      select x.id from (select id, at from api_refusals order by id limit 1000) x where x.at < $1))`,
    olderMs: 30 * dayMs,
    piece: 1_000,
  },
  {
    statement: sql('retention calls')`delete from api_calls where id = any (array(
      select x.id from (select id, at from api_calls order by id limit 1000) x where x.at < $1))`,
    olderMs: 30 * dayMs,
    piece: 1_000,
  },
];

export function retainApiLog(db: Queryable): Promise<Left> {
  return removeOlder(db, steps);
}
