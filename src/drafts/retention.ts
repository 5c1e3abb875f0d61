// Drafts that nobody has touched for a month, and those that were sent, go away.
import { type Queryable, run, sql } from '../db/db.ts';

const keptDays = 30;

// What was sent is kept for a day: so long may the answer to a click have been lost.
const sweepSql = {
  name: 'draft sweep',
  text: `delete from send_drafts d using (
      select id, account_id from send_drafts where updated_at < now() - interval '${keptDays} days' order by updated_at limit 20) o
    where d.id = o.id and d.account_id = o.account_id`,
};
const sweepSentSql = sql('draft sweep sent')`
  delete from send_drafts where sent_at is not null and updated_at < now() - interval '1 day' and id in (
    select id from send_drafts where sent_at is not null and updated_at < now() - interval '1 day' order by updated_at limit 20)`;

export async function sweepDrafts(db: Queryable): Promise<number> {
  return (await run(db, sweepSql)) + (await run(db, sweepSentSql));
}
