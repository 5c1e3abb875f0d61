// Which orders of a batch are stored although the server answered with an error. accept_many_4 tells dispatchers after its
// commit: a lock that is not free in time then fails a statement whose orders are already there.
import { arrayLiteral, type Db, rows, sql } from '../db/db.ts';
import type { AcceptRequest } from './accept-request.ts';
import type { Place } from './joint-orders.ts';

// By what makes an order a duplicate of another, and the moment at which it was submitted: within the window in which equal
// orders are refused nobody else's order has all of it. The record that nobody reads is the one that accept_many_4 did not
// come to write: when this statement ends, what it found is on the disk.
const storedSql = sql<{ place: number; orderId: number; numbers: number[] | null }>('orders stored already')`
  select distinct on (o.id) u.place::integer as place, o.id as "orderId", case when o.total > 1 then array(
      select m.number from messages m where m.account_id = o.account_id and m.id between o.first_message_id and o.first_message_id + o.total - 1
      order by m.id) end as numbers,
    (select pg_logical_emit_message(true, 'peyk', '')) as "written"
  from unnest($1::bigint[], $2::bigint[]) with ordinality u(account, fingerprint, place)
  join orders o on o.account_id = u.account and o.fingerprint = u.fingerprint and o.submit_at = $3
  order by o.id, u.place`;

/** Where they are stored, by their places in the batch. Of duplicates the first is the one that was stored. */
export async function storedAlready(
  db: Db,
  requests: AcceptRequest[],
  groups: number[] | null,
): Promise<Map<number, Place>> {
  const found = await rows(db, storedSql, [
    arrayLiteral(requests.map(one => one.accountId)),
    `{${requests.map(one => one.recipients.fingerprint).join(',')}}`,
    requests[0]!.submitAt.toISOString(),
  ]);
  const stored = new Map<number, Place>();
  for (const { place, orderId, numbers } of found)
    if (numbers && groups) addMembers(stored, requests, groups, place - 1, orderId, numbers);
    else stored.set(place - 1, { orderId, nth: 0 });
  return stored;
}

/** Of a group those stand in the order that were not refused, one behind the other; the first of them names it. */
function addMembers(
  stored: Map<number, Place>,
  requests: AcceptRequest[],
  groups: number[],
  first: number,
  orderId: number,
  numbers: number[],
): void {
  let nth = 0;
  for (let at = first; groups[at] === groups[first] && nth < numbers.length; at++)
    if (requests[at]!.recipients.numbers[0] === numbers[nth]) stored.set(at, { orderId, nth: nth++ });
}
