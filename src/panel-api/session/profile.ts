// The signed-in person: profile, password, second factor, sessions. Changes that weaken the sign-in (mobile number, second
// factor, password) ask for the present password again; failures count as failed sign-ins.
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import { transaction } from '../../db/db.ts';
import { forget } from '../../people/attempts.ts';
import { Denial } from '../../people/denial.ts';
import { hashPassword, passwordMatches, requireGoodPassword } from '../../people/passwords.ts';
import {
  beginTotp,
  confirmTotp,
  recoveryCodesLeft,
  removeTotp,
  renewRecoveryCodes,
} from '../../people/second-factor.ts';
import { closeOtherSessions, closeSession, listSessions } from '../../people/sessions.ts';
import { beginSecondFactor, beginSignIn, forgiveSignIn } from '../../people/sign-in-attempts.ts';
import {
  changeProfile,
  findUser,
  mobileText,
  readMobile,
  readPersonName,
  storePassword,
  type User,
} from '../../people/users.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import type { Profile } from './contract.ts';

export const profileHandlers = {
  'profile.read': readProfile,

  async 'profile.update'(call) {
    const user = await self(call);
    const mobile = call.input.mobile === undefined ? user.mobile : readMobile(call.input.mobile);
    // An SMS to that number can reset the password.
    if (mobile !== user.mobile) await requirePassword(call, user, call.input.password);
    const name = call.input.name === undefined ? user.name : readPersonName(call.input.name);
    const language = call.input.language ?? user.language;
    await changeProfile(call.db, user.id, { name, mobile, language });
    if (mobile !== user.mobile) await note(call, 'profile.mobile');
    return readProfile(call);
  },

  async 'profile.changePassword'(call) {
    const user = await self(call);
    await requirePassword(call, user, call.input.current, 'current');
    const { password } = call.input;
    requireGoodPassword(password, user.email);
    const passwordHash = await hashPassword(password);
    await transaction(call.db, async tx => {
      await storePassword(tx, user.id, passwordHash);
      await closeOtherSessions(tx, user.id, call.session.id);
    });
    await note(call, 'password.change');
    return {};
  },

  async 'profile.totpStart'(call) {
    const user = await self(call);
    await requirePassword(call, user, call.input.password);
    return beginTotp(call.db, call.key, user);
  },

  async 'profile.totpConfirm'(call) {
    const user = await self(call);
    const limit = await beginSecondFactor(call.db, user.email, call.visitor.address);
    const codes = await confirmTotp(call.db, call.key, user, call.input.code);
    await forget(call.db, limit);
    await closeOtherSessions(call.db, call.session.userId, call.session.id);
    await note(call, 'totp.enable');
    return { recoveryCodes: codes };
  },

  async 'profile.totpDisable'(call) {
    await requirePassword(call, await self(call), call.input.password);
    await removeTotp(call.db, call.session.userId);
    await note(call, 'totp.disable');
    return {};
  },

  async 'profile.recoveryRenew'(call) {
    const user = await self(call);
    await requirePassword(call, user, call.input.password);
    if (!user.totpSecret) throw new Denial('no-pending-totp');
    const codes = await transaction(call.db, tx => renewRecoveryCodes(tx, user.id));
    await note(call, 'totp.recovery-codes');
    return { recoveryCodes: codes };
  },

  async 'profile.sessions'(call) {
    const sessions = await listSessions(call.db, call.session.userId);
    return {
      sessions: sessions.map(one => ({
        ...one,
        isCurrent: one.id === call.session.id,
        createdAt: iso(one.createdAt),
        seenAt: iso(one.seenAt),
      })),
    };
  },

  async 'profile.revokeSession'(call) {
    if (!(await closeSession(call.db, call.session.userId, call.input.id))) throw new Denial('not-found', 'id');
    return {};
  },

  async 'profile.revokeOthers'(call) {
    return { closed: await closeOtherSessions(call.db, call.session.userId, call.session.id) };
  },
} satisfies Partial<Handlers>;

async function readProfile(call: UserCall): Promise<Profile> {
  const user = await self(call);
  return {
    email: user.email,
    name: user.name,
    mobile: mobileText(user.mobile),
    language: user.language,
    hasTotp: user.totpSecret !== null,
    recoveryCodesLeft: await recoveryCodesLeft(call.db, user.id),
    passwordChangedAt: iso(user.passwordChangedAt),
  };
}

async function self(call: UserCall): Promise<User> {
  return (await findUser(call.db, call.session.userId))!;
}

async function requirePassword(call: UserCall, user: User, given = '', field = 'password'): Promise<void> {
  const attempt = await beginSignIn(call.db, user.email, call.visitor.address, field);
  if (!(await passwordMatches(user.passwordHash, given, call.visitor.address))) {
    await note(call, 'password.refused');
    throw new Denial('wrong-password', field);
  }
  await forgiveSignIn(call.db, attempt, user.id);
}

function note(call: UserCall, action: string): Promise<void> {
  const { session, visitor } = call;
  return recordAuditEntry(call.db, {
    accountId: session.account?.id ?? null,
    actor: session.email,
    action,
    address: visitor.address,
  });
}
