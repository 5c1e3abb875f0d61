// get-blacklist, add-blacklist, delete-blacklist.
import { addToBlacklist, blacklistPage, removeFromBlacklist } from '../blacklist/blacklist.ts';
import { formatNumber, parseNumber } from '../phone.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import { asMembers, type Members, own } from './envelope.ts';
import { readPage, readRowCount, readTimeRange } from './read.ts';

export async function getBlacklist(call: ApiCall): Promise<Members> {
  const asked = asMembers(own(call.request, 'blacklist')) ?? {};
  const page = readPage(own(asked, 'page'));
  const range = readTimeRange(asked);
  const rowCount = readRowCount(own(asked, 'rowCount') ?? own(asked, 'row_count'));
  const found = await blacklistPage(call.db, call.account.id, range, page, rowCount);
  return { blacklist: { count: found.count, number: found.numbers.map(formatNumber) } };
}

export async function addBlacklist(call: ApiCall): Promise<undefined> {
  await addToBlacklist(call.db, call.account.id, readOneNumber(call), 'api');
}

export async function deleteBlacklist(call: ApiCall): Promise<undefined> {
  if (!(await removeFromBlacklist(call.db, call.account.id, readOneNumber(call)))) throw new Refusal(474);
}

function readOneNumber(call: ApiCall): number {
  const given = own(asMembers(own(call.request, 'blacklist'))!, 'number');
  const number = parseNumber(given, call.account.abroad);
  if (number === 0) throw new Refusal(466);
  return number;
}
