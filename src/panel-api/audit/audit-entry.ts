// Records an action in the panel for the audit log. Staff are marked, so that a customer reads "işletmeci" instead of a name.
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import type { AccountCall, UserCall } from '../call/context.ts';

export const staffMark = 'staff:';

export function auditEntry(call: AccountCall, action: string, detail: object = {}): Promise<void> {
  const { session, visitor } = call;
  return recordAuditEntry(call.db, {
    accountId: call.account.id,
    actor: session.email,
    action,
    detail,
    address: visitor.address,
  });
}

export function staffAuditEntry(
  call: UserCall,
  action: string,
  accountId: number | null,
  detail: object = {},
): Promise<void> {
  const actor = `${staffMark}${call.session.email}`;
  return recordAuditEntry(call.db, { accountId, actor, action, detail, address: call.visitor.address });
}
