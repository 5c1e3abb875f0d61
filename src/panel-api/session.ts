// Signing up, in and out, forgotten passwords, invitations taken up. The cookie's new token is set here and nowhere else,
// and the session the browser came with always ends: a token never lives through a sign-in.
import { recordDeed } from '../accounts/audit-log.ts';
import { acceptInvite, findInvite } from '../accounts/invites.ts';
import { membershipsOf } from '../accounts/memberships.ts';
import { beginReset, finishReset } from '../accounts/password-reset.ts';
import { chooseAccount, closeSessionOf, findSession, type Session } from '../accounts/sessions.ts';
import { signIn } from '../accounts/sign-in.ts';
import { signUp } from '../accounts/sign-up.ts';
import type { Handlers, PublicCall } from './context.ts';
import type { Me } from './contract-account.ts';
import { PanelRefusal } from './errors.ts';
import { id, optionalOneOf, optionalText, text } from './input.ts';
import { sendAsPlatform } from './platform-message.ts';

const languages = ['tr', 'en'] as const;
const secretMax = 500;

export const sessionHandlers = {
  async 'session.signUp'(call) {
    const { input } = call;
    const opened = await signUp(
      call.db,
      {
        accountName: text(input, 'accountName'),
        name: optionalText(input, 'name') ?? '',
        email: text(input, 'email'),
        mobile: text(input, 'mobile', 40),
        password: text(input, 'password', secretMax),
        language: optionalOneOf(input, 'language', languages) ?? 'tr',
      },
      call.visitor,
    );
    return enter(call, opened.token);
  },

  async 'session.signIn'(call) {
    const given = {
      email: text(call.input, 'email'),
      password: text(call.input, 'password', secretMax),
      code: optionalText(call.input, 'code', 40),
    };
    const { token, user, accountId } = await signIn(call.db, call.key, given, call.visitor);
    await recordDeed(call.db, {
      accountId,
      actor: user.email,
      action: 'session.sign-in',
      address: call.visitor.address,
    });
    return enter(call, token);
  },

  async 'session.resetStart'(call) {
    const wanted = await beginReset(call.db, call.key, text(call.input, 'email'), call.visitor.address);
    // Not waited for: the time an order takes would tell that the address is known.
    if (wanted)
      void sendCode(call, wanted).catch(error =>
        call.log.error({ error: (error as Error).message }, 'reset code not sent'),
      );
    return { sentIfKnown: true };
  },

  async 'session.resetFinish'(call) {
    const given = {
      email: text(call.input, 'email'),
      code: text(call.input, 'code', 40),
      password: text(call.input, 'password', secretMax),
    };
    await finishReset(call.db, call.key, given, call.visitor.address);
    return {};
  },

  async 'session.invite'(call) {
    const { accountName, email, role, isKnownUser } = await findInvite(call.db, text(call.input, 'token', 100));
    return { accountName, email, role, isKnownUser };
  },

  async 'session.acceptInvite'(call) {
    const given = {
      token: text(call.input, 'token', 100),
      password: text(call.input, 'password', secretMax),
      name: optionalText(call.input, 'name') ?? '',
      mobile: optionalText(call.input, 'mobile', 40) ?? '',
      code: optionalText(call.input, 'code', 40),
    };
    const { token } = await acceptInvite(call.db, call.key, given, call.visitor);
    return enter(call, token);
  },

  'session.me': call => describe(call, call.session),

  async 'session.signOut'(call) {
    await closeSessionOf(call.db, call.token);
    call.cookie.token = null;
    return {};
  },

  async 'session.switchAccount'(call) {
    const accountId = id(call.input, 'accountId');
    if (!(await chooseAccount(call.db, call.session.id, accountId))) throw new PanelRefusal('not-found');
    return describe(call, (await findSession(call.db, call.token, call.visitor.address))!);
  },
} satisfies Partial<Handlers>;

async function enter(call: PublicCall, token: string): Promise<Me> {
  if (call.token !== '') await closeSessionOf(call.db, call.token);
  call.cookie.token = token;
  return describe(call, (await findSession(call.db, token, call.visitor.address))!);
}

async function describe(call: PublicCall, session: Session): Promise<Me> {
  const { userId, email, name, language, staff, hasTotp, account } = session;
  const memberships = await membershipsOf(call.db, userId);
  return {
    user: { id: userId, email, name, language, staff, hasTotp },
    account: account && { id: account.id, name: account.name, status: account.status, role: account.role },
    accounts: memberships.map(one => ({ id: one.accountId, name: one.accountName, role: one.role })),
    address: call.visitor.address,
    version: call.version,
  };
}

const codeTexts = {
  tr: (code: string) => `Peyk parola yenileme kodunuz: ${code}. Kodu kimseyle paylasmayin. 10 dakika gecerlidir.`,
  en: (code: string) => `Your Peyk password reset code: ${code}. Do not share it. Valid for 10 minutes.`,
};

function sendCode(call: PublicCall, wanted: { mobile: number; code: string; language: 'tr' | 'en' }): Promise<void> {
  const text = codeTexts[wanted.language](wanted.code);
  return sendAsPlatform(call, { mobile: wanted.mobile, text, idempotency: null }, call.now);
}
