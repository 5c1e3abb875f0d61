// Removes drafts that were not changed for a month, and drafts that were sent.
import { type Queryable, run, sql } from '../db/db.ts';

const keptDays = 30;

// Sent drafts are kept for a day, so that a click whose answer was lost can be repeated.
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
