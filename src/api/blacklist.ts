// get-blacklist, add-blacklist, delete-blacklist.
import { addToBlacklist, blacklistPage, removeFromBlacklist } from '../blacklist/blacklist.ts';
import type { Read } from '../contract/lenient.ts';
import { formatNumber, parseNumber } from '../numbers/phone.ts';
import { Refusal } from '../status.ts';
import type { ApiCall } from './context.ts';
import type { blacklistRequest, oneNumberRequest } from './lists-contract.ts';
import { requirePage, requireTimeRange } from './read.ts';

export async function getBlacklist(call: ApiCall, { blacklist }: Read<typeof blacklistRequest>) {
  const page = requirePage(blacklist.page);
  const range = requireTimeRange(blacklist.filter);
  const found = await blacklistPage(call.db, call.account.id, range, page, blacklist.rowCount);
  return { blacklist: { count: found.count, number: found.numbers.map(formatNumber) } };
}

type OneNumber = Read<typeof oneNumberRequest>;

export async function addBlacklist(call: ApiCall, given: OneNumber): Promise<undefined> {
  await addToBlacklist(call.db, call.account.id, requireNumber(call, given), 'api');
}

export async function deleteBlacklist(call: ApiCall, given: OneNumber): Promise<undefined> {
  if (!(await removeFromBlacklist(call.db, call.account.id, requireNumber(call, given)))) throw new Refusal(474);
}

function requireNumber(call: ApiCall, { blacklist }: OneNumber): number {
  const number = parseNumber(blacklist.number, call.account.abroad);
  if (number === 0) throw new Refusal(466);
  return number;
}
