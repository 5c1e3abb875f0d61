// A message being made, kept on the server, so that a reload loses nothing and another machine can go on with it. Drafts
// belong to the account: whoever may send may go on with a colleague's.

import type { RecipientType } from '../consent/record.ts';
import { type Queryable, row, rows, run, sql } from '../db/db.ts';
import { openJson, sealJson, Unreadable, unreadableText } from '../sealing/content.ts';

/** What the form holds. */
export type DraftHead = {
  sender: string;
  text: string;
  /** For empty values, by field name. */
  fallbacks: Record<string, string>;
  /** Turkey time `YYYY-MM-DD HH:MM`, or null for now. */
  sendAt: string | null;
  commercial: boolean;
  list: RecipientType | null;
  /** So many recipients an hour, the first at the time above; null: all at once. */
  perHour: number | null;
  /** Hours of the day in Turkey, `HH:MM`, in which nothing is begun. */
  quiet: { from: string; to: string } | null;
};

/** How the rows of the list are to be read. */
export type ListShape = {
  fileName: string | null;
  header: boolean;
  numberColumn: number;
  /** Column names, as fields of the text name them. */
  names: string[];
};

export type Draft = {
  id: number;
  accountId: number;
  userId: number;
  head: DraftHead;
  shape: ListShape | Record<string, never>;
  listNo: number;
  rowCount: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  orderIds: number[] | null;
};

export const draftsPerAccountMax = 50;

const columns = `id, account_id as "accountId", user_id as "userId", head, shape, list_no as "listNo", row_count as "rowCount",
  version, created_at as "createdAt", updated_at as "updatedAt", order_ids as "orderIds"`;

const insertSql = {
  name: 'draft insert',
  text: `insert into send_drafts (account_id, user_id, head) select $1, $2, $3
    where (select count(*) from send_drafts where account_id = $1 and sent_at is null) < ${draftsPerAccountMax}
    returning ${columns}`,
};

/** undefined when the account has as many as it may. */
export async function createDraft(db: Queryable, accountId: number, userId: number, head: DraftHead) {
  return opened(await row<Draft>(db, insertSql, [accountId, userId, sealJson(head)]));
}

const findSql = { name: 'draft find', text: `select ${columns} from send_drafts where id = $1 and account_id = $2` };
const lockSql = { name: 'draft lock', text: `${findSql.text} for update` };

export async function findDraft(db: Queryable, accountId: number, id: number): Promise<Draft | undefined> {
  return opened(await row<Draft>(db, findSql, [id, accountId]));
}

/** Whoever sends it holds it: two clicks at once become one send and its repeat. */
export async function lockDraft(tx: Queryable, accountId: number, id: number): Promise<Draft | undefined> {
  return opened(await row<Draft>(tx, lockSql, [id, accountId]));
}

function opened<T extends Pick<Draft, 'head' | 'shape'>>(draft: T | undefined): T | undefined {
  return draft && { ...draft, ...readForm(draft) };
}

/** One that somebody changed in the database is empty and says so, and cannot be sent: it has no sender. */
function readForm({ head, shape }: Pick<Draft, 'head' | 'shape'>): Pick<Draft, 'head' | 'shape'> {
  try {
    return { head: openJson(head), shape: openJson(shape) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { head: { ...emptyHead, text: unreadableText }, shape: {} };
  }
}

const emptyHead: DraftHead = {
  sender: '',
  text: '',
  fallbacks: {},
  sendAt: null,
  commercial: false,
  list: null,
  perHour: null,
  quiet: null,
};

export type DraftLine = Pick<Draft, 'id' | 'rowCount' | 'updatedAt' | 'head' | 'shape'> & { email: string };
const listSql = sql<DraftLine>('draft list')`
  select d.id, d.row_count as "rowCount", d.updated_at as "updatedAt", d.head, d.shape, coalesce(u.email, '') as email
  from send_drafts d left join users u on u.id = d.user_id
  where d.account_id = $1 and d.sent_at is null order by d.updated_at desc, d.id desc limit 50`;

export async function listDrafts(db: Queryable, accountId: number): Promise<DraftLine[]> {
  return (await rows(db, listSql, [accountId])).map(one => opened(one)!);
}

const saveSql = sql<{ version: number }>('draft save')`
  update send_drafts set head = $3, shape = case when list_no = 0 then shape else coalesce($4, shape) end,
    version = version + 1, updated_at = now()
  where id = $1 and account_id = $2 and sent_at is null returning version`;

/** The new version; undefined when it is gone, or was sent. */
export async function saveDraft(
  db: Queryable,
  accountId: number,
  id: number,
  head: DraftHead,
  shape: ListShape | null,
): Promise<number | undefined> {
  return (await row(db, saveSql, [id, accountId, sealJson(head), shape && sealJson(shape)]))?.version;
}

const deleteSql = sql('draft delete')`delete from send_drafts where id = $1 and account_id = $2 and sent_at is null`;

export async function deleteDraft(db: Queryable, accountId: number, id: number): Promise<boolean> {
  return (await run(db, deleteSql, [id, accountId])) > 0;
}

const sentSql = sql('draft sent')`
  update send_drafts set sent_at = now(), updated_at = now(), order_ids = $3 where id = $1 and account_id = $2`;

export function markSent(tx: Queryable, accountId: number, id: number, orderIds: number[]): Promise<number> {
  return run(tx, sentSql, [id, accountId, orderIds]);
}
