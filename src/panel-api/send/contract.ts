// Contract of the panel: a message before it is sent, and the server's dry run of it.

import { lenient } from '../../contract/lenient.ts';
import { type Static, Type } from '../../contract/type.ts';
import { limits, listLimits } from '../../limits.ts';
import { consentList } from '../consent/contract.ts';
import {
  cells,
  id,
  ifGiven,
  maybe,
  maybeNull,
  text,
  textOrNull,
  texts,
  textsByName,
  whole,
} from '../contract/fields.ts';
import { mode, nothing, type Operations, panelError } from '../contract/shapes.ts';
import { encoding } from '../orders/contract.ts';

const fieldsMax = 50;
const valueMax = 1_000;
const numberFault = Type.Enum([
  'empty',
  'damaged',
  'not-digits',
  'too-short',
  'too-long',
  'landline',
  'abroad-off',
  'not-in-use',
]);
const sendOptions = Type.Object({
  /** Approved senders, the last used first. */
  senders: Type.Array(Type.String()),
  mode: mode,
  abroad: Type.Boolean(),
  brands: Type.Array(Type.Number()),
  balance: Type.Number(),
  rate: Type.Number(),
  operatorCode: Type.String(),
  /** The signed-in user's own number, for "send to me first". */
  ownMobile: Type.String(),
  recipientsMax: Type.Number(),
  partsMax: Type.Number(),
});
const quietHours = Type.Object({ from: text(5), to: text(5) });
export type QuietHours = Static<typeof quietHours>;
const headMembers = {
  sender: text(100),
  text: text(20_000),
  /** Replacements for empty values, by field name. */
  fallbacks: maybe(textsByName(fieldsMax, valueMax)),
  /** Turkey time `YYYY-MM-DD HH:MM`, or null for now. Kept as given: the order refuses an impossible time (457). */
  sendAt: lenient(Type.Nullable(Type.String()), value =>
    value === undefined || value === null || value === '' ? null : String(value).slice(0, 40),
  ),
  commercial: Type.Boolean(),
  list: maybeNull(consentList),
  /** Recipients per hour (an order each); absent or null sends to all at once. */
  perHour: maybeNull(whole(1, limits.recipientsPerOrder)),
  /** Quiet hours in Turkey (`21:00`) in which no order begins. */
  quiet: maybeNull(quietHours),
};
/** Personal texts: `{field}` in `text` is replaced once per row, by the value in the column of that name. */
const sendDraft = Type.Object({
  ...headMembers,
  // More than may be sent, so that the domain refuses "too many" (452), not the schema.
  recipients: texts(2 * limits.recipientsPerOrder, 60),
  /** Field names, and per recipient the values in that order; both absent for one text. */
  fields: ifGiven(texts(fieldsMax, 60)),
  values: ifGiven(cells(2 * limits.recipientsPerOrder, fieldsMax, valueMax)),
});
export type SendDraft = Static<typeof sendDraft>;
/** A draft on the server: the message without its recipients, which follow in pieces. */
const draftHead = Type.Object(headMembers);
export type DraftHead = Static<typeof draftHead>;
const listShape = Type.Object({
  fileName: textOrNull(300),
  header: Type.Boolean(),
  numberColumn: whole(0, listLimits.columns - 1),
  names: texts(listLimits.columns, 60),
});
export type ListShape = Static<typeof listShape>;
const draftLine = Type.Object({
  id: Type.Number(),
  /** The beginning of the text. */
  excerpt: Type.String(),
  sender: Type.String(),
  fileName: Type.Nullable(Type.String()),
  rows: Type.Number(),
  who: Type.String(),
  updatedAt: Type.String(),
});
const storedDraft = Type.Object({
  id: Type.Number(),
  head: draftHead,
  /** null without a list. */
  shape: Type.Nullable(listShape),
  /** Rows of the file, including its header. */
  rows: Type.Number(),
  version: Type.Number(),
  listNo: Type.Number(),
  /** Whether every piece of the list has arrived. */
  isWhole: Type.Boolean(),
});
export const rowSample = Type.Object({
  /** From 0. */
  row: Type.Number(),
  number: Type.String(),
  /** Only for an invalid number. */
  fault: Type.Optional(numberFault),
});
export type RowSample = Static<typeof rowSample>;
const preparedText = Type.Object({
  row: Type.Number(),
  text: Type.String(),
  encoding: encoding,
  units: Type.Number(),
  parts: Type.Number(),
});
const sendPreview = Type.Object({
  given: Type.Number(),
  sendable: Type.Number(),
  invalid: Type.Number(),
  duplicate: Type.Number(),
  blacklisted: Type.Number(),
  nonConsented: Type.Number(),
  /** The first 1,000 of each. */
  rows: Type.Object({
    invalid: Type.Array(rowSample),
    duplicate: Type.Array(rowSample),
    blacklisted: Type.Array(rowSample),
    nonConsented: Type.Array(rowSample),
  }),
  texts: Type.Number(),
  /** The first row's text and the longest one, as they will be sent. */
  first: Type.Nullable(preparedText),
  longest: Type.Nullable(preparedText),
  emptyFields: Type.Record(Type.Number()),
  unknownFields: Type.Array(Type.String()),
  credits: Type.Number(),
  balance: Type.Number(),
  balanceAfter: Type.Number(),
  startAt: Type.String(),
  /** null if the carrier decides the pace. */
  endsAt: Type.Nullable(Type.String()),
  /** Number of orders. */
  orders: Type.Number(),
  /** Every reason why send.submit would refuse, each with its field. */
  problems: Type.Array(panelError),
});
export type SendPreview = Static<typeof sendPreview>;

const countMax = 1e9;
const piecesMax = listLimits.rows / 100;

export const sendOperations = {
  'send.options': { input: nothing, output: sendOptions },
  'send.prepare': { input: sendDraft, output: sendPreview },
  'send.submit': {
    input: Type.Object({ ...sendDraft.properties, idempotencyKey: text(200) }),
    output: Type.Object({
      orderId: Type.Number(),
    }),
  },
  'drafts.list': {
    input: nothing,
    output: Type.Object({
      drafts: Type.Array(draftLine),
    }),
  },
  'drafts.create': {
    input: Type.Object({ head: draftHead }),
    output: Type.Object({
      id: Type.Number(),
      version: Type.Number(),
    }),
  },
  'drafts.read': { input: Type.Object({ id: id() }), output: storedDraft },
  'drafts.save': {
    input: Type.Object({ id: id(), head: draftHead, shape: ifGiven(Type.Nullable(listShape)) }),
    output: Type.Object({
      version: Type.Number(),
    }),
  },
  /** A new list replaces the previous one; its rows, including the header, follow by drafts.putRows. */
  'drafts.startList': {
    input: Type.Object({ id: id(), shape: listShape, rows: whole(0, listLimits.rows) }),
    output: Type.Object({
      listNo: Type.Number(),
      version: Type.Number(),
    }),
  },
  /** Pieces of at most 10,000 rows, numbered from 0. */
  'drafts.putRows': {
    input: Type.Object({
      id: id(),
      listNo: whole(1, countMax),
      no: whole(0, piecesMax),
      rows: cells(listLimits.pieceRows, listLimits.columns, listLimits.cell),
    }),
    output: nothing,
  },
  /** null after the last piece. */
  'drafts.rows': {
    input: Type.Object({ id: id(), no: whole(0, piecesMax) }),
    output: Type.Object({
      rows: Type.Nullable(Type.Array(Type.Array(Type.String()))),
    }),
  },
  'drafts.delete': { input: Type.Object({ id: id() }), output: nothing },
  'drafts.prepare': {
    input: Type.Object({ id: id() }),
    output: Type.Object({
      ...sendPreview.properties,
      version: Type.Number(),
    }),
  },
  /** All orders or none; a repeated call gets the same answer. `version`: of the dry run that was shown. */
  'drafts.submit': {
    input: Type.Object({ id: id(), version: whole(1, countMax) }),
    output: Type.Object({
      orderIds: Type.Array(Type.Number()),
    }),
  },
} satisfies Operations;
