// After an outage longer than the registry keeps changes, pulling may miss refusals. So every recipient whose consent the
// registry had accepted is checked, a thousand at a time; those who no longer consent get a RET created here. It is dated one
// second after the consent it ends, because the true date is unknown and any later date would also override a newer consent. A
// consent is never created this way.
import { type Db, row, rows, sql } from '../../db/db.ts';
import type { ConsentType, RecipientType } from '../record.ts';
import type { BrandCode } from '../registry/client.ts';
import type { Failed, Outcome } from '../registry/outcome.ts';
import { hourMs, isOver, type Sync } from './context.ts';
import { pauseBrand } from './queue.ts';

/** Source of a RET that was derived from the registry's present state. */
export const reconciledSource = 'IYS_MUTABAKAT';

type Doubt = { accountId: number; brand: number; type: string; recipientType: string; recipient: string };
type Held = {
  type: ConsentType;
  recipientType: RecipientType;
  recipient: string;
  consentDate: Date;
  isConsent: boolean;
};

const pageMax = 1_000;
// Refusals about one of the addresses; others say nothing about them.
const addressCodes = new Set(['H464', 'H120', 'H121', 'H122', 'H160', 'H166']);
const brandsMax = 100;

const doubtsSql = sql<Doubt>('consent doubts')`
  select c.account_id as "accountId", c.brand, c.reconcile_type as type, c.reconcile_recipient_type as "recipientType",
    c.reconcile_recipient as recipient
  from consent_cursors c where c.reconcile_from is not null
    and not exists (select 1 from consent_pauses p where p.brand = c.brand and p.paused_until > now())
  order by c.reconcile_from limit $1`;
// Walks consent_current: one row per address, the record that counts.
const pageSql = sql<Held>('consent reconcile page')`
  select distinct on (type, recipient_type, recipient) type, recipient_type as "recipientType", recipient,
    consent_date as "consentDate", status = 'ONAY' and sync_state = 'accepted' as "isConsent"
  from consent_records
  where account_id = $1 and brand = $2 and counts and (type, recipient_type, recipient) > ($3, $4, $5)
  order by type, recipient_type, recipient, consent_date desc, id desc limit $6`;
const storeSql = sql<{ stored: number }>('consent reconcile store')`
  with stored as (
    insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, origin,
      sync_state, synced_at)
    select $1, $2, u.recipient, u.recipient_type, u.type, 'RET', $3, u.consent_date + interval '1 second', 'registry',
      'accepted', now()
    from unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[]) u(recipient, recipient_type, type, consent_date)
    on conflict do nothing returning 1),
  moved as (
    update consent_cursors set reconcile_type = $8, reconcile_recipient_type = $9, reconcile_recipient = $10,
      reconcile_from = case when $11 then null else reconcile_from end
    where account_id = $1 and brand = $2)
  select count(*) as stored from stored`;

export async function reconcile(sync: Sync): Promise<Failed | null> {
  for (;;) {
    const doubts = await rows(sync.db, doubtsSql, [brandsMax]);
    if (doubts.length === 0) return null;
    for (const doubt of doubts) {
      if (isOver(sync)) return null;
      const trouble = await reconcilePage(sync, doubt);
      if (trouble?.kind === 'refused') await pauseBrand(sync.db, doubt.brand, trouble.code, hourMs);
      else if (trouble !== null) return trouble;
    }
  }
}

async function reconcilePage(sync: Sync, doubt: Doubt): Promise<Failed | null> {
  const { accountId, brand } = doubt;
  const place = [doubt.type, doubt.recipientType, doubt.recipient];
  const page = await rows(sync.db, pageSql, [accountId, brand, ...place, pageMax]);
  const gone: Held[] = [];
  for (const group of groupsOf(page.filter(one => one.isConsent))) {
    const { type, recipientType } = group[0]!;
    const addresses = group.map(one => one.recipient);
    const answer = await approved(sync, brand, recipientType, type, addresses);
    sync.onStep('status read');
    if (answer.kind !== 'ok') return answer;
    gone.push(...group.filter(one => !answer.approved.has(one.recipient)));
  }
  sync.tally.pulled += await store(sync.db, doubt, gone, page.at(-1), page.length < pageMax);
  if (gone.length > 0) sync.log.info({ account: accountId, brand, refusals: gone.length }, 'consent.reconciled');
  return null;
}

function groupsOf(page: Held[]): Held[][] {
  const groups = new Map<string, Held[]>();
  for (const one of page) {
    const key = `${one.type} ${one.recipientType}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** One unreadable address fails the whole request: halving finds it, and it stays unchanged. */
async function approved(
  sync: Sync,
  brand: BrandCode,
  recipientType: RecipientType,
  type: ConsentType,
  addresses: string[],
): Promise<Outcome<{ approved: Set<string> }>> {
  const answer = await sync.client.approvedOf(brand, recipientType, type, addresses);
  if (answer.kind !== 'refused' || !addressCodes.has(answer.code)) return answer;
  if (addresses.length === 1) return { kind: 'ok', approved: new Set(addresses) };
  const middle = Math.ceil(addresses.length / 2);
  const first = await approved(sync, brand, recipientType, type, addresses.slice(0, middle));
  if (first.kind !== 'ok') return first;
  const second = await approved(sync, brand, recipientType, type, addresses.slice(middle));
  if (second.kind !== 'ok') return second;
  return { kind: 'ok', approved: new Set([...first.approved, ...second.approved]) };
}

async function store(db: Db, doubt: Doubt, gone: Held[], last: Held | undefined, isDone: boolean): Promise<number> {
  const found = await row(db, storeSql, [
    doubt.accountId,
    doubt.brand,
    reconciledSource,
    gone.map(one => one.recipient),
    gone.map(one => one.recipientType),
    gone.map(one => one.type),
    gone.map(one => one.consentDate.toISOString()),
    isDone || !last ? '' : last.type,
    isDone || !last ? '' : last.recipientType,
    isDone || !last ? '' : last.recipient,
    isDone,
  ]);
  return found!.stored;
}
