// The current record of a recipient: the latest by consent date, ties by arrival, ignoring refused ONAY records.
import { rowOf } from '../db/db.ts';
import type { ConsentStatus, ConsentType, RecipientType } from './record.ts';

type CurrentConsent = { status: ConsentStatus; source: string; consentDate: Date };

export const currentConsent = rowOf<
  CurrentConsent,
  [accountId: number, brand: number, type: ConsentType, recipientType: RecipientType, recipient: string]
>('consent current')`
  select r.status, r.source, r.consent_date as "consentDate" from consent_records r
  where r.account_id = $1 and r.brand = $2 and r.type = $3 and r.recipient_type = $4 and r.recipient = $5 and r.counts
  order by r.consent_date desc, r.id desc limit 1`;
