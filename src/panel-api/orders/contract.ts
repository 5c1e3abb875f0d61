// Contract of the panel: orders, their messages, and one phone number.

import { type Static, Type } from '../../contract/type.ts';
import { consentLine, consentList } from '../consent/contract.ts';
import { endTime, id, maybe, text, time, whole } from '../contract/fields.ts';
import { both, nothing, type Operations } from '../contract/shapes.ts';
import { sourceKinds } from '../words/source-kinds.ts';

export const operator = Type.Enum(['turkcell', 'vodafone', 'turktelekom', 'other']);
export type Operator = Static<typeof operator>;
export const encoding = Type.Enum(['gsm7', 'turkish-locking', 'turkish-single', 'ucs2']);
export const orderState = Type.Enum(['scheduled', 'sending', 'finished', 'cancelled', 'failed']);
export type OrderState = Static<typeof orderState>;
/** The status shown for a message; 110 is divided by whether a carrier has it, 112 by whether we filtered it. */
const messageState = Type.Enum(['queued', 'with-carrier', 'delivered', 'undelivered', 'filtered']);
export type MessageState = Static<typeof messageState>;
/** The five always sum to `total`. */
export const counters = Type.Object({
  total: Type.Number(),
  delivered: Type.Number(),
  undelivered: Type.Number(),
  filtered: Type.Number(),
  withCarrier: Type.Number(),
  queued: Type.Number(),
});
export type Counters = Static<typeof counters>;
export const orderLine = Type.Object({
  ...counters.properties,
  id: Type.Number(),
  state: orderState,
  sender: Type.String(),
  textStart: Type.String(),
  texts: Type.Number(),
  commercial: Type.Nullable(consentList),
  /** `who`: e-mail address of the panel user. */
  source: Type.Object({
    kind: Type.Enum([...sourceKinds]),
    who: Type.Nullable(Type.String()),
  }),
  submitAt: Type.String(),
  sendAt: Type.String(),
  finishedAt: Type.Nullable(Type.String()),
  /** For an order that is being sent: messages without an outcome by then end without one. */
  endsBy: Type.Nullable(Type.String()),
  /** Consumed plus still reserved. */
  credits: Type.Number(),
});
export type OrderLine = Static<typeof orderLine>;
const orderPage = Type.Object({
  rows: Type.Array(orderLine),
  next: Type.Nullable(Type.String()),
  retentionDays: Type.Number(),
});
const reason = Type.Object({
  /** The number stored with the message; key: a word. */
  no: Type.Number(),
  key: Type.String(),
  tr: Type.String(),
  en: Type.String(),
  advice: both,
  filtered: Type.Boolean(),
});
export type Reason = Static<typeof reason>;
const orderView = Type.Object({
  ...orderLine.properties,
  resent: Type.Number(),
  reserved: Type.Number(),
  consumed: Type.Number(),
  cancelledBy: Type.Nullable(Type.String()),
  reasons: Type.Array(
    Type.Object({
      ...reason.properties,
      count: Type.Number(),
    }),
  ),
  operators: Type.Array(
    Type.Object({
      ...counters.properties,
      operator: operator,
    }),
  ),
  /** Cumulative over time since sendAt, oldest first. */
  curve: Type.Array(
    Type.Object({
      at: Type.String(),
      delivered: Type.Number(),
      undelivered: Type.Number(),
    }),
  ),
  /** Seconds after sendAt by which half and nine tenths of the delivered messages were delivered. */
  p50Seconds: Type.Nullable(Type.Number()),
  p90Seconds: Type.Nullable(Type.Number()),
  /** The first 20 texts. */
  textList: Type.Array(
    Type.Object({
      no: Type.Number(),
      text: Type.String(),
      encoding: encoding,
      parts: Type.Number(),
      recipients: Type.Number(),
    }),
  ),
  ledger: Type.Array(
    Type.Object({
      at: Type.String(),
      kind: Type.String(),
      sms: Type.Number(),
      reserved: Type.Number(),
    }),
  ),
  webhook: Type.Object({
    pending: Type.Number(),
    givenUp: Type.Number(),
  }),
  /** `order` of a send-sms request that would create the same order. */
  asRequest: Type.Record(Type.Unknown()),
});
export type OrderView = Static<typeof orderView>;
const recipientLine = Type.Object({
  messageId: Type.Number(),
  /** +90…, or an invalid number as given. */
  number: Type.String(),
  operator: Type.Nullable(operator),
  status: Type.Number(),
  state: messageState,
  reason: Type.Nullable(reason),
  credits: Type.Number(),
  finalAt: Type.Nullable(Type.String()),
  textNo: Type.Number(),
});
export type RecipientLine = Static<typeof recipientLine>;
const recipientPage = Type.Object({
  rows: Type.Array(recipientLine),
  next: Type.Nullable(Type.String()),
});
const messageView = Type.Object({
  ...recipientLine.properties,
  orderId: Type.Number(),
  sender: Type.String(),
  text: Type.String(),
  encoding: encoding,
  parts: Type.Number(),
  acceptedAt: Type.String(),
  sendAt: Type.String(),
  /**
   * Kabul → Kontroller → Kuyruk → Operatöre verildi → Rapor; `at` is null if the step has not happened or its time is not
   * stored.
   */
  stages: Type.Array(
    Type.Object({
      key: Type.Enum(['accepted', 'checked', 'queued', 'handed-over', 'reported']),
      at: Type.Nullable(Type.String()),
      isDone: Type.Boolean(),
      /** The message ended badly at this step; later steps never happen. */
      isStopped: Type.Boolean(),
    }),
  ),
  technical: Type.Object({
    carrier: Type.Nullable(Type.String()),
    carrierIds: Type.Array(Type.String()),
    /** The message id of an SMPP customer; with parts, one for each that asked for a receipt. */
    smppIds: Type.Array(Type.String()),
    partsHandedOver: Type.Number(),
  }),
});
export type MessageView = Static<typeof messageView>;
const numberEvent = Type.Union([
  Type.Object({
    kind: Type.Literal('message'),
    at: Type.String(),
    orderId: Type.Number(),
    sender: Type.String(),
    textStart: Type.String(),
    ...recipientLine.properties,
  }),
  Type.Object({
    kind: Type.Literal('inbound'),
    at: Type.String(),
    to: Type.String(),
    text: Type.String(),
    effect: Type.Nullable(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('blacklisted'),
    at: Type.String(),
    source: Type.String(),
    note: Type.Nullable(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('consent'),
    at: Type.String(),
    record: consentLine,
  }),
]);
export type NumberEvent = Static<typeof numberEvent>;
const numberView = Type.Object({
  /** +90… */
  number: Type.String(),
  operator: operator,
  blacklist: Type.Nullable(
    Type.Object({
      since: Type.String(),
      source: Type.String(),
      note: Type.Nullable(Type.String()),
    }),
  ),
  consents: Type.Array(
    Type.Object({
      brand: Type.Number(),
      type: Type.String(),
      recipientType: Type.String(),
      status: Type.Enum(['ONAY', 'RET']),
      source: Type.String(),
      consentDate: Type.String(),
    }),
  ),
  /** Newest first. Blacklist, consent and inbound are on the first page only. */
  events: Type.Array(numberEvent),
  next: Type.Nullable(Type.String()),
});
export type NumberView = Static<typeof numberView>;

const rowsMax = 200;
export const orderFilter = Type.Object({
  state: maybe(orderState),
  /** Not sent, or ended with less than nine tenths delivered; among the newest. */
  attention: maybe(Type.Boolean()),
  sender: maybe(text(20)),
  source: maybe(Type.Enum(['api', 'smpp', 'panel'])),
  commercial: maybe(Type.Boolean()),
  from: maybe(time()),
  to: maybe(endTime()),
  /** Order id, phone number in any form, or a piece of the text. */
  search: maybe(text(200)),
  cursor: maybe(text(60)),
  limit: maybe(whole(1, rowsMax)),
});
export const recipientFilter = Type.Object({
  id: id(),
  state: maybe(messageState),
  reason: maybe(whole(0, 1_000)),
  operator: maybe(operator),
  /** In any form, or its last digits. */
  number: maybe(text(60)),
  cursor: maybe(text(40)),
  limit: maybe(whole(1, rowsMax)),
});

export const ordersOperations = {
  'orders.list': { input: orderFilter, output: orderPage },
  /** The next 500, and how many there are. */
  'orders.scheduled': {
    input: nothing,
    output: Type.Object({
      rows: Type.Array(orderLine),
      total: Type.Number(),
    }),
  },
  'orders.read': { input: Type.Object({ id: id() }), output: orderView },
  'orders.recipients': { input: recipientFilter, output: recipientPage },
  'orders.message': { input: Type.Object({ orderId: id(), messageId: id() }), output: messageView },
  'orders.reuse': {
    input: Type.Object({ id: id(), which: Type.Enum(['all', 'undelivered']) }),
    output: Type.Object({
      numbers: Type.Array(Type.String()),
    }),
  },
  'orders.cancel': { input: Type.Object({ id: id() }), output: nothing },
  /** Turkey time `YYYY-MM-DD HH:MM`; error `too-late` if it has begun. */
  'orders.reschedule': { input: Type.Object({ id: id(), sendAt: text(40) }), output: nothing },
  'number.read': { input: Type.Object({ number: text(60), cursor: maybe(text(40)) }), output: numberView },
} satisfies Operations;
