// Sends decisions about an account to its owner's phone. The notice was written with the decision. A process that dies between
// sending and recording sends the same order again, which the idempotency key deduplicates.

import type { AcceptQueue } from '../accept/accept-queue.ts';
import { ownerPhone } from '../accounts/low-balance.ts';
import { markNoticeSent, type NoticeKind, type PendingNotice, pendingNotices } from '../accounts/notices.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { sha256 } from '../sealing/digest.ts';
import { Refusal } from '../status.ts';
import { now } from '../time/clock.ts';
import { sendAsPlatform } from './platform-message.ts';

/** `homeDb`: the database with the people and the platform's own account. */
type Parts = { db: Db; homeDb: Db; orders: AcceptQueue; log: Log };

export async function sendNotices(parts: Parts): Promise<void> {
  for (const one of await pendingNotices(parts.db)) {
    await notify(parts, one);
    await markNoticeSent(parts.db, one.id);
  }
}

// GSM-7 letters, one part. The reason is shown only in the panel: it may be long, and others may see a phone.
const texts: Record<NoticeKind, { tr: (name: string) => string; en: (name: string) => string }> = {
  'subscription.approved': {
    tr: () => 'Peyk: Abonelik basvurunuz onaylandi.',
    en: () => 'Peyk: Your subscription is approved.',
  },
  'subscription.rejected': {
    tr: () => 'Peyk: Abonelik basvurunuz reddedildi. Sebebi panelde.',
    en: () => 'Peyk: Your subscription was rejected. See the panel for the reason.',
  },
  'sender.approved': {
    tr: name => `Peyk: ${name} basliginiz onaylandi.`,
    en: name => `Peyk: Your sender ID ${name} is approved.`,
  },
  'sender.rejected': {
    tr: name => `Peyk: ${name} basligi reddedildi. Sebebi panelde.`,
    en: name => `Peyk: The sender ID ${name} was rejected. See the panel for the reason.`,
  },
  'documents.asked': {
    tr: () => 'Peyk: Basvurunuz icin belge istendi. Ayrinti panelde.',
    en: () => 'Peyk: A document is needed for your application. See the panel.',
  },
  'account.suspended': {
    tr: () => 'Peyk: Hesabiniz askiya alindi; gonderim kapali.',
    en: () => 'Peyk: Your account is suspended; nothing is sent.',
  },
  'account.active': {
    tr: () => 'Peyk: Hesabiniz yeniden etkin.',
    en: () => 'Peyk: Your account is active again.',
  },
};

/** A notice without a phone, or a message that cannot be sent, must not block the next one. */
async function notify(parts: Parts, one: PendingNotice): Promise<void> {
  const owner = await ownerPhone(parts.homeDb, one.accountId);
  // A kind of a newer release is shown in the bell of that release.
  if (!owner || !Object.hasOwn(texts, one.kind)) return;
  const text = texts[one.kind][owner.language](one.detail.name ?? '');
  const key = `notice ${one.id}`;
  try {
    await sendAsPlatform(
      { db: parts.homeDb, orders: parts.orders },
      { mobile: owner.mobile, text, idempotency: { key, bodyDigest: sha256(key) } },
      now(),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    parts.log.warn({ account: one.accountId, code: error.code }, 'notice refused');
  }
}
