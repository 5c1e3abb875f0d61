// Shapes of the panel's contract: people, who is signed in, who else may be. Types only.
import type { Language, MemberRole } from '../contract.ts';

export type SignUp = {
  accountName: string;
  name?: string;
  email: string;
  mobile: string;
  password: string;
  language?: Language;
};
export type SignIn = { email: string; password: string /** TOTP or recovery code. */; code?: string };
export type InviteOffer = { accountName: string; email: string; role: MemberRole; isKnownUser: boolean };
/** A known user gives the present password (and code), a new one chooses it. */
export type AcceptInvite = { token: string; password: string; name?: string; mobile?: string; code?: string };
export type Me = {
  user: { id: number; email: string; name: string; language: Language; staff: boolean; hasTotp: boolean };
  /** null: the user belongs to no account (staff). */
  account: { id: number; name: string; status: 'active' | 'suspended'; role: MemberRole } | null;
  accounts: { id: number; name: string; role: MemberRole }[];
  /** Staff who look at `account` as its people see it: everything can be read, nothing changed. */
  viewing: { revealed: boolean; until: string } | null;
  /** A text of the operator is new: nothing of the account can be changed before it is accepted (`legal.accept`). */
  mustAccept: boolean;
  /** The caller's address as the server sees it. */
  address: string;
  /** The operator's public address of this server; '' when it is not set. */
  publicUrl: string;
  /** Changes with every release: a reason to reload. */
  version: string;
};
export type Profile = {
  email: string;
  name: string;
  /** +905… or '' */
  mobile: string;
  language: Language;
  hasTotp: boolean;
  recoveryCodesLeft: number;
  passwordChangedAt: string | null;
};
export type SessionLine = {
  id: number;
  isCurrent: boolean;
  address: string;
  agent: string;
  createdAt: string;
  seenAt: string;
};
export type Member = {
  userId: number;
  email: string;
  name: string;
  role: MemberRole;
  hasTotp: boolean;
  addedAt: string;
  lastSeenAt: string | null;
};
export type Invite = { id: number; email: string; role: MemberRole; createdAt: string; expiresAt: string };
