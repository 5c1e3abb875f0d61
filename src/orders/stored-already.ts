// Which orders of a batch are stored although the server answered with an error. accept_many_3 tells dispatchers after its
// commit: a lock that is not free in time then fails a statement whose orders are already there.
import { arrayLiteral, type Db, rows, sql } from '../db/db.ts';
import type { AcceptRequest } from './accept-request.ts';

// By what makes an order a duplicate of another, and the moment at which it was submitted: within the window in which equal
// orders are refused nobody else's order has all of it. The record that nobody reads is the one that accept_many_3 did not
// come to write: when this statement ends, what it found is on the disk.
const storedSql = sql<{ place: number; orderId: number }>('orders stored already')`
  select distinct on (o.id) u.place::integer as place, o.id as "orderId",
    (select pg_logical_emit_message(true, 'peyk', '')) as "written"
  from unnest($1::bigint[], $2::bigint[]) with ordinality u(account, fingerprint, place)
  join orders o on o.account_id = u.account and o.fingerprint = u.fingerprint and o.submit_at = $3
  order by o.id, u.place`;

/** Their ids by their places in the batch. Of duplicates the first is the one that was stored. */
export async function storedAlready(db: Db, requests: AcceptRequest[]): Promise<Map<number, number>> {
  const found = await rows(db, storedSql, [
    arrayLiteral(requests.map(one => one.accountId)),
    `{${requests.map(one => one.recipients.fingerprint).join(',')}}`,
    requests[0]!.submitAt.toISOString(),
  ]);
  return new Map(found.map(one => [one.place - 1, one.orderId]));
}
