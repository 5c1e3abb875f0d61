// The panel's contract: the operator's staff.

import { type Static, Type } from '../../contract/type.ts';
import { registryTrouble } from '../consent/contract.ts';
import { id, ifGiven, maybe, maybeNull, someText, text, textsByName, whole } from '../fields.ts';
import { orderState } from '../orders/contract.ts';
import { application, applicationKind, applicationState, identityLine, senderLine } from '../senders/contract.ts';
import { me, member } from '../session/contract.ts';
import { both, mode, nothing, type Operations, paged } from '../shapes.ts';
import { webhook } from '../webhook/contract.ts';

/** Why nothing is sent. */
export const hold = Type.Object({
  reason: Type.Enum(['operator', 'other-database', 'other-timeline', 'other-folder']),
  detail: Type.String(),
  since: Type.String(),
});
export type Hold = Static<typeof hold>;
export const carrierState = Type.Enum(['paused', 'bound', 'partly bound', 'connecting', 'down']);
export type CarrierState = Static<typeof carrierState>;
export const laneDepth = Type.Object({
  lane: Type.Enum(['transactional', 'campaign']),
  messages: Type.Number(),
  chunks: Type.Number(),
  leased: Type.Number(),
  quarantined: Type.Number(),
  /** Due and not taken: since how long. */
  oldestSeconds: Type.Number(),
});
export type LaneDepth = Static<typeof laneDepth>;
export const status = Type.Object({
  accounts: Type.Object({
    active: Type.Number(),
    suspended: Type.Number(),
  }),
  /** Of the running Turkey day, all accounts. */
  today: Type.Object({
    total: Type.Number(),
    delivered: Type.Number(),
    undelivered: Type.Number(),
  }),
  carriers: Type.Array(
    Type.Object({
      name: Type.String(),
      state: carrierState,
      bound: Type.Number(),
      binds: Type.Number(),
    }),
  ),
  queue: Type.Array(laneDepth),
  webhooks: Type.Object({
    failing: Type.Number(),
    paused: Type.Number(),
  }),
  registry: Type.Object({
    answeredAt: Type.Nullable(Type.String()),
    trouble: Type.Nullable(registryTrouble),
    waiting: Type.Number(),
  }),
  applicationsWaiting: Type.Number(),
  /** Receipts at hand whose message is not known (yet), and when the oldest of them came. */
  unmatchedReceipts: Type.Object({ count: Type.Number(), since: Type.Nullable(Type.String()) }),
  /** How far this host's clock is ahead of the database's (negative: behind); `differs`: by more than can be left alone. */
  clock: Type.Object({
    aheadMs: Type.Number(),
    differs: Type.Boolean(),
  }),
  hold: Type.Nullable(hold),
});
export type Status = Static<typeof status>;
export const accountLine = Type.Object({
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
export const accountView = Type.Object({
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
  applications: Type.Array(application),
  orders30Days: Type.Object({
    orders: Type.Number(),
    total: Type.Number(),
    delivered: Type.Number(),
    undelivered: Type.Number(),
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
export const openedAccount = Type.Object({
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
export type OpenedAccount = Static<typeof openedAccount>;
export const userLine = Type.Object({
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
export type UserLine = Static<typeof userLine>;
export const supportHit = Type.Union([
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
export const applicationLine = Type.Object({
  id: Type.Number(),
  accountId: Type.Number(),
  accountName: Type.String(),
  kind: Type.Enum(['subscription', 'sender']),
  state: Type.Enum(['applied', 'approved', 'rejected']),
  senderName: Type.Nullable(Type.String()),
  createdAt: Type.String(),
  documents: Type.Number(),
});
export type ApplicationLine = Static<typeof applicationLine>;
export const applicationView = Type.Object({
  ...application.properties,
  accountId: Type.Number(),
  accountName: Type.String(),
  applicant: Type.Nullable(Type.String()),
  decidedBy: Type.Nullable(Type.String()),
  hasSubscription: Type.Boolean(),
  /** Approved sender IDs of any account that look alike. */
  similar: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      accountName: Type.String(),
      name: Type.String(),
    }),
  ),
  rejectionReasons: Type.Array(both),
  /** Who the applicant was found to be, newest first. */
  identity: Type.Array(identityLine),
});
export type ApplicationView = Static<typeof applicationView>;
/** `word` as the carrier wrote it, or (none), (no id), (other words); `lastId`: the message id it last came with. */
export const carrierWord = Type.Object({
  word: Type.String(),
  times: Type.Number(),
  lastId: Type.String(),
  firstAt: Type.String(),
  lastAt: Type.String(),
});
export type CarrierWord = Static<typeof carrierWord>;
/** `error` in the words of the protocol or the system. */
export const carrierError = Type.Object({
  error: Type.String(),
  times: Type.Number(),
  firstAt: Type.String(),
  lastAt: Type.String(),
});
export type CarrierError = Static<typeof carrierError>;
/** Totals since the link's process began: two polls make a rate. */
export const carrierLink = Type.Object({
  slot: Type.Number(),
  dispatcher: Type.Number(),
  state: Type.String(),
  since: Type.String(),
  lastError: Type.Nullable(Type.String()),
  windowUsed: Type.Number(),
  pace: Type.Nullable(Type.Number()),
  submitted: Type.Number(),
  throttled: Type.Number(),
  refused: Type.Number(),
  receipts: Type.Number(),
  /** Since when these four count. */
  countingSince: Type.Nullable(Type.String()),
  at: Type.String(),
});
export type CarrierLink = Static<typeof carrierLink>;
export const carrierLine = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  host: Type.String(),
  port: Type.Number(),
  state: carrierState,
  paused: Type.Boolean(),
  pauseReason: Type.Nullable(Type.String()),
  binds: Type.Number(),
  windowSize: Type.Number(),
  rate: Type.Nullable(Type.Number()),
  priority: Type.Number(),
  prefixes: Type.Array(Type.String()),
  /** Every setting by its name in `settings`, as text; the password is never among them. */
  values: Type.Record(Type.String()),
  links: Type.Array(carrierLink),
  /** Newest first, at most 20; the same words are one line. */
  errors: Type.Array(carrierError),
  /** What it said of messages without ending them, newest first, at most 20. */
  words: Type.Array(carrierWord),
});
export type CarrierLine = Static<typeof carrierLine>;
/** How a setting is asked for; `initial`: what a carrier has when nothing is said. */
export const carrierField = Type.Object({
  name: Type.String(),
  control: Type.Union([
    Type.Object({
      kind: Type.Literal('number'),
      min: Type.Number(),
      max: Type.Number(),
      mayBeEmpty: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      kind: Type.Literal('switch'),
    }),
    Type.Object({
      kind: Type.Literal('choice'),
      options: Type.Array(Type.String()),
    }),
    Type.Object({
      kind: Type.Literal('text'),
      max: Type.Number(),
    }),
  ]),
  initial: Type.String(),
  isNeeded: Type.Boolean(),
});
export type CarrierField = Static<typeof carrierField>;
export const carriers = Type.Object({
  carriers: Type.Array(carrierLine),
  settings: Type.Array(Type.String()),
  fields: Type.Array(carrierField),
  at: Type.String(),
});
export type Carriers = Static<typeof carriers>;
/** `error` in the words of the protocol or the system. */
export const carrierTest = Type.Object({
  outcome: Type.Enum(['bound', 'sent', 'failed']),
  error: Type.Nullable(Type.String()),
  messageId: Type.Nullable(Type.String()),
  ms: Type.Number(),
});
export type CarrierTest = Static<typeof carrierTest>;
export const historySpan = Type.Enum(['hour', 'day', 'week']);
export type HistorySpan = Static<typeof historySpan>;
/** By the minute for an hour, by ten minutes for a day, by the hour for a week; oldest first, without gaps. */
export const carrierHistory = Type.Object({
  stepSeconds: Type.Number(),
  points: Type.Array(
    Type.Object({
      at: Type.String(),
      submitted: Type.Number(),
      throttled: Type.Number(),
      refused: Type.Number(),
      receipts: Type.Number(),
      undelivered: Type.Number(),
      /** Average from answer to receipt; null where none was measured. */
      lagSeconds: Type.Nullable(Type.Number()),
      /** Refused submits and receipts of undelivered ones ÷ submits and receipts; null without any. */
      errorShare: Type.Nullable(Type.Number()),
      unanswered: Type.Number(),
      waiting: Type.Number(),
      /** Receipts owed, 50,000 = that or more. */
      owed: Type.Number(),
    }),
  ),
});
export type CarrierHistory = Static<typeof carrierHistory>;
export const queue = Type.Object({
  lanes: Type.Array(laneDepth),
  accounts: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      name: Type.String(),
      lane: Type.Enum(['transactional', 'campaign']),
      messages: Type.Number(),
      oldestSeconds: Type.Number(),
    }),
  ),
  scheduled: Type.Number(),
});
export type Queue = Static<typeof queue>;
export const failingWebhook = Type.Object({
  id: Type.Number(),
  accountId: Type.Number(),
  accountName: Type.String(),
  url: Type.String(),
  state: Type.Enum(['failing', 'paused']),
  reason: Type.Nullable(both),
  failures: Type.Number(),
  failingSince: Type.Nullable(Type.String()),
  nextProbeAt: Type.Nullable(Type.String()),
});
export type FailingWebhook = Static<typeof failingWebhook>;
export const registry = Type.Object({
  answeredAt: Type.Nullable(Type.String()),
  trouble: Type.Nullable(registryTrouble),
  queued: Type.Number(),
  sent: Type.Number(),
  refused7Days: Type.Number(),
  brands: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      accountName: Type.String(),
      brand: Type.Number(),
      waiting: Type.Number(),
      pulledAt: Type.Nullable(Type.String()),
      pause: Type.Nullable(
        Type.Object({
          code: Type.String(),
          sentence: both,
          since: Type.String(),
        }),
      ),
    }),
  ),
});
export type Registry = Static<typeof registry>;

const creditMax = 1_000_000_000;
const settingsMax = 100;
const accountStatus = accountLine.properties.status;
const carrierName = someText(40);
/** Asked for in words of its own where it is needed and missing (`reason-needed`). */
const reasonGiven = maybe(text(500));
const carrierForm = Type.Object({
  name: text(100),
  settings: maybe(textsByName(settingsMax, 500)),
  password: maybe(text(64)),
});

export const staffOperations = {
  'staff.status': { input: nothing, output: status },
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
  /** From now on this session sees the account as its people do, with numbers and texts masked, and can change nothing. */
  'staff.viewAs': { input: Type.Object({ id: id(), reason: reasonGiven }), output: me },
  /** Shows numbers and texts of the account looked at. */
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
  'staff.applications': {
    input: Type.Object({ state: maybe(applicationState), kind: maybe(applicationKind), cursor: maybe(text(60)) }),
    output: paged(applicationLine),
  },
  'staff.application': { input: Type.Object({ id: id() }), output: applicationView },
  'staff.decide': {
    input: Type.Object({ id: id(), decision: Type.Enum(['approve', 'reject']), reason: reasonGiven }),
    output: applicationView,
  },
  'staff.askDocuments': { input: Type.Object({ id: id(), note: someText(500) }), output: applicationView },
  'staff.noteIdentity': {
    input: Type.Object({ id: id(), confirmed: Type.Boolean(), note: someText(500) }),
    output: applicationView,
  },
  'staff.carriers': { input: nothing, output: carriers },
  /** Adds one, or changes the one of that name; values as text, by the names in `settings` of staff.carriers. */
  'staff.putCarrier': { input: carrierForm, output: carriers },
  'staff.pauseCarrier': {
    input: Type.Object({ name: carrierName, paused: Type.Boolean(), reason: maybe(text(200)) }),
    output: carriers,
  },
  /** Binds as the form says and, with `sms`, sends one message; stores nothing. At most 20 s. */
  'staff.testCarrier': {
    input: Type.Object({
      ...carrierForm.properties,
      sms: maybe(Type.Object({ sender: maybe(text(11)), number: maybe(text(40)) })),
    }),
    output: carrierTest,
  },
  'staff.reconnectCarrier': { input: Type.Object({ name: carrierName }), output: carriers },
  /** Of a paused one; `force`: also when receipts are owed or messages wait for it. */
  'staff.removeCarrier': {
    input: Type.Object({ name: carrierName, force: Type.Boolean(), reason: reasonGiven }),
    output: carriers,
  },
  'staff.carrierHistory': { input: Type.Object({ name: carrierName, span: historySpan }), output: carrierHistory },
  'staff.queue': { input: nothing, output: queue },
  'staff.webhooks': {
    input: nothing,
    output: Type.Object({
      endpoints: Type.Array(failingWebhook),
    }),
  },
  'staff.registry': { input: nothing, output: registry },
  'staff.registrySync': { input: nothing, output: nothing },
  'staff.holdDispatch': { input: Type.Object({ reason: text(200) }), output: nothing },
  /** `close`: what was accepted before the hold ends as undelivered, with its credit back, instead of being sent. */
  'staff.releaseDispatch': {
    input: Type.Object({ close: Type.Boolean() }),
    output: Type.Object({
      closed: Type.Number(),
    }),
  },
} satisfies Operations;
