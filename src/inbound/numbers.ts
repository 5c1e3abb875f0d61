// Numbers that people write to: long numbers of one account, short codes shared by keyword.
import { type Queryable, row, rows, sql } from '../db/db.ts';
import { foldKeyword, legalOptOutWords } from '../text/keywords.ts';

export type InboundNumber = { number: string; keyword: string };

const addSql = sql<InboundNumber & { accountId: number }>('inbound number add')`
  insert into inbound_numbers (account_id, number, keyword) values ($1, $2, $3)
  on conflict (number, keyword) do update set number = excluded.number
  returning account_id as "accountId", number, keyword`;

export async function addInboundNumber(
  db: Queryable,
  accountId: number,
  given: string,
  word: string,
): Promise<InboundNumber> {
  const number = given.replace(/^\+/, '');
  if (!/^\d{3,15}$/.test(number)) throw new Error('an inbound number has 3 to 15 digits');
  const keyword = foldKeyword(word);
  if (word !== '' && !/^[A-Z0-9]{1,20}$/.test(keyword)) throw new Error('a keyword is one word of letters and digits');
  if (legalOptOutWords.includes(keyword)) throw new Error(`${keyword} is an opt-out word and cannot be a keyword`);
  const added = (await row(db, addSql, [accountId, number, keyword]))!;
  if (added.accountId !== accountId) throw new Error(`${number} ${keyword} belongs to another account`);
  return { number: added.number, keyword: added.keyword };
}

const listSql = sql<InboundNumber & { accountId: number }>('inbound number list')`
  select account_id as "accountId", number, keyword from inbound_numbers where $1::bigint is null or account_id = $1
  order by number, keyword limit 10000`;

/** Of one account, or of all (null). */
export function listInboundNumbers(
  db: Queryable,
  accountId: number | null,
): Promise<(InboundNumber & { accountId: number })[]> {
  return rows(db, listSql, [accountId]);
}

const removeSql = sql<InboundNumber>('inbound number remove')`
  delete from inbound_numbers where account_id = $1 and number = $2 and keyword = $3 returning number, keyword`;

/** Later messages to the number are unrouted; received ones stay. Returns undefined if the number was not the account's. */
export function removeInboundNumber(
  db: Queryable,
  accountId: number,
  number: string,
  word: string,
): Promise<InboundNumber | undefined> {
  return row(db, removeSql, [accountId, number.replace(/^\+/, ''), foldKeyword(word)]);
}
