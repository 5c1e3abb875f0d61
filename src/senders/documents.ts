// Documents of an application: PDF, PNG or JPEG by their first bytes, whatever the name or the browser says. They are stored in
// the database, so they are backed up with it and need no folder that all nodes share.
import { type Db, lockBoundedLists, type Queryable, row, rowOf, rows, run, sql, transaction } from '../db/db.ts';

type DocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';
/** `kind`: which of the required documents it is; null for another one. */
export type DocumentLine = { id: number; name: string; type: DocumentType; size: number; kind: string | null };

const unattachedMax = 50;
const nameLengthMax = 120;

const signatures: [DocumentType, Buffer][] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** null if it is none of the accepted types. */
export function documentType(content: Buffer): DocumentType | null {
  return signatures.find(([, start]) => content.subarray(0, start.length).equals(start))?.[0] ?? null;
}

const insertSql = sql<{ id: number }>('document insert')`
  insert into documents (account_id, name, type, size, content, uploaded_by, kind)
  select $1, $2, $3, $4, $5, $6, $8
  where (select count(*) from documents where account_id = $1 and application_id is null) < $7 returning id`;
const staleSql = sql('document stale')`
  delete from documents where account_id = $1 and application_id is null and created_at < now() - interval '2 days'`;

/** null if too many of the account's documents belong to no application. */
export async function storeDocument(
  db: Db,
  accountId: number,
  document: { name: string; type: DocumentType; content: Buffer; by: string; kind: string | null },
): Promise<DocumentLine | null> {
  const { type, content, by, kind } = document;
  const name = document.name.replace(/[\0-\x1f\x7f/\\:*?"<>|]/g, '_').slice(0, nameLengthMax) || 'belge';
  const made = await transaction(db, async tx => {
    await lockBoundedLists(tx, accountId);
    await run(tx, staleSql, [accountId]);
    return row(tx, insertSql, [accountId, name, type, content.length, content, by, unattachedMax, kind]);
  });
  return made ? { id: made.id, name, type, size: content.length, kind } : null;
}

export type StoredDocument = DocumentLine & { accountId: number; content: Buffer };
/** `accountId` null: any account's (for staff). */
export const findDocument = rowOf<StoredDocument, [id: number, accountId: number | null]>('document find')`
  select id, account_id as "accountId", name, type, size, kind, content from documents
  where id = $1 and ($2::bigint is null or account_id = $2)`;

const ofApplicationsSql = sql<DocumentLine & { applicationId: number }>('documents of applications')`
  select id, application_id as "applicationId", name, type, size, kind from documents where application_id = any ($1) order by id`;

export function documentsOf(db: Queryable, applicationIds: number[]) {
  return applicationIds.length ? rows(db, ofApplicationsSql, [applicationIds]) : Promise.resolve([]);
}

// Files of an earlier, rejected application may be used again: the copy belongs to the new one.
const attachSql = sql('documents attach')`
  with given as (select * from documents where account_id = $1 and id = any ($2)),
  moved as (update documents d set application_id = $3 from given g where d.id = g.id and g.application_id is null)
  insert into documents (account_id, application_id, name, type, size, content, uploaded_by, kind)
  select account_id, $3, name, type, size, content, uploaded_by, kind from given where application_id is not null`;
const ownedSql = sql<{ count: number }>('documents owned')`
  select count(*) as count from documents where account_id = $1 and id = any ($2)`;

/** false if one of them is not the account's. */
export async function attachDocuments(
  tx: Queryable,
  accountId: number,
  ids: number[],
  applicationId: number,
): Promise<boolean> {
  const unique = [...new Set(ids)];
  if ((await row(tx, ownedSql, [accountId, unique]))!.count !== unique.length) return false;
  await run(tx, attachSql, [accountId, unique, applicationId]);
  return true;
}
