// A message that is being written, kept on the server, so that a reload loses nothing and another machine can continue. Drafts
// belong to the account: any member who may send can continue a colleague's draft.

import type { RecipientType } from '../consent/record.ts';
import { type Queryable, row, rows, run, sql } from '../db/db.ts';
import { openJson, sealJson, Unreadable, unreadableText } from '../sealing/content.ts';

/** Contents of the form. */
export type DraftHead = {
  sender: string;
  text: string;
  /** Replacements for empty values, by field name. */
  fallbacks: Record<string, string>;
  /** Turkey time `YYYY-MM-DD HH:MM`, or null for now. */
  sendAt: string | null;
  commercial: boolean;
  list: RecipientType | null;
  /** Recipients per hour, from the time above; null sends to all at once. */
  perHour: number | null;
  /** Quiet hours in Turkey, `HH:MM`, in which no batch begins. */
  quiet: { from: string; to: string } | null;
};

/** How the rows of the list are read. */
export type ListShape = {
  fileName: string | null;
  header: boolean;
  numberColumn: number;
  /** Column names, as fields of the text use them. */
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

const draftsPerAccountMax = 50;

const columns = `id, account_id as "accountId", user_id as "userId", head, shape, list_no as "listNo", row_count as "rowCount",
  version, created_at as "createdAt", updated_at as "updatedAt", order_ids as "orderIds"`;

const insertSql = {
  name: 'draft insert',
  text: `insert into send_drafts (account_id, user_id, head) select $1, $2, $3
    where (select count(*) from send_drafts where account_id = $1 and sent_at is null) < ${draftsPerAccountMax}
    returning ${columns}`,
};

/** Returns undefined if the account has reached its limit of drafts. */
export async function createDraft(db: Queryable, accountId: number, userId: number, head: DraftHead) {
  return opened(await row<Draft>(db, insertSql, [accountId, userId, sealJson(head)]));
}

const findSql = { name: 'draft find', text: `select ${columns} from send_drafts where id = $1 and account_id = $2` };
const lockSql = { name: 'draft lock', text: `${findSql.text} for update` };

export async function findDraft(db: Queryable, accountId: number, id: number): Promise<Draft | undefined> {
  return opened(await row<Draft>(db, findSql, [id, accountId]));
}

/** The sender locks the draft: two concurrent clicks become one send and its repeat. */
export async function lockDraft(tx: Queryable, accountId: number, id: number): Promise<Draft | undefined> {
  return opened(await row<Draft>(tx, lockSql, [id, accountId]));
}

function opened<T extends Pick<Draft, 'head' | 'shape'>>(draft: T | undefined): T | undefined {
  return draft && { ...draft, ...readForm(draft) };
}

/** A draft that was changed in the database is returned empty with a note; it has no sender and cannot be sent. */
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

type DraftLine = Pick<Draft, 'id' | 'rowCount' | 'updatedAt' | 'head' | 'shape'> & { email: string };
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

/** Returns the new version; undefined if the draft is gone or was sent. */
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
