// Applications for staff: the queue, one with its documents and similar sender IDs, the decision.
import { findAccount } from '../../accounts/account.ts';
import { askForDocuments, decideApplication, findApplication, subscriptionState } from '../../senders/applications.ts';
import { identityChecksOf, noteIdentity } from '../../senders/identity.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import { listEverywhere } from '../call/cells.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { rejectionReasons } from '../senders/documents-needed.ts';
import { showCheck } from '../senders/identity.ts';
import { showApplication } from '../senders/senders.ts';
import { PanelRefusal } from '../words/errors.ts';
import { requireReason } from './accounts.ts';
import { applicationRows, similarSenders } from './application-list.ts';
import type { ApplicationView } from './applications-contract.ts';

const pageRows = 50;

export const staffApplicationHandlers = {
  async 'staff.applications'(call) {
    const parts = cursorParts(call.input.cursor, 2);
    const after = parts && { micros: parts[0]!, id: parts[1]! };
    const asked = { state: call.input.state, kind: call.input.kind, after };
    const sign = asked.state === 'applied' ? 1 : -1;
    const all = await listEverywhere(call, db => applicationRows(db, asked, pageRows + 1));
    const found = all.sort((a, b) => sign * (a.micros - b.micros || a.id - b.id)).slice(0, pageRows + 1);
    return pageOf(
      found,
      pageRows,
      last => `${last.micros}.${last.id}`,
      ({ micros: _, ...one }) => ({ ...one, createdAt: iso(one.createdAt) }),
    );
  },

  'staff.application': call => view(call, call.input.id),

  async 'staff.decide'(call) {
    const applicationId = call.input.id;
    const isApproval = call.input.decision === 'approve';
    const reason = isApproval ? (call.input.reason ?? null) : requireReason(call);
    const state = isApproval ? 'approved' : 'rejected';
    const problem = await decideApplication(call.db, applicationId, state, reason, call.session.email);
    if (problem) throw new PanelRefusal(problem, { field: 'id' });
    const shown = await view(call, applicationId);
    const { kind, senderName, accountId } = shown;
    await staffAuditEntry(call, `${kind}.${state}`, accountId, {
      applicationId,
      ...(senderName ? { name: senderName } : {}),
      reason,
    });
    return shown;
  },

  async 'staff.askDocuments'(call) {
    const { id: applicationId, note } = call.input;
    const problem = await askForDocuments(call.db, applicationId, note, call.session.email);
    if (problem) throw new PanelRefusal(problem, { field: 'id' });
    const shown = await view(call, applicationId);
    await staffAuditEntry(call, 'application.ask', shown.accountId, { applicationId, reason: note });
    return shown;
  },

  async 'staff.noteIdentity'(call) {
    const { id: applicationId, confirmed, note } = call.input;
    const outcome = { confirmed, by: call.session.email, note };
    if (!(await noteIdentity(call.db, applicationId, outcome))) throw new PanelRefusal('not-found', { field: 'id' });
    const shown = await view(call, applicationId);
    await staffAuditEntry(call, 'identity.note', shown.accountId, {
      applicationId,
      outcome: confirmed ? 'confirmed' : 'refused',
      reason: note,
    });
    return shown;
  },
} satisfies Partial<Handlers>;

async function view(call: UserCall, applicationId: number): Promise<ApplicationView> {
  const found = await findApplication(call.db, applicationId);
  if (!found) throw new PanelRefusal('not-found', { field: 'id' });
  const account = (await findAccount(call.db, found.accountId))!;
  return {
    ...showApplication(found),
    accountId: account.id,
    accountName: account.name,
    applicant: found.applicant,
    decidedBy: found.decidedBy,
    hasSubscription: (await subscriptionState(call.db, account.id)) === 'approved',
    similar: found.senderName
      ? await listEverywhere(call, db => similarSenders(db, account.id, found.senderName!))
      : [],
    rejectionReasons,
    identity: (await identityChecksOf(call.db, applicationId)).map(showCheck),
  };
}
