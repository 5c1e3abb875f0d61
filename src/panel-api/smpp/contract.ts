// The panel's contract: SMPP users of the account, who of them is bound, and what is owed to them.

import { type Static, Type } from '../../contract/type.ts';
import { id, ifGiven, maybe, orNull, text, texts, whole } from '../fields.ts';
import { nothing, type Operations } from '../shapes.ts';

const consentList = Type.Enum(['BIREYSEL', 'TACIR']);
/** Wider than the bounds of any figure: those are the domain's, and the answer of `smpp.list` tells them. */
const figure = whole(0, 1_000_000);
const bounds = Type.Object({ least: Type.Number(), most: Type.Number() });

export const smppUser = Type.Object({
  systemId: Type.String(),
  name: Type.String(),
  /** Addresses and networks that may bind; while there are none nobody may. */
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
  /** Receipts and messages that it refused for good, and those that nobody fetched in time. */
  refused: Type.Number(),
  expired: Type.Number(),
  bound: Type.Number(),
  /** Receipts and messages from phones that it is owed; `waitingMore`: they are counted no further. */
  waiting: Type.Number(),
  waitingMore: Type.Boolean(),
  oldestAt: Type.Nullable(Type.String()),
});
export type SmppUserLine = Static<typeof smppUser>;

export const smppBind = Type.Object({
  id: Type.Number(),
  systemId: Type.String(),
  kind: Type.Enum(['transceiver', 'transmitter', 'receiver']),
  address: Type.String(),
  secure: Type.Boolean(),
  boundAt: Type.String(),
  submits: Type.Number(),
  /** Submits that were refused. */
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
/** What is not given stays; of a new user it is as usual. */
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
      figures: Type.Object({ binds: bounds, window: bounds, receiptWindow: bounds, rate: bounds }),
      /** Those of all users, over all nodes. */
      liveBinds: Type.Array(smppBind),
      /** Where to bind, as far as this node knows. */
      server: Type.Object({
        host: Type.String(),
        port: Type.Nullable(Type.Number()),
        tlsPort: Type.Nullable(Type.Number()),
      }),
    }),
  },
  /** The password is here, and never again. */
  'smpp.add': { input: Type.Object(settings), output: login },
  'smpp.save': { input: Type.Object({ systemId, enabled: ifGiven(Type.Boolean()), ...settings }), output: nothing },
  /** The old password works for `keepHours` yet; binds there are go on. */
  'smpp.rotate': { input: Type.Object({ systemId, keepHours: maybe(figure) }), output: login },
  /** With its binds and what it is owed. */
  'smpp.remove': { input: ofUser, output: nothing },
  /** One bind, or all of the user; it may bind again. */
  'smpp.kick': {
    input: Type.Object({ systemId, bindId: maybe(id()) }),
    output: Type.Object({ kicked: Type.Number() }),
  },
} satisfies Operations;
