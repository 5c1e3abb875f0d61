// get-balance and get-sender.
import { readBalance } from '../balance/ledger.ts';
import type { ApiCall } from './context.ts';

export async function getBalance(call: ApiCall) {
  const balance = (await readBalance(call.db, call.account.id))!;
  // numeric(14, 4): at most 14 digits, which a double carries and prints without loss. All sums are made in SQL.
  return { balance: { amount: Number(balance.amount), sms: balance.sms } };
}

export async function getSender(call: ApiCall) {
  return { senders: { sender: call.account.senders } };
}
