// Erases a number from items that the database refused (poison.ts): they are answers of carriers and may contain any number.
import { isWritten, lastDigits } from '../numbers/written.ts';
import { sql } from './db.ts';
import { byId, type Eraser } from './erase.ts';
import { dayMs, type RetentionStep } from './retention.ts';

export const refusedItemsEnd: RetentionStep = {
  statement: sql('retention refused items')`delete from refused_items where id = any (array(
    select x.id from (select id, at from refused_items order by id limit 1000) x where x.at < $1))`,
  olderMs: 90 * dayMs,
};

const findSql = sql<{ id: number; item: string }>('refused items erase find')`
  select id, item from refused_items where id > $1 order by id limit 1000`;
const eraseSql = sql('refused items erase')`update refused_items set item = '***' where id = any ($1)`;

export const eraseRefusedItems: Eraser = (db, number) =>
  byId(db, { find: findSql, wanted: one => names(one.item, number), change: eraseSql });

function names(item: string, number: number): boolean {
  return (item.match(/\+?\d{10,15}/g) ?? []).some(one => isWritten(number, one) || one === lastDigits(number));
}
