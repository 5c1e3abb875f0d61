// Counts what waits for a carrier. Chunks are few (one per 500 messages), so counting all of them is cheap.
import { type Queryable, row, rows, sql } from '../../db/db.ts';

export type LaneRow = {
  lane: number;
  messages: number;
  chunks: number;
  leased: number;
  quarantined: number;
  oldestSeconds: number;
  /** Due messages that no dispatcher has claimed. */
  due: number;
};

const oldest = `coalesce(extract(epoch from now() - min(due_at) filter (where lease_owner is null and lost < 2
  and due_at <= now())), 0)::integer as "oldestSeconds"`;
const lanesSql = {
  name: 'panel lanes',
  text: `select lane, coalesce(sum(count), 0)::bigint as messages, count(*) as chunks,
      count(*) filter (where lease_owner is not null) as leased, count(*) filter (where lost >= 2) as quarantined, ${oldest},
      coalesce(sum(count) filter (where lease_owner is null and lost < 2 and due_at <= now()), 0)::bigint as due
    from chunks group by lane order by lane`,
};

export function laneDepths(db: Queryable): Promise<LaneRow[]> {
  return rows<LaneRow>(db, lanesSql);
}

const accountsSql = {
  name: 'panel queue accounts',
  text: `select c.account_id as "accountId", a.name, c.lane, c.messages, c."oldestSeconds" from (
      select account_id, lane, sum(count)::bigint as messages, ${oldest} from chunks group by 1, 2
      order by 3 desc limit 50) c
    join accounts a on a.id = c.account_id order by c.messages desc`,
};

type QueueAccountRow = {
  accountId: number;
  name: string;
  lane: number;
  messages: number;
  oldestSeconds: number;
};

export function queueAccounts(db: Queryable): Promise<QueueAccountRow[]> {
  return rows<QueueAccountRow>(db, accountsSql);
}

const scheduledSql = sql<{ count: number }>('panel scheduled all')`
  select count(*) as count from orders o where planned`;

export async function scheduledOfAll(db: Queryable): Promise<number> {
  return (await row(db, scheduledSql))!.count;
}
