// What meets in the tables: receipts that a dispatcher left behind, receipts and answers, receipts and doubts, deliveries and messages that were closed.
import type { Db } from '../db/db.ts';
import { adoptLate, correctLate } from './doubts.ts';
import { settleLeftReceipts } from './inbox.ts';
import { matchReceipts } from './record.ts';

/** 0 when something met: there may be more. */
export async function meetReceipts(db: Db): Promise<number | undefined> {
  const met =
    (await settleLeftReceipts(db)) + (await matchReceipts(db)) + (await adoptLate(db)) + (await correctLate(db));
  return met > 0 ? 0 : undefined;
}
