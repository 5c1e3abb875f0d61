// get-inbox.

import type { Read } from '../contract/lenient.ts';
import { inboxPage } from '../inbound/inbox.ts';
import { toTurkeyTime } from '../time/clock.ts';
import type { ApiCall } from './context.ts';
import type { inboxRequest } from './lists-contract.ts';
import { requirePage, requireTimeRange } from './read.ts';

export async function getInbox(call: ApiCall, { inbox }: Read<typeof inboxRequest>) {
  const page = requirePage(inbox.page);
  const range = requireTimeRange(inbox.filter);
  const found = await inboxPage(call.db, call.account.id, range, page, inbox.rowCount);
  const message = found.messages.map(one => ({ ...one, receivedAt: toTurkeyTime(one.receivedAt) }));
  return { inbox: { count: found.count, message } };
}
