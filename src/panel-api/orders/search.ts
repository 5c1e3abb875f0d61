// The palette: an order by its id, a number in any form, a sender ID.
import { type Queryable, row, sql } from '../../db/db.ts';
import { formatNumber, parseNumber } from '../../numbers/phone.ts';
import type { Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import type { SearchHit } from '../overview/contract.ts';
import { senderRows } from '../senders/sender-list.ts';
import { type OrderRow, orderRow } from './order-lines.ts';

const hitsMax = 20;

const numberSql = sql<{ number: number | null }>('panel search message')`
  select number from messages where account_id = $1 and id = $2`;

/** For an order that was found by the id of one of its messages (src/orders/known-by.ts): that message. */
async function numberKnownBy(db: Queryable, accountId: number, order: OrderRow, asked: number): Promise<number | null> {
  if (asked === order.id) return null;
  return (await row(db, numberSql, [accountId, order.firstMessageId + asked - order.id]))?.number ?? null;
}

export const searchHandlers = {
  async search(call) {
    const wanted = call.input.text.trim();
    const hits: SearchHit[] = [];
    if (wanted === '') return { hits };
    const number = parseNumber(wanted, true);
    if (number > 0) hits.push({ kind: 'number', number: formatNumber(number), digits: String(number) });
    if (/^\d{6,15}$/.test(wanted)) {
      const order = await orderRow(call.db, call.account.id, Number(wanted));
      if (order) {
        const { id, sender, state } = order;
        hits.push({ kind: 'order', id, sender, state, submitAt: iso(order.submitAt) });
        const asked = await numberKnownBy(call.db, call.account.id, order, Number(wanted));
        if (asked !== null) hits.push({ kind: 'number', number: formatNumber(asked), digits: String(asked) });
      }
    }
    const folded = wanted.toLocaleUpperCase('tr').replaceAll('İ', 'I');
    for (const one of await senderRows(call.db, call.account.id))
      if (one.name.toUpperCase().includes(folded)) hits.push({ kind: 'sender', name: one.name, state: one.state });
    return { hits: hits.slice(0, hitsMax) };
  },
} satisfies Partial<Handlers>;
