// Stores a batch of consent records, all or none, and queues them for the registry.
import { type Db, type Queryable, row, run, sql, transaction } from '../db/db.ts';
import { Refusal } from '../status.ts';
import { chargeQuota, listBrands, monthOf } from './brands.ts';
import type { ConsentDraft } from './record.ts';

type ConsentOrigin = 'api' | 'panel';

const firstsSql = sql<{ missing: number }>('consent firsts')`
  select count(*) as missing from unnest($3::text[], $4::text[], $5::text[]) u(recipient, recipient_type, type)
  where not exists (select 1 from consent_records r where r.account_id = $1 and r.brand = $2 and r.type = u.type
    and r.recipient_type = u.recipient_type and r.recipient = u.recipient)`;
const insertSql = sql('consent insert')`
  insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, origin)
  select $1, $2, u.* , $9 from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    u(recipient, recipient_type, type, status, source, consent_date)`;

export async function registerConsents(
  db: Db,
  accountId: number,
  brand: number,
  drafts: ConsentDraft[],
  origin: ConsentOrigin,
  now: Date,
): Promise<void> {
  await transaction(db, async tx => {
    const known = (await listBrands(tx, accountId)).find(one => one.code === brand && one.active);
    if (!known) throw new Refusal(422, { brandCode: 'brandCode hesabınıza ait değil.' });
    await refuseFirstRulings(tx, accountId, brand, drafts);
    const charged = await chargeQuota(tx, accountId, brand, monthOf(now), drafts.length, known.quota);
    if (!charged) throw new Refusal(405);
    await insertDrafts(tx, accountId, brand, drafts, origin);
  });
}

function insertDrafts(
  tx: Queryable,
  accountId: number,
  brand: number,
  drafts: ConsentDraft[],
  origin: ConsentOrigin,
): Promise<number> {
  return run(tx, insertSql, [
    accountId,
    brand,
    drafts.map(one => one.recipient),
    drafts.map(one => one.recipientType),
    drafts.map(one => one.type),
    drafts.map(one => one.status),
    drafts.map(one => one.source),
    drafts.map(one => one.consentDate.toISOString()),
    origin,
  ]);
}

/** HS_KARAR cannot be the first record of a recipient; earlier entries of the same batch count as records. */
async function refuseFirstRulings(
  tx: Queryable,
  accountId: number,
  brand: number,
  drafts: ConsentDraft[],
): Promise<void> {
  const seen = new Set<string>();
  const firsts: ConsentDraft[] = [];
  for (const one of drafts) {
    const subject = `${one.type} ${one.recipientType} ${one.recipient}`;
    if (one.source === 'HS_KARAR' && !seen.has(subject)) firsts.push(one);
    seen.add(subject);
  }
  if (firsts.length === 0) return;
  const found = await row(tx, firstsSql, [
    accountId,
    brand,
    firsts.map(one => one.recipient),
    firsts.map(one => one.recipientType),
    firsts.map(one => one.type),
  ]);
  if (found!.missing > 0) throw new Refusal(422, { source: 'HS_KARAR ilk izin kaydı olarak kullanılamaz.' });
}
