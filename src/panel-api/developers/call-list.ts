// Successful API calls, newest first, with the name of the key if it still exists.
import type { Queryable } from '../../db/db.ts';
import { Conditions } from '../queries/conditions.ts';

type CallRow = {
  id: number;
  at: Date;
  operation: string;
  ms: number;
  orderId: number | null;
  keyStart: string | null;
  keyName: string | null;
  address: string;
};
type CallsAsked = {
  operation?: string;
  address?: string;
  keyStart?: string;
  orderId?: number;
  from?: Date;
  to?: Date;
  before?: number;
};

export async function callRows(db: Queryable, accountId: number, asked: CallsAsked, most: number): Promise<CallRow[]> {
  const filter = new Conditions()
    .add('l.account_id = ?', accountId)
    .add('l.operation = ?', asked.operation)
    .add('l.address = ?', asked.address)
    .add('l.key_start = ?', asked.keyStart)
    .add('l.order_id = ?', asked.orderId)
    .add('l.at >= ?', asked.from)
    .add('l.at < ?', asked.to)
    .add('l.id < ?', asked.before);
  const found = await db.query(
    `select l.id, l.at, l.operation, l.ms, l.order_id as "orderId", l.key_start as "keyStart", l.address,
       (select c.name from credentials c where c.account_id = l.account_id and left(c.key, 8) = l.key_start limit 1) as "keyName"
     from api_calls l ${filter.where} order by l.id desc limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as CallRow[];
}
