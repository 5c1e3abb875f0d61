// Blacklisted numbers, newest first. The cursor is the time in microseconds, which a Date cannot hold.
import { type Queryable, row, sql } from '../../db/db.ts';
import { Conditions, likePiece } from '../queries/conditions.ts';

export type BlacklistRow = {
  number: number;
  source: 'api' | 'panel' | 'optout' | 'import' | 'operator';
  note: string | null;
  addedAt: Date;
  micros: number;
};
export type BlacklistAsked = {
  number?: number;
  digits?: string;
  source?: string;
  from?: Date;
  to?: Date;
  before?: { micros: number; number: number };
};

export async function blacklistRows(
  db: Queryable,
  accountId: number,
  asked: BlacklistAsked,
  most: number,
): Promise<BlacklistRow[]> {
  const filter = new Conditions()
    .add('account_id = ?', accountId)
    .add('number = ?', asked.number)
    .add('number::text like ?', asked.digits && likePiece(asked.digits))
    .add('source = ?', asked.source)
    .add('added_at >= ?', asked.from)
    .add('added_at < ?', asked.to);
  if (asked.before) {
    const micros = filter.place(asked.before.micros);
    const time = `timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
    filter.plain(`(added_at, number) < (${time}, ${filter.place(asked.before.number)})`);
  }
  const found = await db.query(
    `select number, source, note, added_at as "addedAt", (extract(epoch from added_at) * 1000000)::bigint as micros
     from blacklist_entries ${filter.where} order by added_at desc, number desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as BlacklistRow[];
}

const countSql = sql<{ count: number }>('panel blacklist count')`
  select count(*) as count from blacklist_entries where account_id = $1`;

export async function blacklistCount(db: Queryable, accountId: number): Promise<number> {
  return (await row(db, countSql, [accountId]))!.count;
}
