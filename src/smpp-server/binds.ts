// Lists the binds and backlogs of all nodes for people, and unbinds customers on request. live-binds.ts writes the rows.
import { type Queryable, rows, runOf, sql } from '../db/db.ts';

export type SmppBind = {
  id: number;
  systemId: string;
  kind: 'transceiver' | 'transmitter' | 'receiver';
  address: string;
  secure: boolean;
  boundAt: Date;
  submits: number;
  /** Refused submits. */
  refusals: number;
  receipts: number;
  submitsPerSecond: number;
  receiptsPerSecond: number;
  /** Submits that we have not answered yet. */
  unanswered: number;
  lastError: string | null;
  lastErrorAt: Date | null;
};

/** `more`: there are more than are counted. */
type SmppBacklog = { systemId: string; waiting: number; more: boolean; oldestAt: Date | null };

const backlogCounted = 100_000;

/** Silence after which a process and its binds count as dead. */
export const nodeSilenceSeconds = 10;

const bindsSql = sql<SmppBind>('smpp binds')`
  select b.id, u.system_id as "systemId", b.kind, b.address, b.secure, b.bound_at as "boundAt", b.submits, b.refusals, b.receipts,
    b.submits_per_second as "submitsPerSecond", b.receipts_per_second as "receiptsPerSecond", b.unanswered,
    b.last_error as "lastError", b.last_error_at as "lastErrorAt"
  from smpp_users u join smpp_binds b on b.user_id = u.id
  join smpp_nodes n on n.id = b.node_id and n.beat_at > now() - $2 * interval '1 second'
  where u.account_id = $1 order by b.id`;
// Counted up to a bound and by index: the panel asks every few seconds, and a backlog may grow for days.
const backlogSql = sql<SmppBacklog>('smpp backlog')`
  select u.system_id as "systemId", least(o.waiting, $2) as waiting, o.waiting > $2 as "more", o.oldest as "oldestAt"
  from smpp_users u cross join lateral (
    select coalesce(sum(x.count), 0)::bigint as waiting, min(x.created_at) as oldest from (
      (select created_at, 1 as count from smpp_outbox where user_id = u.id and node_id is null order by due_at limit $2 + 1)
      union all
      (select created_at, 1 from smpp_outbox where user_id = u.id and node_id is not null limit $2 + 1)) x) o
  where u.account_id = $1 order by u.id`;

export function listSmppBinds(db: Queryable, accountId: number): Promise<SmppBind[]> {
  return rows(db, bindsSql, [accountId, nodeSilenceSeconds]);
}

/** Pending receipts and messages from phones of each user. */
export function smppBacklogs(db: Queryable, accountId: number): Promise<SmppBacklog[]> {
  return rows(db, backlogSql, [accountId, backlogCounted]);
}

/** Ends one bind of the user or all of them, within a second; returns how many. They may bind again. */
export const kickSmppBinds = runOf<[accountId: number, systemId: string, bindId: number | null]>('smpp kick')`
  update smpp_binds b set kicked = true from smpp_users u
  where u.account_id = $1 and u.system_id = $2 and b.user_id = u.id and (b.id = $3 or $3 is null)`;
