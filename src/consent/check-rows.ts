// Checks consent records row by row before they are stored and names every broken rule, so that an import can be corrected in
// one go. A blocking error is what registering would refuse. A first record that says RET is only a warning, because the
// registry refuses it, not this program.
import { type Queryable, rows, sql } from '../db/db.ts';
import { type ConsentRule, type GivenConsent, readConsentRow } from './read-row.ts';
import type { ConsentDraft } from './record.ts';

type RowIssue = { row: number; rule: ConsentRule };

const knownSql = sql<{ ord: number }>('consent rows known')`
  select u.ord from unnest($3::text[], $4::text[], $5::text[]) with ordinality u(recipient, recipient_type, type, ord)
  where exists (select 1 from consent_records r where r.account_id = $1 and r.brand = $2 and r.type = u.type
    and r.recipient_type = u.recipient_type and r.recipient = u.recipient)`;

/** `drafts[i]` is null if row i breaks a blocking rule. */
export async function checkConsentRows(
  db: Queryable,
  accountId: number,
  brand: number,
  given: GivenConsent[],
  abroad: boolean,
  now: Date,
): Promise<{ drafts: (ConsentDraft | null)[]; issues: RowIssue[] }> {
  const issues: RowIssue[] = [];
  const drafts = given.map((one, row) => readConsentRow(one, abroad, now, rule => issues.push({ row, rule })));
  const known = await knownSubjects(db, accountId, brand, drafts);
  const seen = new Set<string>();
  drafts.forEach((draft, row) => {
    if (!draft) return;
    const subject = subjectOf(draft);
    const isFirst = !known.has(subject) && !seen.has(subject);
    if (seen.has(subject)) issues.push({ row, rule: 'duplicate' });
    seen.add(subject);
    if (!isFirst) return;
    if (draft.status === 'RET') issues.push({ row, rule: 'first-refusal' });
    if (draft.source !== 'HS_KARAR') return;
    issues.push({ row, rule: 'ruling-first' });
    drafts[row] = null;
  });
  return { drafts, issues: issues.sort((a, b) => a.row - b.row) };
}

async function knownSubjects(
  db: Queryable,
  accountId: number,
  brand: number,
  drafts: (ConsentDraft | null)[],
): Promise<Set<string>> {
  const good = drafts.filter(one => one !== null);
  const found = await rows(db, knownSql, [
    accountId,
    brand,
    good.map(one => one.recipient),
    good.map(one => one.recipientType),
    good.map(one => one.type),
  ]);
  return new Set(found.map(one => subjectOf(good[one.ord - 1]!)));
}

function subjectOf(one: ConsentDraft): string {
  return `${one.type} ${one.recipientType} ${one.recipient}`;
}
