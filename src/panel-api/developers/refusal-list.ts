// Refused calls of the API: one by one, and grouped by cause.
import { type Queryable, row, rowsOf, sql } from '../../db/db.ts';
import { Conditions } from '../queries/conditions.ts';

export type RefusalRow = {
  id: number;
  at: Date;
  operation: string;
  code: number;
  cause: string;
  address: string | null;
  agent: string | null;
  keyStart: string | null;
};
export type RefusalsAsked = {
  code?: number;
  cause?: string;
  operation?: string;
  address?: string;
  from?: Date;
  to?: Date;
  before?: number;
};

export async function refusalRows(
  db: Queryable,
  accountId: number,
  asked: RefusalsAsked,
  most: number,
): Promise<RefusalRow[]> {
  const filter = new Conditions()
    .add('account_id = ?', accountId)
    .add('code = ?', asked.code)
    .add('cause = ?', asked.cause)
    .add('operation = ?', asked.operation)
    .add('address = ?', asked.address)
    .add('at >= ?', asked.from)
    .add('at < ?', asked.to)
    .add('id < ?', asked.before);
  const found = await db.query(
    `select id, at, operation, code, cause, address, agent, key_start as "keyStart" from api_refusals ${filter.where}
     order by id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as RefusalRow[];
}

// Bounded: in a flood the newest 20,000 are representative.
export const refusalGroups = rowsOf<
  {
    code: number;
    cause: string;
    count: number;
    firstAt: Date;
    lastAt: Date;
    addresses: string[];
  },
  [accountId: number, since: Date]
>('panel refusal groups')`
  select code, cause, count(*) as count, min(at) as "firstAt", max(at) as "lastAt",
    (array_agg(distinct address) filter (where address is not null))[1:10] as addresses
  from (select code, case when code = 422 then '{}' else cause end as cause, address, at from api_refusals
    where account_id = $1 and at >= $2 order by id desc limit 20000) r
  group by code, cause order by count(*) desc limit 50`;

const countSql = sql<{ count: number }>('panel refusal count')`
  select count(*) as count from (select 1 from api_refusals where account_id = $1 and at >= $2 limit 10000) r`;

export async function refusalCount(db: Queryable, accountId: number, since: Date): Promise<number> {
  return (await row(db, countSql, [accountId, since]))!.count;
}
