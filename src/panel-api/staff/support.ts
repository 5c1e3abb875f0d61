// Support: finding a customer by anything they say on the phone, and viewing their account as they see it. Both the view-as and
// unmasking need a reason, which the owner reads in the account's own audit log.

import { formatNumber, parseNumber } from '../../numbers/phone.ts';
import { findSession } from '../../people/sessions.ts';
import { beginView, endView, revealView } from '../../people/support-view.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import { everywhere, listEverywhere, placeOfAccount } from '../call/cells.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import type { Me } from '../session/contract.ts';
import { describe } from '../session/session.ts';
import { PanelRefusal } from '../words/errors.ts';
import { requireAccount, requireReason } from './accounts.ts';
import type { SupportHit } from './accounts-contract.ts';
import { accountsOfNumber, orderOfAnyone } from './find.ts';
import { accountRows, userRows } from './lists.ts';

const hitsOfKindMax = 8;

export const staffSupportHandlers = {
  async 'staff.viewAs'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    await noteInAccount(call, 'support.view', accountId, { reason });
    await beginView(call.db, call.session.id, accountId);
    return me(call);
  },

  async 'staff.viewReveal'(call) {
    const accountId = viewedAccount(call);
    const reason = requireReason(call);
    await noteInAccount(call, 'support.reveal', accountId, { reason });
    await revealView(call.db, call.session.id, accountId);
    return me(call);
  },

  async 'staff.viewEnd'(call) {
    if (call.session.viewing) await noteInAccount(call, 'support.view-end', viewedAccount(call));
    await endView(call.db, call.session.id);
    return me(call);
  },

  async 'staff.search'(call) {
    const wanted = call.input.text.trim();
    if (wanted === '') return { hits: [] };
    const number = parseNumber(wanted, true);
    const hits = [
      ...(/^\d{6,15}$/.test(wanted) ? await orderHits(call, Number(wanted)) : []),
      ...(number > 0 ? await numberHits(call, number) : []),
      ...(await accountHits(call, wanted)),
      ...(await userHits(call, wanted)),
    ];
    return { hits };
  },
} satisfies Partial<Handlers>;

/** Recorded in the account's own audit log, in its cell. */
async function noteInAccount(call: UserCall, action: string, accountId: number, detail: object = {}): Promise<void> {
  await staffAuditEntry({ ...call, ...(await placeOfAccount(call, accountId)) }, action, accountId, detail);
}

function viewedAccount({ session }: UserCall): number {
  if (!session.viewing || !session.account) throw new PanelRefusal('not-viewing');
  return session.account.id;
}

async function me(call: UserCall): Promise<Me> {
  return describe(call, (await findSession(call.db, call.token, call.visitor.address))!);
}

async function orderHits(call: UserCall, id: number): Promise<SupportHit[]> {
  const order = (await everywhere(call, async db => (await orderOfAnyone(db, id)) ?? null)).find(one => one !== null);
  return order ? [{ kind: 'order', ...order, submitAt: iso(order.submitAt) }] : [];
}

async function numberHits(call: UserCall, number: number): Promise<SupportHit[]> {
  const accounts = await listEverywhere(call, db => accountsOfNumber(db, number, hitsOfKindMax));
  const digits = formatNumber(number).replace(/\D/g, '');
  return accounts.map(one => ({ kind: 'number', digits, ...one }));
}

async function accountHits(call: UserCall, search: string): Promise<SupportHit[]> {
  const found = await listEverywhere(call, db => accountRows(db, { search }, hitsOfKindMax));
  return found.map(({ id, name, status, owner }) => ({ kind: 'account', id, name, status, owner }));
}

async function userHits(call: UserCall, search: string): Promise<SupportHit[]> {
  const found = await userRows(call.db, { search }, hitsOfKindMax);
  return found.map(({ email, name, staff, accounts }) => ({
    ...{ kind: 'user', email, name, staff },
    accounts: accounts.map(one => ({ id: one.id, name: one.name })),
  }));
}
