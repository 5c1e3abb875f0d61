// get-inbox.
import { toTurkeyTime } from '../clock.ts';
import { inboxPage } from '../inbound/inbox.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { readPage, readRowCount, readTimeRange } from './read.ts';

export async function getInbox(call: ApiCall): Promise<Members> {
  const asked = asMembers(own(call.request, 'inbox')) ?? {};
  const page = readPage(own(asked, 'page'));
  const range = readTimeRange(asked);
  const rowCount = readRowCount(own(asked, 'rowCount') ?? own(asked, 'row_count'));
  const found = await inboxPage(call.db, call.account.id, range, page, rowCount);
  const message = found.messages.map(one => ({ ...one, receivedAt: toTurkeyTime(one.receivedAt) }));
  return { inbox: { count: found.count, message } };
}
