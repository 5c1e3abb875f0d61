// Sign-up, sign-in, sign-out, forgotten passwords, invitations. Only this file sets the cookie's new token, and the browser's
// previous session always ends: no token survives a sign-in.

import { type AuditEntry, recordAuditEntry, recordPersonAuditEntry } from '../../accounts/audit-log.ts';
import { sendSecret } from '../../notices/platform-message.ts';
import { secretMark } from '../../orders/order-secrets.ts';
import { acceptInvite, findInvite } from '../../people/invites.ts';
import { pendingKinds } from '../../people/legal-texts.ts';
import { membershipsOf } from '../../people/memberships.ts';
import { beginReset, finishReset } from '../../people/password-reset.ts';
import { type RefusedEntry, recordRefusedEntry } from '../../people/refused-entries.ts';
import { chooseAccount, closeSessionOf, findSession, type Session, withSecondFactor } from '../../people/sessions.ts';
import { signIn } from '../../people/sign-in.ts';
import { beginSignUp, type SignUp, signUp } from '../../people/sign-up.ts';
import { type CodeMessage, newAsker } from '../../people/sms-codes.ts';
import { afterChange, openForSignUp, placeOfAccount } from '../call/cells.ts';
import type { Handlers, InputRead, PublicCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { Me } from './contract.ts';

export const sessionHandlers = {
  async 'session.signUpStart'(call) {
    const wanted = await beginSignUp(call.db, call.key, readSignUp(call.input), asking(call));
    if (wanted) sendCode(call, wanted);
    return { sent: true };
  },

  async 'session.signUp'(call) {
    const { code, terms, privacy } = call.input;
    const given = { ...readSignUp(call.input), code, accepted: { terms, privacy } };
    const elsewhere = (name: string) => openForSignUp(call, name);
    const opened = await signUp(call.db, call.key, given, asked(call), elsewhere);
    await afterChange({ ...call, ...(await placeOfAccount(call, opened.accountId)) }, opened.accountId);
    return enter(call, opened.token);
  },

  async 'session.signIn'(call) {
    const given = call.input;
    const { token, user, accountId } = await signIn(call.db, call.key, given, call.visitor).catch(
      recordRefused(call, { email: given.email, action: 'session.refused', address: call.visitor.address }),
    );
    const { address } = call.visitor;
    await noteSignIn(call, { accountId, actor: user.email, action: 'session.sign-in', address });
    return enter(call, token);
  },

  async 'session.resetStart'(call) {
    const { address } = call.visitor;
    const wanted = await beginReset(call.db, call.key, call.input.email, asking(call));
    if (wanted) {
      sendCode(call, wanted);
      later(call, recordPersonAuditEntry(call.db, wanted.userId, { action: 'password.reset-ask', address }));
    }
    return { sentIfKnown: true };
  },

  async 'session.resetFinish'(call) {
    const given = call.input;
    const { address } = call.visitor;
    await finishReset(call.db, call.key, given, asked(call)).catch(
      recordRefused(call, { email: given.email, action: 'password.reset-refused', address }),
    );
    return {};
  },

  async 'session.invite'(call) {
    const { accountName, email, role, isKnownUser } = await findInvite(call.db, call.input.token);
    return { accountName, email, role, isKnownUser };
  },

  async 'session.acceptInvite'(call) {
    const { name = '', mobile = '', ...rest } = call.input;
    const given = { ...rest, name, mobile };
    const { token, accountId } = await acceptInvite(call.db, call.key, given, call.visitor);
    await afterChange({ ...call, ...(await placeOfAccount(call, accountId)) }, accountId);
    return enter(call, token);
  },

  'session.me': call => describe(call, call.session),

  async 'session.signOut'(call) {
    await closeSessionOf(call.db, call.token);
    call.cookie.token = null;
    return {};
  },

  async 'session.switchAccount'(call) {
    const { accountId } = call.input;
    if (!(await chooseAccount(call.db, call.session.id, accountId))) throw new PanelRefusal('not-found');
    return describe(call, (await findSession(call.db, call.token, call.visitor.address))!);
  },
} satisfies Partial<Handlers>;

/** Recorded in the account's own log; if its cell does not answer, the person is signed in without the entry. */
async function noteSignIn(call: PublicCall, entry: AuditEntry & { accountId: number | null }): Promise<void> {
  const { db = call.db } = entry.accountId === null ? {} : await placeOfAccount(call, entry.accountId);
  await recordAuditEntry(db, entry).catch(error => {
    if (db === call.db) throw error;
    return recordAuditEntry(call.db, entry);
  });
}

/** A code is valid only in the browser that requested it, which a cookie proves. */
function asking(call: PublicCall) {
  call.cookie.asker = call.visitor.asker || newAsker();
  return { ...call.visitor, asker: call.cookie.asker };
}

function asked({ visitor }: PublicCall) {
  return { ...visitor, asker: visitor.asker ?? '' };
}

async function enter(call: PublicCall, token: string): Promise<Me> {
  if (call.token !== '') await closeSessionOf(call.db, call.token);
  call.cookie.token = token;
  return describe(call, (await findSession(call.db, token, call.visitor.address))!);
}

export async function describe(call: PublicCall, found: Session): Promise<Me> {
  const session = call.options.staffSecondFactor ? withSecondFactor(found) : found;
  const { userId, email, name, language, staff, hasTotp, lacksSecondFactor, account, viewing } = session;
  const memberships = await membershipsOf(call.db, userId);
  return {
    user: { id: userId, email, name, language, staff, hasTotp, lacksSecondFactor },
    account: account && { id: account.id, name: account.name, status: account.status, role: account.role },
    accounts: memberships.map(one => ({ id: one.accountId, name: one.accountName, role: one.role })),
    viewing: viewing && { revealed: viewing.revealed, until: iso(viewing.until) },
    mustAccept: (await pendingKinds(call.db, session, call.now)).length > 0,
    address: call.visitor.address,
    version: call.version,
    publicUrl: call.options.publicUrl,
  };
}

function readSignUp(input: InputRead<'session.signUpStart'>): SignUp {
  const { name = '', language = 'tr', accountName, email, mobile, password } = input;
  return { accountName, name, email, mobile, password, language };
}

const codeTexts = {
  reset: {
    tr: `Peyk parola yenileme kodunuz: ${secretMark}. Kodu kimseyle paylasmayin. 10 dakika gecerlidir.`,
    en: `Your Peyk password reset code: ${secretMark}. Do not share it. Valid for 10 minutes.`,
  },
  'sign-up': {
    tr: `Peyk kayit kodunuz: ${secretMark}. Kodu kimseyle paylasmayin. 10 dakika gecerlidir.`,
    en: `Your Peyk sign-up code: ${secretMark}. Do not share it. Valid for 10 minutes.`,
  },
};

/** The refusal is not delayed: the time of the record would reveal that an address is known. */
function recordRefused(call: PublicCall, entry: RefusedEntry): (error: unknown) => never {
  return error => {
    later(call, recordRefusedEntry(call.db, entry, error));
    throw error;
  };
}

function later(call: PublicCall, record: Promise<void>): void {
  void record.catch(error => call.log.error({ error: (error as Error).message }, 'audit entry not written'));
}

/** Not awaited: the time of an order would reveal that an address is known. */
function sendCode(call: PublicCall, { purpose, mobile, code, language }: CodeMessage): void {
  const message = { mobile, text: codeTexts[purpose][language], secret: code };
  void sendSecret(call, message, call.now).catch(error =>
    call.log.error({ purpose, error: (error as Error).message }, 'code not sent'),
  );
}
