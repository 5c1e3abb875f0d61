// What somebody did in the panel, for the audit. Staff are marked, so that a customer reads "işletmeci" and not a name.
import { recordDeed } from '../accounts/audit-log.ts';
import type { AccountCall, UserCall } from './context.ts';

export const staffMark = 'staff:';

export function deed(call: AccountCall, action: string, detail: object = {}): Promise<void> {
  const { session, visitor } = call;
  return recordDeed(call.db, {
    accountId: call.account.id,
    actor: session.email,
    action,
    detail,
    address: visitor.address,
  });
}

export function staffDeed(
  call: UserCall,
  action: string,
  accountId: number | null,
  detail: object = {},
): Promise<void> {
  const actor = `${staffMark}${call.session.email}`;
  return recordDeed(call.db, { accountId, actor, action, detail, address: call.visitor.address });
}
