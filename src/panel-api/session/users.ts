// The people of an account, seen and changed by its owners.
import { invite, listInvites, revokeInvite } from '../../people/invites.ts';
import { changeMember, listMembers, type MemberLine } from '../../people/memberships.ts';
import { findUser } from '../../people/users.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import { homeDb } from '../call/cells.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import type { Member } from './contract.ts';

export const userHandlers = {
  async 'users.list'(call) {
    const invites = await listInvites(homeDb(call), call.account.id);
    return {
      users: (await listMembers(homeDb(call), call.account.id)).map(showMember),
      invites: invites.map(one => ({ ...one, createdAt: iso(one.createdAt), expiresAt: iso(one.expiresAt) })),
    };
  },

  async 'users.invite'(call) {
    const given = { email: call.input.email, role: call.input.role };
    const made = await invite(homeDb(call), call.account.id, given, call.session.email);
    await auditEntry(call, 'user.invite', { email: made.email, role: made.role });
    return { ...made, createdAt: iso(made.createdAt), expiresAt: iso(made.expiresAt) };
  },

  async 'users.revokeInvite'(call) {
    const email = await revokeInvite(homeDb(call), call.account.id, call.input.id);
    await auditEntry(call, 'user.invite-revoke', { email });
    return {};
  },

  async 'users.setRole'(call) {
    const userId = call.input.userId;
    const role = call.input.role;
    const before = (await listMembers(homeDb(call), call.account.id)).find(one => one.userId === userId);
    await changeMember(homeDb(call), call.account.id, userId, role);
    await auditEntry(call, 'user.role', {
      email: await emailOf(call, userId),
      role,
      was: { role: before?.role ?? '' },
    });
    return {};
  },

  async 'users.remove'(call) {
    const userId = call.input.userId;
    await changeMember(homeDb(call), call.account.id, userId, null);
    await auditEntry(call, 'user.remove', { email: await emailOf(call, userId) });
    return {};
  },
} satisfies Partial<Handlers>;

/** The audit log shows names of people, not ids. */
async function emailOf(call: AccountCall, userId: number): Promise<string> {
  return (await findUser(homeDb(call), userId))!.email;
}

export function showMember(one: MemberLine): Member {
  return { ...one, addedAt: iso(one.addedAt), lastSeenAt: iso(one.lastSeenAt) };
}
