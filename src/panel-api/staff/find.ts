// Searches all accounts for support: an order by its id, accounts related to a phone number.
import { type Queryable, row, rowsOf, sql } from '../../db/db.ts';
import { knownBy } from '../../orders/known-by.ts';
import type { OrderState } from '../orders/contract.ts';

type FoundOrder = { id: number; accountId: number; accountName: string; state: OrderState; submitAt: Date };

const orderSql = sql<FoundOrder>('staff find order')`
  select o.id, o.account_id as "accountId", a.name as "accountName", o.state, o.submit_at as "submitAt"
  from orders o join accounts a on a.id = o.account_id join balances b on b.account_id = a.id where o.id = $1`;

export function orderOfAnyone(db: Queryable, id: number): Promise<FoundOrder | undefined> {
  return knownBy(db, null, id, known => row(db, orderSql, [known]));
}

// One index lookup per account and table, then a walk over its open orders.
export const accountsOfNumber = rowsOf<{ accountId: number; accountName: string }, [number: number, most: number]>(
  'staff find number',
)`
  select a.id as "accountId", a.name as "accountName" from accounts a join balances l on l.account_id = a.id
  where (exists (select 1 from message_numbers n where n.account_id = a.id and n.number = $1)
    or exists (select 1 from inbound_messages i where i.account_id = a.id and i.number = $1)
    or exists (select 1 from blacklist_entries b where b.account_id = a.id and b.number = $1)
    or exists (select 1 from messages_of_number(a.id, $1, 9223372036854775807, 1)))
  order by a.id desc limit $2`;
