// The identity step of a subscription: the applicant is sent to the service and returns, or staff record a manual check.
import { beginIdentity, finishIdentity, type IdentityLine, identityChecksOf } from '../../senders/identity.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { IdentityStep } from './contract.ts';

// The page of the panel that completes it (panel/src/paths.ts).
const returnPath = '/panel/basliklar/abonelik';
export const identityHandlers = {
  async 'identity.begin'(call) {
    const applicationId = call.input.id;
    const applicant = { accountId: call.account.id, applicationId, by: call.session.email };
    const begun = await beginIdentity(call.db, call.identity, applicant, `${call.baseUrl}${returnPath}`);
    if (typeof begun === 'string') throw new PanelRefusal(begun, { field: 'id' });
    await auditEntry(call, 'identity.begin', { applicationId });
    return begun;
  },

  async 'identity.finish'(call) {
    const applicationId = await finishIdentity(call.db, call.identity, {
      accountId: call.account.id,
      by: call.session.email,
      state: call.input.state,
      token: call.input.code,
    }).catch(error => {
      call.log.warn({ error: (error as Error).message }, 'identity service');
      throw new PanelRefusal('identity-silent');
    });
    if (applicationId === null) throw new PanelRefusal('identity-failed');
    const step = await identityStep(call, applicationId);
    await auditEntry(call, 'identity.finish', { applicationId, outcome: step.checks[0]!.state });
    return step;
  },
} satisfies Partial<Handlers>;

/** As the account's people see it, without the member of staff. */
export async function identityStep(call: AccountCall, applicationId: number | undefined): Promise<IdentityStep> {
  const checks = applicationId === undefined ? [] : await identityChecksOf(call.db, applicationId);
  return {
    method: call.identity.method,
    checks: checks.map(one => ({ ...showCheck(one), by: one.method === 'manual' ? null : one.by })),
  };
}

export function showCheck(one: IdentityLine) {
  return { ...one, begunAt: iso(one.begunAt), finishedAt: iso(one.finishedAt) };
}
