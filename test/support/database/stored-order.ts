// An accepted order, for tests of what comes after acceptance.

import { AcceptQueue } from '../../../src/accept/accept-queue.ts';
import type { Db } from '../../../src/db/db.ts';
import { now } from '../../../src/time/clock.ts';

let orders = 0n;

/** Returns its id. Invalid numbers come first. `parts`: what each message costs. */
export async function storeOrder(
  db: Db,
  accountId: number,
  count: number,
  bad: string[] = [],
  parts = 1,
): Promise<number> {
  const at = now();
  const { code, orderId } = await new AcceptQueue(db, 86_400_000).accept({
    ...{
      accountId,
      sender: 'DENEME',
      lane: 0,
      consentList: null,
      given: { source: 'api' },
      submitAt: at,
      sendAt: null,
    },
    ...{ rate: 500, stamp: 0, idempotency: null, repeatable: true },
    texts: [{ text: 'Merhaba dünya', encoding: 'gsm7', units: 13, parts } as never],
    recipients: {
      numbers: [...bad.map(() => 0), ...Array.from({ length: count }, (_, i) => 905550000000 + i)],
      textNos: null,
      badAt: bad.map((_, i) => i + 1),
      badTexts: bad,
      fingerprint: ++orders,
    },
  });
  if (code !== 200) throw new Error(`answered ${code}`);
  return orderId;
}
