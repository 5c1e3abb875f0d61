// Notifies accounts whose credit runs low: the bell shows it while it lasts, and the owner's phone gets one message per
// crossing if wanted. A process that dies between sending and recording sends the same order again, which the idempotency key
// deduplicates.
import { createHash } from 'node:crypto';
import type { AcceptQueue } from '../accept/accept-queue.ts';
import {
  type LowBalance,
  markLowBalanceNotified,
  noticeLowBalances,
  ownerPhone,
  pendingLowBalances,
} from '../accounts/low-balance.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../status.ts';
import { now } from '../time/clock.ts';
import { sendAsPlatform } from './platform-message.ts';

/** `homeDb`: the database with the people and the platform's own account. */
type Parts = { db: Db; homeDb: Db; orders: AcceptQueue; log: Log };

export async function watchLowBalances(parts: Parts): Promise<void> {
  await noticeLowBalances(parts.db, now());
  for (const one of await pendingLowBalances(parts.db)) {
    await notify(parts, one);
    await markLowBalanceNotified(parts.db, one);
  }
}

const texts = {
  tr: (one: LowBalance) =>
    `Peyk: ${one.name} hesabinin kredisi ${one.sms}, belirlediginiz ${one.threshold} sinirinin altinda.`,
  en: (one: LowBalance) => `Peyk: the credit of ${one.name} is ${one.sms}, below the ${one.threshold} that you chose.`,
};

/** An account without a phone, or a message that cannot be sent, must not block the next account. */
async function notify(parts: Parts, one: LowBalance): Promise<void> {
  const owner = await ownerPhone(parts.homeDb, one.accountId);
  if (!owner) return;
  const text = texts[owner.language](one);
  const key = `low balance ${one.accountId} ${one.since.getTime()}`;
  const idempotency = { key, bodyDigest: createHash('sha256').update(key).digest() };
  try {
    await sendAsPlatform(
      { db: parts.homeDb, orders: parts.orders },
      { mobile: owner.mobile, text, idempotency },
      now(),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    parts.log.warn({ account: one.accountId, code: error.code }, 'low balance message refused');
  }
}
