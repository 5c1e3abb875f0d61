// Contract of the panel: accounts as staff see them, their people, and the view-as.
import { type Static, Type } from '../../contract/type.ts';
import { id, ifGiven, maybe, maybeNull, reasonGiven, someText, text, whole } from '../contract/fields.ts';
import { both, mode, nothing, type Operations, paged } from '../contract/shapes.ts';
import { orderState } from '../orders/contract.ts';
import { application, senderLine } from '../senders/contract.ts';
import { me, member } from '../session/contract.ts';
import { smppUser } from '../smpp/contract.ts';
import { webhook } from '../webhook/contract.ts';

const accountLine = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  status: Type.Enum(['active', 'suspended']),
  sms: Type.Number(),
  rate: Type.Number(),
  owner: Type.Nullable(Type.String()),
  createdAt: Type.String(),
  lastOrderAt: Type.Nullable(Type.String()),
});
export type AccountLine = Static<typeof accountLine>;
const accountView = Type.Object({
  ...accountLine.properties,
  amount: Type.String(),
  apiEnabled: Type.Boolean(),
  mode: mode,
  abroad: Type.Boolean(),
  apiAddresses: Type.Array(Type.String()),
  panelAddresses: Type.Array(Type.String()),
  /** First 8 characters. */
  keyStart: Type.Nullable(Type.String()),
  users: Type.Array(member),
  senders: Type.Array(senderLine),
  brands: Type.Array(
    Type.Object({
      code: Type.Number(),
      quota: Type.Nullable(Type.Number()),
      active: Type.Boolean(),
    }),
  ),
  numbers: Type.Array(
    Type.Object({
      number: Type.String(),
      keyword: Type.String(),
    }),
  ),
  webhooks: Type.Array(webhook),
  smppUsers: Type.Array(smppUser),
  applications: Type.Array(application),
  orders30Days: Type.Object({
    orders: Type.Number(),
    total: Type.Number(),
    delivered: Type.Number(),
    undelivered: Type.Number(),
    /** If false, older hours are still being counted. */
    isComplete: Type.Boolean(),
  }),
  refusals24Hours: Type.Array(
    Type.Object({
      cause: Type.String(),
      count: Type.Number(),
      sentence: both,
    }),
  ),
});
export type AccountView = Static<typeof accountView>;
const openedAccount = Type.Object({
  id: Type.Number(),
  key: Type.String(),
  hash: Type.String(),
  /** For clients that compute the hash themselves. */
  secret: Type.String(),
  invite: Type.Nullable(
    Type.Object({
      token: Type.String(),
      email: Type.String(),
    }),
  ),
});
const userLine = Type.Object({
  userId: Type.Number(),
  email: Type.String(),
  name: Type.String(),
  staff: Type.Boolean(),
  hasTotp: Type.Boolean(),
  accounts: Type.Array(
    Type.Object({
      id: Type.Number(),
      name: Type.String(),
      role: Type.String(),
    }),
  ),
  lastSeenAt: Type.Nullable(Type.String()),
});
const supportHit = Type.Union([
  Type.Object({
    kind: Type.Literal('account'),
    id: Type.Number(),
    name: Type.String(),
    status: Type.Enum(['active', 'suspended']),
    owner: Type.Nullable(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('order'),
    id: Type.Number(),
    accountId: Type.Number(),
    accountName: Type.String(),
    state: orderState,
    submitAt: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('number'),
    digits: Type.String(),
    accountId: Type.Number(),
    accountName: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('user'),
    email: Type.String(),
    name: Type.String(),
    staff: Type.Boolean(),
    accounts: Type.Array(
      Type.Object({
        id: Type.Number(),
        name: Type.String(),
      }),
    ),
  }),
]);
export type SupportHit = Static<typeof supportHit>;

const creditMax = 1_000_000_000;
const accountStatus = accountLine.properties.status;

export const staffAccountsOperations = {
  'staff.accounts': {
    input: Type.Object({ search: maybe(text(100)), status: maybe(accountStatus), cursor: maybe(text(40)) }),
    output: paged(accountLine),
  },
  'staff.account': { input: Type.Object({ id: id() }), output: accountView },
  /** With an e-mail address, also an invitation for its owner. The hash is in this answer and never again. */
  'staff.openAccount': {
    input: Type.Object({ name: someText(200), ownerEmail: maybe(text(200)) }),
    output: openedAccount,
  },
  'staff.setAccount': {
    input: Type.Object({
      id: id(),
      reason: reasonGiven,
      status: maybe(accountStatus),
      rate: maybe(whole(1, 1_000_000)),
      name: ifGiven(someText(200)),
    }),
    output: accountView,
  },
  /** Repeated with the same key it counts once. */
  'staff.grantCredit': {
    input: Type.Object({
      id: id(),
      sms: whole(-creditMax, creditMax),
      amount: maybe(text(20)),
      reason: reasonGiven,
      key: maybe(text(200)),
    }),
    output: Type.Object({
      sms: Type.Number(),
      amount: Type.String(),
    }),
  },
  'staff.addBrand': {
    input: Type.Object({ id: id(), code: id(), quota: maybeNull(whole(0, 2_000_000_000)) }),
    output: accountView,
  },
  'staff.addNumber': {
    input: Type.Object({ id: id(), number: someText(20), keyword: maybe(text(20)) }),
    output: accountView,
  },
  'staff.revokeSender': {
    input: Type.Object({ id: id(), name: someText(20), reason: reasonGiven }),
    output: accountView,
  },
  'staff.removeBrand': { input: Type.Object({ id: id(), code: id(), reason: reasonGiven }), output: accountView },
  'staff.removeNumber': {
    input: Type.Object({ id: id(), number: someText(20), keyword: maybe(text(20)), reason: reasonGiven }),
    output: accountView,
  },
  /** From now on this session sees the account as its people do, with numbers and texts masked, and cannot change anything. */
  'staff.viewAs': { input: Type.Object({ id: id(), reason: reasonGiven }), output: me },
  /** Shows numbers and texts of the viewed account. */
  'staff.viewReveal': { input: Type.Object({ reason: reasonGiven }), output: me },
  'staff.viewEnd': { input: nothing, output: me },
  /** Over all accounts: a name, an e-mail address, an order's id, a phone number in any form. */
  'staff.search': {
    input: Type.Object({ text: text(100) }),
    output: Type.Object({
      hits: Type.Array(supportHit),
    }),
  },
  'staff.users': { input: Type.Object({ search: maybe(text(100)), cursor: maybe(text(40)) }), output: paged(userLine) },
  'staff.resetSecondFactor': { input: Type.Object({ userId: id(), reason: reasonGiven }), output: nothing },
} satisfies Operations;
