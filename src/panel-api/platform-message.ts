// A message in the platform's own name, through the ordinary order path: no customer may read it in reports or
// notifications.
import { platformAccount } from '../accounts/platform-account.ts';
import type { Db } from '../db/db.ts';
import { acceptOrder } from '../orders/accept.ts';
import type { AcceptQueue } from '../orders/accept-queue.ts';
import type { IdempotencyKey } from '../orders/draft.ts';
import { formatNumber } from '../phone.ts';
import { testSender } from '../senders/senders.ts';

export type PlatformMessage = { mobile: number; text: string; idempotency: IdempotencyKey | null };

export async function sendAsPlatform(
  { db, orders }: { db: Db; orders: AcceptQueue },
  { mobile, text, idempotency }: PlatformMessage,
  now: Date,
): Promise<void> {
  const account = await platformAccount(db);
  const draft = {
    sender: account.senders[0] ?? testSender,
    texts: [{ text, recipients: [formatNumber(mobile)] }],
    sendAt: null,
    consentCheck: false,
    consentList: null,
    source: 'platform',
  };
  await acceptOrder(orders, account, draft, idempotency, now);
}
