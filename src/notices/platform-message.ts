// A message from the platform itself, sent like any order. No customer can read it in reports or notifications.
import { randomUUID } from 'node:crypto';
import { acceptOrder } from '../accept/accept.ts';
import type { AcceptQueue } from '../accept/accept-queue.ts';
import type { IdempotencyKey } from '../accept/draft.ts';
import type { Account } from '../accounts/account.ts';
import { platformAccount } from '../accounts/platform-account.ts';
import type { Db } from '../db/db.ts';
import { formatNumber } from '../numbers/phone.ts';
import { keepSecret } from '../orders/order-secrets.ts';
import { sha256 } from '../sealing/digest.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { testSender } from '../senders/senders.ts';

type PlatformMessage = { mobile: number; text: string; idempotency: IdempotencyKey | null };
type Parts = { db: Db; orders: AcceptQueue };

export async function sendAsPlatform(parts: Parts, message: PlatformMessage, now: Date): Promise<void> {
  await send(parts, await platformAccount(parts.db), message, now);
}

/** A text that contains `secretMark`: the secret itself is in no order, only on the recipient's phone. */
export async function sendSecret(
  parts: Parts & { key: SecretKey },
  message: { mobile: number; text: string; secret: string },
  now: Date,
): Promise<void> {
  const account = await platformAccount(parts.db);
  const key = `secret ${randomUUID()}`;
  await keepSecret(parts.db, parts.key, account.id, key, message.secret);
  await send(parts, account, { ...message, idempotency: { key, bodyDigest: sha256(key) } }, now);
}

async function send(
  { orders }: Parts,
  account: Account,
  { mobile, text, idempotency }: PlatformMessage,
  now: Date,
): Promise<void> {
  const draft = {
    sender: account.senders[0] ?? testSender,
    texts: [{ text, recipients: [formatNumber(mobile)] }],
    sendAt: null,
    consentCheck: false,
    consentList: null,
    source: 'platform',
    // Two codes have the same text in their orders but are not duplicates.
    ...(idempotency ? { distinct: idempotency.key } : {}),
  };
  await acceptOrder(orders, account, draft, idempotency, now);
}
