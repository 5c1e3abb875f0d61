// Accounts as staff see and change them. Every change carries a reason and stands in the account's own audit.
import { findAccount } from '../../accounts/account.ts';
import { findActiveKey } from '../../accounts/credentials.ts';
import { BelowZero, GrantKeyUsed, grantWithDeed } from '../../accounts/grant.ts';
import { recordNotice } from '../../accounts/notices.ts';
import { openAccount } from '../../accounts/open.ts';
import { changeSettings } from '../../accounts/settings.ts';
import { readBalance } from '../../balance/ledger.ts';
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
import { cursorParts, pageOf } from '../conditions.ts';
import type { Handlers, UserCall } from '../context.ts';
import { staffDeed, staffMark } from '../deed.ts';
import { tellGroup } from '../developers/refusal-causes.ts';
import { refusalGroups } from '../developers/refusal-list.ts';
import { PanelRefusal } from '../errors.ts';
import { bad, id, iso, optionalOneOf, optionalText, optionalWhole, own, someText, whole } from '../input.ts';
import { inboundNumbers } from '../lists/inbox-list.ts';
import { showApplication, showSenders } from '../senders/senders.ts';
import { showMember } from '../session/users.ts';
import { panelSettings } from '../settings/settings-read.ts';
import { showWebhooks } from '../webhook/webhook.ts';
import type { AccountLine, AccountView } from './contract.ts';
import { type AccountRow, accountRows, trafficOfAccount, userRows } from './lists.ts';

const pageRows = 50;
const dayMs = 86_400_000;
const creditMax = 1_000_000_000;

export const staffAccountHandlers = {
  async 'staff.accounts'(call) {
    const asked = {
      search: optionalText(call.input, 'search', 100)?.trim(),
      status: optionalOneOf(call.input, 'status', ['active', 'suspended']),
      before: cursorParts(optionalText(call.input, 'cursor', 40), 1)?.[0],
    };
    return pageOf(await accountRows(call.db, asked, pageRows + 1), pageRows, last => String(last.id), showLine);
  },

  'staff.account': call => viewAccount(call, id(call.input, 'id')),

  async 'staff.openAccount'(call) {
    const name = someText(call.input, 'name', 200);
    const given = optionalText(call.input, 'ownerEmail', 200);
    const email = given === undefined ? null : readEmail(given);
    const opened = await openAccount(call.db, name);
    await staffDeed(call, 'account.create', opened.id, { name });
    const made =
      email && (await invite(call.db, opened.id, { email, role: 'owner' }, `${staffMark}${call.session.email}`));
    return { ...opened, invite: made ? { token: made.token, email: made.email } : null };
  },

  async 'staff.setAccount'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const given: Record<string, string> = {};
    const status = optionalOneOf(call.input, 'status', ['active', 'suspended']);
    const rate = optionalWhole(call.input, 'rate', 1, 1_000_000);
    if (status) given['status'] = status;
    if (rate !== undefined) given['rate'] = String(rate);
    if (own(call.input, 'name') !== undefined) given['name'] = someText(call.input, 'name', 200);
    await changeSettings(call.db, accountId, given, {}, reason);
    await staffDeed(call, 'account.set', accountId, { ...given, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.grantCredit'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const sms = whole(call.input, 'sms', -creditMax, creditMax);
    const amount = optionalText(call.input, 'amount', 20) ?? '0';
    if (!/^-?\d{1,9}(\.\d{1,4})?$/.test(amount)) throw bad('amount');
    if (sms === 0 && Number(amount) === 0) throw bad('sms');
    const actor = `${staffMark}${call.session.email}`;
    const key = optionalText(call.input, 'key', 200) ?? null;
    const { address } = call.visitor;
    return grantWithDeed(call.db, { accountId, sms, amount, reason, actor, address, key }).catch(error => {
      if (error instanceof BelowZero) throw new PanelRefusal('below-zero', { field: 'sms' });
      throw error instanceof GrantKeyUsed ? new PanelRefusal('key-used', { field: 'sms' }) : error;
    });
  },

  async 'staff.addBrand'(call) {
    const accountId = await requireAccount(call);
    const code = id(call.input, 'code');
    const quota = optionalWhole(call.input, 'quota', 0, 2_000_000_000) ?? null;
    await addBrand(call.db, accountId, code, quota);
    await staffDeed(call, 'brand.add', accountId, { code, quota });
    return viewAccount(call, accountId);
  },

  async 'staff.addNumber'(call) {
    const accountId = await requireAccount(call);
    const number = someText(call.input, 'number', 20);
    const keyword = optionalText(call.input, 'keyword', 20) ?? '';
    await addInboundNumber(call.db, accountId, number, keyword).catch(error => {
      const isTaken = /another account/.test((error as Error).message);
      throw new PanelRefusal(isTaken ? 'number-taken' : 'bad-number', { field: 'number' });
    });
    await staffDeed(call, 'number.add', accountId, { number, keyword });
    return viewAccount(call, accountId);
  },

  async 'staff.removeBrand'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const removed = await removeBrand(call.db, accountId, id(call.input, 'code'));
    if (!removed) throw new PanelRefusal('not-found', { field: 'code' });
    await staffDeed(call, 'brand.remove', accountId, { code: removed.code, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.removeNumber'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const number = someText(call.input, 'number', 20);
    const removed = await removeInboundNumber(
      call.db,
      accountId,
      number,
      optionalText(call.input, 'keyword', 20) ?? '',
    );
    if (!removed) throw new PanelRefusal('not-found', { field: 'number' });
    await staffDeed(call, 'number.remove', accountId, { ...removed, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.revokeSender'(call) {
    const accountId = await requireAccount(call);
    const reason = requireReason(call);
    const name = someText(call.input, 'name', 20);
    if (!(await showSenders(call.db, accountId)).some(one => one.name === name))
      throw new PanelRefusal('not-found', { field: 'name' });
    await transaction(call.db, async tx => {
      await decideSender(tx, accountId, name, 'rejected', reason);
      await recordNotice(tx, accountId, 'sender.rejected', { name, reason });
    });
    await staffDeed(call, 'sender.rejected', accountId, { name, reason });
    return viewAccount(call, accountId);
  },

  async 'staff.users'(call) {
    const search = optionalText(call.input, 'search', 100)?.trim();
    const before = cursorParts(optionalText(call.input, 'cursor', 40), 1)?.[0];
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
    const user = await findUser(call.db, id(call.input, 'userId'));
    if (!user) throw new Denial('not-found', 'userId');
    await removeTotp(call.db, user.id);
    await closeOtherSessions(call.db, user.id, call.session.userId === user.id ? call.session.id : 0);
    await staffDeed(call, 'totp.reset', null, { email: user.email, reason });
    return {};
  },
} satisfies Partial<Handlers>;

export async function requireAccount(call: UserCall): Promise<number> {
  const accountId = id(call.input, 'id');
  if (!(await findAccount(call.db, accountId))) throw new PanelRefusal('not-found', { field: 'id' });
  return accountId;
}

export function requireReason(call: UserCall): string {
  const reason = optionalText(call.input, 'reason', 500)?.trim();
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
    users: (await listMembers(db, accountId)).map(showMember),
    senders: await showSenders(db, accountId),
    brands: await listBrands(db, accountId),
    numbers: await inboundNumbers(db, accountId),
    webhooks: await showWebhooks(db, accountId),
    applications: (await applicationsOf(db, accountId)).map(showApplication),
    orders30Days: await trafficOfAccount(db, accountId, new Date(now.getTime() - 30 * dayMs)),
    refusals24Hours: refusals.map(one => ({ cause: one.cause, count: one.count, sentence: tellGroup(one).sentence })),
  };
}
