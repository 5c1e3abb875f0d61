// Contract of the panel: the balance and its movements.

import { type Static, Type } from '../../contract/type.ts';
import { endTime, id, maybe, text, time } from '../contract/fields.ts';
import { nothing, type Operations, paged } from '../contract/shapes.ts';

const balanceView = Type.Object({
  sms: Type.Number(),
  amount: Type.String(),
  /** Reserved for pending messages. */
  reserved: Type.Number(),
  /** Credits used per day, oldest first (Turkey days). */
  daily: Type.Array(
    Type.Object({
      day: Type.String(),
      used: Type.Number(),
    }),
  ),
});
/** `correct`: delivered after its credit had been released, and so charged again. */
const ledgerKind = Type.Enum(['grant', 'reserve', 'consume', 'release', 'correct']);
const ledgerLine = Type.Object({
  id: Type.Number(),
  at: Type.String(),
  kind: ledgerKind,
  sms: Type.Number(),
  reserved: Type.Number(),
  amount: Type.String(),
  /** Spendable credits after this entry; null for a line that sums up an order. */
  balanceAfter: Type.Nullable(Type.Number()),
  /** The order's credits: reserved = consumed + released + held. */
  order: Type.Nullable(
    Type.Object({
      reserved: Type.Number(),
      consumed: Type.Number(),
      released: Type.Number(),
      held: Type.Number(),
    }),
  ),
  orderId: Type.Nullable(Type.Number()),
  reason: Type.Nullable(Type.String()),
  actor: Type.Nullable(Type.String()),
});
export type LedgerLine = Static<typeof ledgerLine>;

export const ledgerFilter = Type.Object({
  kind: maybe(ledgerKind),
  orderId: maybe(id()),
  from: maybe(time()),
  to: maybe(endTime()),
  /** One line per order instead of one per movement; without effect together with `kind`. */
  byOrder: maybe(Type.Boolean()),
  cursor: maybe(text(40)),
});

export const moneyOperations = {
  'balance.read': { input: nothing, output: balanceView },
  'balance.ledger': { input: ledgerFilter, output: paged(ledgerLine) },
} satisfies Operations;
