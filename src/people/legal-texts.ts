// Terms of use and privacy notice: numbered versions that never change, the version in force, and who accepted which.
// The program's own template is shown and accepted at sign-up, but nobody is asked for it afterwards, because it names
// no operator.

import { recordPersonAuditEntry } from '../accounts/audit-log.ts';
import { type Db, type Queryable, row, rows, rowsOf, run, sql, transaction } from '../db/db.ts';
import { Denial } from './denial.ts';

const legalKinds = ['terms', 'privacy'] as const;
type LegalKind = (typeof legalKinds)[number];
type LegalText = {
  kind: LegalKind;
  version: number;
  tr: string;
  en: string;
  validFrom: Date;
  isTemplate: boolean;
};
export type Accepted = Record<LegalKind, number>;

/** The versions in force, the terms first. */
export const currentTexts = rowsOf<LegalText, [now: Date]>('legal current')`
  select distinct on (kind) kind, version, tr, en, valid_from as "validFrom", published_by is null as "isTemplate"
  from legal_texts where valid_from <= $1 order by kind desc, version desc`;

const pendingSql = sql<{ kind: LegalKind }>('legal pending')`
  select l.kind from (
    select distinct on (kind) kind, version, published_by from legal_texts where valid_from <= $2
    order by kind desc, version desc) l
  where l.published_by is not null and not exists (
    select 1 from legal_acceptances a where a.user_id = $1 and a.kind = l.kind and a.version >= l.version)`;

/** What the person has yet to accept. Staff represent the operator and accept nothing. */
export async function pendingKinds(
  db: Queryable,
  person: { userId: number; staff: boolean },
  now: Date,
): Promise<LegalKind[]> {
  return person.staff ? [] : (await rows(db, pendingSql, [person.userId, now])).map(one => one.kind);
}

const acceptSql = sql('legal accept')`
  insert into legal_acceptances (user_id, kind, version, accepted_at, address) values ($1, $2, $3, $4, $5)
  on conflict do nothing`;

/** Terms are accepted. A privacy notice only informs, so reading it is acknowledged. */
const statements: Record<LegalKind, string> = { terms: 'legal.accept', privacy: 'legal.acknowledge' };

/**
 * Records the versions that the person was shown. If another one is in force by now it is refused: nobody accepts an
 * unread text.
 */
export async function acceptTexts(
  tx: Queryable,
  userId: number,
  shown: Partial<Accepted>,
  { now, address }: { now: Date; address: string },
): Promise<void> {
  for (const { kind, version } of await currentTexts(tx, now)) {
    if (shown[kind] === undefined) continue;
    if (shown[kind] !== version) throw new Denial('terms-changed', kind);
    if ((await run(tx, acceptSql, [userId, kind, version, now, address])) === 0) continue;
    await recordPersonAuditEntry(tx, userId, { action: statements[kind], detail: { text: kind, version }, address });
  }
}

type Acceptance = LegalText & { acceptedAt: Date; address: string };
export const acceptancesOf = rowsOf<Acceptance, [userId: number]>('legal acceptances')`
  select l.kind, l.version, l.tr, l.en, l.valid_from as "validFrom", l.published_by is null as "isTemplate",
    a.accepted_at as "acceptedAt", a.address
  from legal_acceptances a join legal_texts l using (kind, version)
  where a.user_id = $1 order by a.accepted_at desc, l.kind desc limit 200`;

type LegalVersion = LegalText & { publishedBy: string | null; publishedAt: Date; accepted: number };
export const legalVersions = rowsOf<LegalVersion>('legal versions')`
  select l.kind, l.version, l.tr, l.en, l.valid_from as "validFrom", l.published_by is null as "isTemplate",
    l.published_by as "publishedBy", l.published_at as "publishedAt",
    (select count(*) from legal_acceptances a where a.kind = l.kind and a.version = l.version) as accepted
  from legal_texts l order by l.kind desc, l.version desc limit 500`;

// Of two concurrent publications, one has not seen the other's text.
const lockSql = sql('legal lock')`lock table legal_texts in share row exclusive mode`;
const latestSql = sql<{ version: number; validFrom: Date }>('legal latest')`
  select version, valid_from as "validFrom" from legal_texts where kind = $1 order by version desc limit 1`;
const publishSql = sql('legal publish')`
  insert into legal_texts (kind, version, tr, en, valid_from, published_by) values ($1, $2, $3, $4, $5, $6)`;

type NewText = { kind: LegalKind; basedOn: number; tr: string; en: string; validFrom: Date; by: string };

/** The number of the new version; null if another one was published meanwhile. Versions come into force in their order. */
export function publishText(db: Db, given: NewText): Promise<number | null> {
  const { kind, basedOn, tr, en, validFrom, by } = given;
  return transaction(db, async tx => {
    await run(tx, lockSql);
    const latest = (await row(tx, latestSql, [kind]))!;
    if (latest.version !== basedOn) return null;
    const from = latest.validFrom > validFrom ? latest.validFrom : validFrom;
    await run(tx, publishSql, [kind, basedOn + 1, tr, en, from, by]);
    return basedOn + 1;
  });
}
