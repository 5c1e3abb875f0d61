// Imports consents from an export of the registry. They are stored as its movements and never sent to it. Each is then checked
// at the registry (sync/reconcile.ts), because the file may be older than a refusal.

import { type Queryable, row, sql } from '../db/db.ts';
import { now } from '../time/clock.ts';
import type { ConsentDraft } from './record.ts';
import { doubt } from './sync/pull.ts';

const storeSql = sql<{ stored: number }>('consent take over')`
  with stored as (
    insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date, origin,
      sync_state, synced_at)
    select $1, $2, u.recipient, u.recipient_type, u.type, u.status, u.source, u.consent_date, 'registry', 'accepted', $9
    from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
      u(recipient, recipient_type, type, status, source, consent_date)
    on conflict do nothing returning 1)
  select count(*) as stored from stored`;

/** Returns how many were new. */
export async function takeOverConsents(
  tx: Queryable,
  accountId: number,
  brand: number,
  drafts: ConsentDraft[],
): Promise<number> {
  const column = (pick: (one: ConsentDraft) => string) => drafts.map(pick);
  const found = await row(tx, storeSql, [
    accountId,
    brand,
    column(one => one.recipient),
    column(one => one.recipientType),
    column(one => one.type),
    column(one => one.status),
    column(one => one.source),
    column(one => one.consentDate.toISOString()),
    now(),
  ]);
  if (found!.stored > 0) await doubt(tx, { accountId, brand });
  return found!.stored;
}
