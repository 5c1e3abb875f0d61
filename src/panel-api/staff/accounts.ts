// Accounts as staff see and change them. Every change has a reason and is recorded in the account's own audit log.
import { findAccount } from '../../accounts/account.ts';
import { findActiveKey, newCredentials } from '../../accounts/credentials.ts';
import { BelowZero, GrantKeyUsed, grantRecorded } from '../../accounts/grant.ts';
import { recordNotice } from '../../accounts/notices.ts';
import { changeSettings, settingsBefore } from '../../accounts/settings.ts';
import { readBalance } from '../../balance/ledger.ts';
import { home } from '../../cells/directory.ts';
import { type CellPools, openAccountSomewhere } from '../../cells/open-account.ts';
import { addBrand, listBrands, removeBrand } from '../../consent/brands.ts';
import { transaction } from '../../db/db.ts';
import { addInboundNumber, removeInboundNumber } from '../../inbound/numbers.ts';
import { Denial } from '../../people/denial.ts';
import { invite } from '../../people/invites.ts';
import { listMembers } from '../../people/memberships.ts';
import { removeTotp } from '../../people/second-factor.ts';
import { closeOtherSessions } from '../../people/sessions.ts';
import { findUser, readEmail } from '../../people/users.ts';
import { applicationsOf } from '../../senders/applications.ts';
import { decideSender } from '../../senders/senders.ts';
import { staffAuditEntry, staffMark } from '../audit/audit-entry.ts';
import { homeDb, listEverywhere } from '../call/cells.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { describeRefusals } from '../developers/refusal-causes.ts';
import { refusalGroups } from '../developers/refusal-list.ts';
import { inboundNumbers } from '../lists/inbox-list.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { showApplication, showSenders } from '../senders/senders.ts';
import { showMember } from '../session/users.ts';
import { panelSettings } from '../settings/settings-read.ts';
import { showSmppUsers } from '../smpp/smpp.ts';
import { showWebhooks } from '../webhook/webhook.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { AccountLine, AccountView } from './accounts-contract.ts';
import { type AccountRow, accountRows, trafficOfAccount, userRows } from './lists.ts';

const pageRows = 50;
const dayMs = 86_400_000;

export const staffAccountHandlers = {
  async 'staff.accounts'(call) {
    const asked = {
      search: call.input.search?.trim(),
      status: call.input.status,
      before: cursorParts(call.input.cursor, 1)?.[0],
    };
    const found = await listEverywhere(call, db => accountRows(db, asked, pageRows + 1));
    const newest = found.sort((a, b) => b.id - a.id).slice(0, pageRows + 1);
    return pageOf(newest, pageRows, last => String(last.id), showLine);
  },

  'staff.account': call => viewAccount(call, call.input.id),

  async 'staff.openAccount'(call) {
    const { name, ownerEmail: given } = call.input;
    const email = given === undefined ? null : readEmail(given);
    const { cell, ...opened } = await openAccountSomewhere(poolsOf(call), name, newCredentials());
    const there = cell === home ? call : { ...call, db: call.cells!.of(cell).db };
    await staffAuditEntry(there, 'account.create', opened.id, { name });
    const made =
      email && (await invite(call.db, opened.id, { email, role: 'owner' }, `${staffMark}${call.session.email}`));
    return { ...opened, invite: made ? { token: made.token, email: made.email } : null };
  },

  async 'staff.setAccount'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const given: Record<string, string> = {};
    const { status, rate, name } = call.input;
    if (status) given['status'] = status;
    if (rate !== undefined) given['rate'] = String(rate);
    if (name !== undefined) given['name'] = name;
    const was = await settingsBefore(call.db, accountId, given);
    await changeSettings(call.db, accountId, given, {}, reason);
    await staffAuditEntry(call, 'account.set', accountId, { ...given, reason, was });
    return viewAccount(call, accountId);
  },

  async 'staff.grantCredit'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const { sms, amount = '0', key = null } = call.input;
    if (!/^-?\d{1,9}(\.\d{1,4})?$/.test(amount)) throw bad('amount');
    if (sms === 0 && Number(amount) === 0) throw bad('sms');
    const actor = `${staffMark}${call.session.email}`;
    const { address } = call.visitor;
    return grantRecorded(call.db, { accountId, sms, amount, reason, actor, address, key }).catch(error => {
      if (error instanceof BelowZero) throw new PanelRefusal('below-zero', { field: 'sms' });
      throw error instanceof GrantKeyUsed ? new PanelRefusal('key-used', { field: 'sms' }) : error;
    });
  },

  async 'staff.addBrand'(call) {
    const accountId = await requireAccount(call);
    const { code, quota = null } = call.input;
    await addBrand(call.db, accountId, code, quota);
    await staffAuditEntry(call, 'brand.add', accountId, { code, quota });
    return viewAccount(call, accountId);
  },

  async 'staff.addNumber'(call) {
    const accountId = await requireAccount(call);
    const { number, keyword = '' } = call.input;
    await addInboundNumber(call.db, accountId, number, keyword).catch(error => {
      const isTaken = /another account/.test((error as Error).message);
      throw new PanelRefusal(isTaken ? 'number-taken' : 'bad-number', { field: 'number' });
    });
    await staffAuditEntry(call, 'number.add', accountId, { number, keyword });
    return viewAccount(call, accountId);
  },

  async 'staff.removeBrand'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const removed = await removeBrand(call.db, accountId, call.input.code);
    if (!removed) throw new PanelRefusal('not-found', { field: 'code' });
    await staffAuditEntry(call, 'brand.remove', accountId, { code: removed.code, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.removeNumber'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const { number, keyword = '' } = call.input;
    const removed = await removeInboundNumber(call.db, accountId, number, keyword);
    if (!removed) throw new PanelRefusal('not-found', { field: 'number' });
    await staffAuditEntry(call, 'number.remove', accountId, { ...removed, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.revokeSender'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const { name } = call.input;
    if (!(await showSenders(call.db, accountId)).some(one => one.name === name))
      throw new PanelRefusal('not-found', { field: 'name' });
    await transaction(call.db, async tx => {
      await decideSender(tx, accountId, name, 'rejected', reason);
      await recordNotice(tx, accountId, 'sender.rejected', { name, reason });
    });
    await staffAuditEntry(call, 'sender.rejected', accountId, { name, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.users'(call) {
    const search = call.input.search?.trim();
    const before = cursorParts(call.input.cursor, 1)?.[0];
    const found = await userRows(call.db, { search, before }, pageRows + 1);
    return pageOf(
      found,
      pageRows,
      last => String(last.userId),
      one => ({ ...one, lastSeenAt: iso(one.lastSeenAt) }),
    );
  },

  async 'staff.resetSecondFactor'(call) {
    const reason = requireReason(call);
    const user = await findUser(call.db, call.input.userId);
    if (!user) throw new Denial('not-found', 'userId');
    await removeTotp(call.db, user.id);
    await closeOtherSessions(call.db, user.id, call.session.userId === user.id ? call.session.id : 0);
    await staffAuditEntry(call, 'totp.reset', null, { email: user.email, reason });
    return {};
  },
} satisfies Partial<Handlers>;

export async function requireAccount(call: UserCall & { input: { id: number } }): Promise<number> {
  const accountId = call.input.id;
  if (!(await findAccount(call.db, accountId))) throw new PanelRefusal('not-found', { field: 'id' });
  return accountId;
}

function poolsOf(call: UserCall): CellPools {
  return { home: { db: call.db }, several: call.cells?.several ?? false, of: cell => call.cells!.of(cell) };
}

export function requireReason(call: { input: { reason: string | undefined } }): string {
  const reason = call.input.reason?.trim();
  if (!reason) throw new PanelRefusal('reason-needed', { field: 'reason' });
  return reason;
}

function showLine(row: AccountRow): AccountLine {
  const { amount: _, ...line } = row;
  return { ...line, createdAt: iso(row.createdAt), lastOrderAt: iso(row.lastOrderAt) };
}

async function viewAccount(call: UserCall, accountId: number): Promise<AccountView> {
  const { db, now } = call;
  const account = await findAccount(db, accountId);
  const [line] = await accountRows(db, { id: accountId }, 1);
  if (!account || !line) throw new PanelRefusal('not-found', { field: 'id' });
  const refusals = await refusalGroups(db, accountId, new Date(now.getTime() - dayMs));
  return {
    ...showLine(line),
    amount: (await readBalance(db, accountId))!.amount,
    apiEnabled: account.apiEnabled,
    mode: account.mode,
    abroad: account.abroad,
    apiAddresses: account.apiIps,
    panelAddresses: (await panelSettings(db, accountId)).panelIps,
    keyStart: (await findActiveKey(db, accountId))?.slice(0, 8) ?? null,
    users: (await listMembers(homeDb(call), accountId)).map(showMember),
    senders: await showSenders(db, accountId),
    brands: await listBrands(db, accountId),
    numbers: await inboundNumbers(db, accountId),
    webhooks: await showWebhooks(db, accountId),
    smppUsers: await showSmppUsers(db, accountId),
    applications: (await applicationsOf(db, accountId)).map(showApplication),
    orders30Days: await trafficOfAccount(db, accountId, new Date(now.getTime() - 30 * dayMs), now),
    refusals24Hours: refusals.map(one => ({
      cause: one.cause,
      count: one.count,
      sentence: describeRefusals(one).sentence,
    })),
  };
}
