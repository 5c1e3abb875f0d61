// Contract of the panel: the API log and the reference of this server.

import { type Static, Type } from '../../contract/type.ts';
import { endTime, id, maybe, text, time, whole } from '../contract/fields.ts';
import { both, nothing, type Operations, paged } from '../contract/shapes.ts';

const developers = Type.Object({
  baseUrl: Type.String(),
  key: Type.Nullable(Type.String()),
  /** Values of this account and reader that fill the examples, so that they work unchanged. */
  sample: Type.Object({
    sender: Type.String(),
    brand: Type.Nullable(Type.Number()),
    orderId: Type.Nullable(Type.Number()),
    mobile: Type.String(),
  }),
  operations: Type.Array(
    Type.Object({
      name: Type.String(),
      path: Type.String(),
      aliases: Type.Array(Type.String()),
      needs: Type.Nullable(Type.String()),
      fields: Type.Record(both),
      codes: Type.Array(
        Type.Object({
          code: Type.Number(),
          ...both.properties,
          fix: Type.Nullable(both),
        }),
      ),
      result: Type.Nullable(Type.String()),
      /** Complete answers as sent. */
      answer: Type.Unknown(),
      refusal: Type.Unknown(),
    }),
  ),
});
export type Developers = Static<typeof developers>;
const remedy = Type.Union([
  Type.Object({
    kind: Type.Literal('add-address'),
    address: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('enable-api'),
  }),
  Type.Object({
    kind: Type.Literal('api-access'),
  }),
  Type.Object({
    kind: Type.Literal('smpp'),
  }),
  Type.Object({
    kind: Type.Literal('balance'),
  }),
  Type.Object({
    kind: Type.Literal('senders'),
  }),
  Type.Object({
    kind: Type.Literal('sending'),
  }),
  Type.Object({
    kind: Type.Literal('consent'),
  }),
  Type.Object({
    kind: Type.Literal('orders'),
  }),
  Type.Object({
    kind: Type.Literal('none'),
  }),
]);
export type Remedy = Static<typeof remedy>;
/** A call that was answered 200; a busy account shows only some. */
const callLine = Type.Object({
  id: Type.Number(),
  at: Type.String(),
  operation: Type.String(),
  ms: Type.Number(),
  orderId: Type.Nullable(Type.Number()),
  /** null: the login of older clients. */
  keyStart: Type.Nullable(Type.String()),
  keyName: Type.Nullable(Type.String()),
  address: Type.String(),
});
const refusalLine = Type.Object({
  id: Type.Number(),
  at: Type.String(),
  operation: Type.String(),
  code: Type.Number(),
  cause: Type.String(),
  sentence: both,
  fix: both,
  remedy: remedy,
  address: Type.Nullable(Type.String()),
  agent: Type.Nullable(Type.String()),
  /** The first eight characters of the key, if it is one of the account's. */
  keyStart: Type.Nullable(Type.String()),
  /** 422: field → text. */
  errors: Type.Nullable(Type.Record(Type.String())),
});
export type RefusalLine = Static<typeof refusalLine>;
const refusalGroups = Type.Object({
  groups: Type.Array(
    Type.Object({
      code: Type.Number(),
      cause: Type.String(),
      sentence: both,
      fix: both,
      remedy: remedy,
      count: Type.Number(),
      firstAt: Type.String(),
      lastAt: Type.String(),
      addresses: Type.Array(Type.String()),
    }),
  ),
  /** Accepted calls of the same days, by operation. */
  accepted: Type.Array(
    Type.Object({
      operation: Type.String(),
      count: Type.Number(),
    }),
  ),
  days: Type.Number(),
});
export type RefusalGroups = Static<typeof refusalGroups>;

const keptDays = 30;
const callFilter = Type.Object({
  operation: maybe(text(60)),
  address: maybe(text(60)),
  /** The first eight characters of a key. */
  keyStart: maybe(text(8)),
  orderId: maybe(id()),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(40)),
});
export const refusalFilter = Type.Object({
  code: maybe(whole(100, 999)),
  cause: maybe(text(500)),
  operation: maybe(text(60)),
  address: maybe(text(60)),
  from: maybe(time()),
  to: maybe(endTime()),
  cursor: maybe(text(40)),
});

export const developersOperations = {
  'apiLog.list': { input: refusalFilter, output: paged(refusalLine) },
  'apiLog.calls': { input: callFilter, output: paged(callLine) },
  'apiLog.groups': { input: Type.Object({ days: maybe(whole(1, keptDays)) }), output: refusalGroups },
  'developers.read': { input: nothing, output: developers },
} satisfies Operations;
