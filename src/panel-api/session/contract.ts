// Contract of the panel: sign-in, people and members.

import { type Static, Type } from '../../contract/type.ts';
import { id, ifGiven, maybe, text } from '../contract/fields.ts';
import { language, memberRole, nothing, type Operations } from '../contract/shapes.ts';

const inviteOffer = Type.Object({
  accountName: Type.String(),
  email: Type.String(),
  role: memberRole,
  isKnownUser: Type.Boolean(),
});
export const me = Type.Object({
  user: Type.Object({
    id: Type.Number(),
    email: Type.String(),
    name: Type.String(),
    language: language,
    staff: Type.Boolean(),
    hasTotp: Type.Boolean(),
    /** Staff once the second factor is set up, and not before. */ lacksSecondFactor: Type.Boolean(),
  }),
  /** null: the user belongs to no account (staff). */
  account: Type.Nullable(
    Type.Object({
      id: Type.Number(),
      name: Type.String(),
      status: Type.Enum(['active', 'suspended']),
      role: memberRole,
    }),
  ),
  accounts: Type.Array(
    Type.Object({
      id: Type.Number(),
      name: Type.String(),
      role: memberRole,
    }),
  ),
  /** Staff who view `account` as its people do: they can read everything and change nothing. */
  viewing: Type.Nullable(
    Type.Object({
      revealed: Type.Boolean(),
      until: Type.String(),
    }),
  ),
  /** A legal text has a new version: nothing of the account can be changed before it is accepted (`legal.accept`). */
  mustAccept: Type.Boolean(),
  /** The caller's address as the server sees it. */
  address: Type.String(),
  /** The operator's public address of this server; '' if it is not set. */
  publicUrl: Type.String(),
  /** Changes with every release: a reason to reload. */
  version: Type.String(),
});
export type Me = Static<typeof me>;
const profile = Type.Object({
  email: Type.String(),
  name: Type.String(),
  /** +905… or '' */
  mobile: Type.String(),
  language: language,
  hasTotp: Type.Boolean(),
  recoveryCodesLeft: Type.Number(),
  passwordChangedAt: Type.Nullable(Type.String()),
});
export type Profile = Static<typeof profile>;
const sessionLine = Type.Object({
  id: Type.Number(),
  isCurrent: Type.Boolean(),
  address: Type.String(),
  agent: Type.String(),
  createdAt: Type.String(),
  seenAt: Type.String(),
});
export const member = Type.Object({
  userId: Type.Number(),
  email: Type.String(),
  name: Type.String(),
  role: memberRole,
  hasTotp: Type.Boolean(),
  addedAt: Type.String(),
  lastSeenAt: Type.Nullable(Type.String()),
});
export type Member = Static<typeof member>;
const invite = Type.Object({
  id: Type.Number(),
  email: Type.String(),
  role: memberRole,
  createdAt: Type.String(),
  expiresAt: Type.String(),
});

const secretMax = 500;
const withPassword = Type.Object({ password: maybe(text(secretMax)) });
const signUp = Type.Object({
  accountName: text(),
  name: maybe(text()),
  email: text(),
  mobile: text(40),
  password: text(secretMax),
  language: maybe(language),
});
const signIn = Type.Object({
  email: text(),
  password: text(secretMax),
  /** TOTP or recovery code. */ code: maybe(text(40)),
});
/** A known user gives the present password (and code), a new one chooses a password. */
const acceptInvite = Type.Object({
  token: text(100),
  password: text(secretMax),
  name: maybe(text()),
  mobile: maybe(text(40)),
  code: maybe(text(40)),
});

export const sessionOperations = {
  /** Sends a code to the mobile number, also if the e-mail address is in use. */
  'session.signUpStart': {
    input: signUp,
    output: Type.Object({
      sent: Type.Literal(true),
    }),
  },
  /** `terms`, `privacy`: the versions that were shown and accepted; error `terms-changed` if they are no longer in force. */
  'session.signUp': {
    input: Type.Object({ ...signUp.properties, code: text(40), terms: id(), privacy: id() }),
    output: me,
  },
  /** Errors: wrong-credentials, totp-required (ask for `code`), wrong-code, slow-down, address-not-listed. */
  'session.signIn': { input: signIn, output: me },
  /** Always gives the same answer, whether the address is known or not. */
  'session.resetStart': {
    input: Type.Object({ email: text() }),
    output: Type.Object({
      sentIfKnown: Type.Literal(true),
    }),
  },
  'session.resetFinish': {
    input: Type.Object({ email: text(), code: text(40), password: text(secretMax) }),
    output: nothing,
  },
  'session.invite': { input: Type.Object({ token: text(100) }), output: inviteOffer },
  'session.acceptInvite': { input: acceptInvite, output: me },
  /** Not signed in: error `signed-out` with HTTP 401, as for every operation. */
  'session.me': { input: nothing, output: me },
  'session.signOut': { input: nothing, output: nothing },
  'session.switchAccount': { input: Type.Object({ accountId: id() }), output: me },
  'profile.read': { input: nothing, output: profile },
  'profile.update': {
    input: Type.Object({
      name: ifGiven(text()),
      mobile: ifGiven(text(40)),
      language: maybe(language),
      password: maybe(text(secretMax)),
    }),
    output: profile,
  },
  'profile.changePassword': {
    input: Type.Object({ current: maybe(text(secretMax)), password: text(secretMax) }),
    output: nothing,
  },
  'profile.totpStart': {
    input: withPassword,
    output: Type.Object({
      secret: Type.String(),
      uri: Type.String(),
    }),
  },
  'profile.totpConfirm': {
    input: Type.Object({ code: text(40) }),
    output: Type.Object({
      recoveryCodes: Type.Array(Type.String()),
    }),
  },
  'profile.totpDisable': { input: withPassword, output: nothing },
  'profile.recoveryRenew': {
    input: withPassword,
    output: Type.Object({
      recoveryCodes: Type.Array(Type.String()),
    }),
  },
  'profile.sessions': {
    input: nothing,
    output: Type.Object({
      sessions: Type.Array(sessionLine),
    }),
  },
  'profile.revokeSession': { input: Type.Object({ id: id() }), output: nothing },
  'profile.revokeOthers': {
    input: nothing,
    output: Type.Object({
      closed: Type.Number(),
    }),
  },
  'users.list': {
    input: nothing,
    output: Type.Object({
      users: Type.Array(member),
      invites: Type.Array(invite),
    }),
  },
  /** The inviting owner passes the token on: /panel/davet/<token>. Shown once, valid for 7 days. */
  'users.invite': {
    input: Type.Object({ email: text(), role: memberRole }),
    output: Type.Object({
      ...invite.properties,
      token: Type.String(),
    }),
  },
  'users.revokeInvite': { input: Type.Object({ id: id() }), output: nothing },
  'users.setRole': { input: Type.Object({ userId: id(), role: memberRole }), output: nothing },
  'users.remove': { input: Type.Object({ userId: id() }), output: nothing },
} satisfies Operations;
