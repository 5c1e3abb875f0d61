// Submits that were never answered and may be on the air. Which receipts may tell about them: adopt_receipts_1.
import { arrayLiteral, type Db, type Queryable, row, rows, run, sql, transaction } from '../db/db.ts';

// Over which carrier, and since when a receipt can be about it. After the death of a process nobody knows: then only where a
// single carrier serves the number, and not before the mark was moved for the last time. A message lost twice over two
// carriers can be meant by either: nobody knows again.
const doubtSql = sql('doubts enter')`
  insert into doubts as d (message_id, account_id, number, carrier_id, written_at, single)
  select m.id, m.account_id, m.number, coalesce(k.carrier_id, (
      select min(c.id) from carriers c where c.prefixes = '{}'
        or exists (select 1 from unnest(c.prefixes) p where starts_with(m.number::text, p)) having count(*) = 1)),
    coalesce(u.written_at, k.marked_at), m.credits = 1
  from chunks k cross join lateral unnest(k.ids, k.written_at) u(id, written_at)
  join messages m on m.id = u.id and m.account_id = k.account_id
  where k.id = $1 and k.lease_owner is not null and k.lease_token = $2 and m.id = any ($3)
  on conflict (message_id, account_id) do update
    set carrier_id = case when d.carrier_id = excluded.carrier_id then d.carrier_id end`;

/** From now on receipts with an unknown id may be about these messages of an unsure chunk, for days. */
export async function enterDoubts(
  db: Queryable,
  chunk: { chunkId: number | null; token: number },
  messages: number[],
): Promise<void> {
  await run(db, doubtSql, [chunk.chunkId, chunk.token, arrayLiteral(messages)]);
}

type Told = { id: number; accountId: number; status: number; reason: number };
const adoptSql = sql<Told>('doubts adopt')`
  select message_id as id, account_id as "accountId", status, reason from adopt_receipts_1($1, $2)`;
const newest = 5_000;

/** How these messages ended, of those that a receipt can be about and nothing else; to be settled in the same transaction. */
export function adoptReceipts(db: Queryable, messages: number[]): Promise<Told[]> {
  return rows(db, adoptSql, [arrayLiteral(messages), newest]);
}

const lateSql = sql('doubts late')`
  select settle_1($1, $2, $3, array_fill(0::smallint, array[cardinality($2::bigint[])])), note_late_1($1, $2, $3)`;

/** Deliveries that become known after their message was sent once more or given up; returns how many. */
export async function adoptLate(db: Db): Promise<number> {
  return transaction(db, async tx => {
    const told = await rows(tx, adoptSql, [null, newest]);
    if (told.length === 0) return 0;
    const columns = [told.map(one => one.accountId), told.map(one => one.id), told.map(one => one.status)];
    await run(tx, lateSql, columns.map(arrayLiteral));
    return told.length;
  });
}

const correctSql = sql<{ corrected: number }>('doubts correct')`select correct_late_1($1) as corrected`;
const correctedAtOnce = 1_000;

/** What was told to be delivered after it was closed for lack of a receipt; returns how many were corrected. */
export async function correctLate(db: Queryable): Promise<number> {
  return (await row(db, correctSql, [correctedAtOnce]))!.corrected;
}
