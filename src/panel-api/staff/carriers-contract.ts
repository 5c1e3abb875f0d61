// Contract of the panel: carriers with their settings, links, errors and history.
import { type Static, Type } from '../../contract/type.ts';
import { maybe, reasonGiven, someText, text, textsByName } from '../contract/fields.ts';
import { nothing, type Operations } from '../contract/shapes.ts';

export const carrierState = Type.Enum(['paused', 'bound', 'partly bound', 'connecting', 'down']);
export type CarrierState = Static<typeof carrierState>;
/** `word` as the carrier wrote it, or (none), (no id), (other words); `lastId`: the message id of its last use. */
const carrierWord = Type.Object({
  word: Type.String(),
  times: Type.Number(),
  lastId: Type.String(),
  firstAt: Type.String(),
  lastAt: Type.String(),
});
export type CarrierWord = Static<typeof carrierWord>;
/** `error` in the words of the protocol or the system. */
const carrierError = Type.Object({
  error: Type.String(),
  times: Type.Number(),
  firstAt: Type.String(),
  lastAt: Type.String(),
});
export type CarrierError = Static<typeof carrierError>;
/** Totals since the link's process began; two polls give a rate. */
const carrierLink = Type.Object({
  /** 0: the home. */
  cell: Type.Number(),
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
  /** The start of these four counts. */
  countingSince: Type.Nullable(Type.String()),
  at: Type.String(),
});
const carrierLine = Type.Object({
  id: Type.Number(),
  name: Type.String(),
  kind: Type.Enum(['smpp', 'http']),
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
  /** Every setting by its name in `settings`, as text; the password is never included. */
  values: Type.Record(Type.String()),
  links: Type.Array(carrierLink),
  /** Newest first, at most 20; equal words share a line. */
  errors: Type.Array(carrierError),
  /** Intermediate states it reported, newest first, at most 20. */
  words: Type.Array(carrierWord),
});
export type CarrierLine = Static<typeof carrierLine>;
/** How the form asks for a setting; `initial`: the default of a new carrier. */
const carrierField = Type.Object({
  name: Type.String(),
  /** The kind of carrier that has it. */
  of: Type.Enum(['both', 'smpp', 'http']),
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
const carriers = Type.Object({
  carriers: Type.Array(carrierLine),
  settings: Type.Array(Type.String()),
  fields: Type.Array(carrierField),
  at: Type.String(),
});
export type Carriers = Static<typeof carriers>;
/** `error` in the words of the protocol or the system. */
const carrierTest = Type.Object({
  outcome: Type.Enum(['bound', 'sent', 'failed']),
  error: Type.Nullable(Type.String()),
  messageId: Type.Nullable(Type.String()),
  ms: Type.Number(),
});
const historySpan = Type.Enum(['hour', 'day', 'week']);
export type HistorySpan = Static<typeof historySpan>;
/** By the minute for an hour, by ten minutes for a day, by the hour for a week; oldest first, without gaps. */
const carrierHistory = Type.Object({
  stepSeconds: Type.Number(),
  points: Type.Array(
    Type.Object({
      at: Type.String(),
      submitted: Type.Number(),
      throttled: Type.Number(),
      refused: Type.Number(),
      receipts: Type.Number(),
      undelivered: Type.Number(),
      /** Average from answer to receipt; null if none was measured. */
      lagSeconds: Type.Nullable(Type.Number()),
      /** Refused submits and receipts of undelivered messages ÷ submits and receipts; null without any. */
      errorShare: Type.Nullable(Type.Number()),
      unanswered: Type.Number(),
      waiting: Type.Number(),
      /** Pending receipts, 50,000 = that or more. */
      owed: Type.Number(),
    }),
  ),
});
export type CarrierHistory = Static<typeof carrierHistory>;

const settingsMax = 100;
const secretsMax = 20;
const carrierName = someText(40);
const carrierForm = Type.Object({
  name: text(100),
  settings: maybe(textsByName(settingsMax, 500)),
  password: maybe(text(4_096)),
  /** Of an HTTP carrier without a preset: its description, JSON. */
  definition: maybe(text(50_000)),
  /** Of an HTTP carrier: the values of {{secret:NAME}} in its description, by NAME; the password is not among them. */
  secrets: maybe(textsByName(secretsMax, 4_096)),
});
/** `isOwn`: not of a preset. `secretsSet`: the names of stored secrets; never their values. */
const carrierDescription = Type.Object({
  definition: Type.String(),
  isOwn: Type.Boolean(),
  secretsSet: Type.Array(Type.String()),
});
/** Where the carrier posts to; only the path if the program does not know its own address; null if it does not post. */
const carrierAddresses = Type.Object({
  receipts: Type.Nullable(Type.String()),
  inbound: Type.Nullable(Type.String()),
});

export const staffCarriersOperations = {
  'staff.carriers': { input: nothing, output: carriers },
  /** Adds a carrier, or changes the one of that name; values as text, by the names in `settings` of staff.carriers. */
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
  /** Of an HTTP carrier, or of a preset. */
  'staff.carrierDescription': {
    input: Type.Object({ name: maybe(carrierName), preset: maybe(text(40)) }),
    output: carrierDescription,
  },
  /** They contain a secret, so reading them is recorded. */
  'staff.carrierAddresses': { input: Type.Object({ name: carrierName }), output: carrierAddresses },
  'staff.reconnectCarrier': { input: Type.Object({ name: carrierName }), output: carriers },
  /** Removes a paused carrier; `force`: even if receipts are pending or messages wait for it. */
  'staff.removeCarrier': {
    input: Type.Object({ name: carrierName, force: Type.Boolean(), reason: reasonGiven }),
    output: carriers,
  },
  'staff.carrierHistory': { input: Type.Object({ name: carrierName, span: historySpan }), output: carrierHistory },
} satisfies Operations;
