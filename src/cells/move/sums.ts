// The sums of an account's ledger (src/balance/checkpoints.ts) are kept by the order of numbers of one database, so they do not
// travel: the new cell gets the whole sum as of the last entry that came, and counts on from there.
import { type Db, row, run, sql } from '../../db/db.ts';

type Sums = { sms: number; entries: number; through: number };

// What the old cell has summed up, and what came since.
const sumSql = sql<Sums>('move ledger sums')`
  select coalesce(t.sms, 0) + coalesce(l.sms, 0)::bigint as sms, coalesce(t.entries, 0) + coalesce(l.entries, 0) as entries,
    coalesce((select max(x.id) from ledger_entries x where x.account_id = $1), 0) as through
  from (values (1)) one
  left join ledger_totals t on t.account_id = $1
  left join lateral (
    select sum(x.sms) as sms, count(*) as entries from ledger_entries x
    where x.account_id = $1 and x.id > greatest(t.through_id, (select p.through_id from ledger_progress p))) l on true`;
const putSql = sql('move ledger sums put')`
  insert into ledger_totals (account_id, sms, entries, through_id) values ($1, $2, $3, $4)
  on conflict (account_id) do update set sms = excluded.sms, entries = excluded.entries, through_id = excluded.through_id`;

export async function carrySums(source: Db, target: Db, account: number): Promise<void> {
  const { sms, entries, through } = (await row(source, sumSql, [account]))!;
  await run(target, putSql, [account, sms, entries, through]);
}
