// Contract of the panel: SMPP users of the account, their binds, and their pending receipts.

import { type Static, Type } from '../../contract/type.ts';
import { id, ifGiven, maybe, orNull, text, texts, whole } from '../contract/fields.ts';
import { nothing, type Operations } from '../contract/shapes.ts';

const consentList = Type.Enum(['BIREYSEL', 'TACIR']);
/** Wider than any limit: the domain has the limits, and `smpp.list` returns them. */
const figure = whole(0, 1_000_000);
const bounds = Type.Object({ least: Type.Number(), most: Type.Number() });

export const smppUser = Type.Object({
  systemId: Type.String(),
  name: Type.String(),
  /** Addresses and networks that may bind; an empty list allows none. */
  addresses: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  binds: Type.Number(),
  window: Type.Number(),
  receiptWindow: Type.Number(),
  /** Parts per second over all binds; null: no limit. */
  rate: Type.Nullable(Type.Number()),
  /** null: transactional. */
  consentList: Type.Nullable(consentList),
  duplicates: Type.Boolean(),
  inbound: Type.Boolean(),
  createdAt: Type.String(),
  /** Until then the password before the last rotation works as well. */
  oldUntil: Type.Nullable(Type.String()),
  lastBindAt: Type.Nullable(Type.String()),
  lastAddress: Type.Nullable(Type.String()),
  lastError: Type.Nullable(Type.String()),
  lastErrorAt: Type.Nullable(Type.String()),
  /** Receipts and messages that the user rejected finally, and those that expired unfetched. */
  refused: Type.Number(),
  expired: Type.Number(),
  bound: Type.Number(),
  /** Pending receipts and messages from phones; `waitingMore`: counting stopped at this number. */
  waiting: Type.Number(),
  waitingMore: Type.Boolean(),
  oldestAt: Type.Nullable(Type.String()),
});
export type SmppUserLine = Static<typeof smppUser>;

const smppBind = Type.Object({
  id: Type.Number(),
  systemId: Type.String(),
  kind: Type.Enum(['transceiver', 'transmitter', 'receiver']),
  address: Type.String(),
  secure: Type.Boolean(),
  boundAt: Type.String(),
  submits: Type.Number(),
  /** Refused submits. */
  refusals: Type.Number(),
  receipts: Type.Number(),
  submitsPerSecond: Type.Number(),
  receiptsPerSecond: Type.Number(),
  /** Submits that wait for our answer. */
  unanswered: Type.Number(),
  lastError: Type.Nullable(Type.String()),
  lastErrorAt: Type.Nullable(Type.String()),
});

const login = Type.Object({ systemId: Type.String(), password: Type.String() });
const systemId = text(15);
const ofUser = Type.Object({ systemId });
/** Omitted fields keep their value; new users get the defaults. */
const settings = {
  name: ifGiven(text(60)),
  addresses: ifGiven(texts(100, 60)),
  binds: ifGiven(figure),
  window: ifGiven(figure),
  receiptWindow: ifGiven(figure),
  rate: ifGiven(orNull(figure)),
  consentList: ifGiven(orNull(consentList)),
  duplicates: ifGiven(Type.Boolean()),
  inbound: ifGiven(Type.Boolean()),
};

export const smppOperations = {
  'smpp.list': {
    input: nothing,
    output: Type.Object({
      users: Type.Array(smppUser),
      max: Type.Number(),
      limits: Type.Object({ binds: bounds, window: bounds, receiptWindow: bounds, rate: bounds }),
      /** Binds of all users, over all nodes. */
      liveBinds: Type.Array(smppBind),
      /** Where to bind, as far as this node knows. */
      server: Type.Object({
        host: Type.String(),
        port: Type.Nullable(Type.Number()),
        tlsPort: Type.Nullable(Type.Number()),
      }),
    }),
  },
  /** The password is in this answer and never again. */
  'smpp.add': { input: Type.Object(settings), output: login },
  'smpp.save': { input: Type.Object({ systemId, enabled: ifGiven(Type.Boolean()), ...settings }), output: nothing },
  /** The old password works for `keepHours` more; existing binds continue. */
  'smpp.rotate': { input: Type.Object({ systemId, keepHours: maybe(figure) }), output: login },
  /** Including its binds and pending receipts. */
  'smpp.remove': { input: ofUser, output: nothing },
  /** Closes one bind, or all of the user; it may bind again. */
  'smpp.kick': {
    input: Type.Object({ systemId, bindId: maybe(id()) }),
    output: Type.Object({ kicked: Type.Number() }),
  },
} satisfies Operations;
