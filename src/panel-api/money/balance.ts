// The balance, the credit reserved for pending messages, and every movement.

import { readBalance } from '../../balance/ledger.ts';
import { snapshot } from '../../db/db.ts';
import { traffic } from '../../reports/traffic.ts';
import { toTurkeyTime, turkeyMidnightMs } from '../../time/clock.ts';
import { actorName } from '../audit/audit-words.ts';
import type { Handlers, InputRead } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { wordOf } from '../exports/words.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import type { LedgerLine } from './contract.ts';
import {
  isByOrder,
  type LedgerAsked,
  type LedgerRow,
  ledgerRows,
  type OrderSums,
  orderSums,
  reservedCredits,
} from './ledger-list.ts';

const pageRows = 50;
const chartDays = 30;
const dayMs = 86_400_000;

export const balanceHandlers = {
  async 'balance.read'(call) {
    const balance = (await readBalance(call.db, call.account.id))!;
    const since = new Date(turkeyMidnightMs(call.now) - (chartDays - 1) * dayMs);
    const range = { from: since, to: call.now };
    const { cuts } = await traffic(call.db, call.account.id, range, call.now, [{ grain: 'day', by: null }]);
    const used = new Map(cuts[0]!.map(one => [one.at, one.credits]));
    // Every day has its place on the axis, even without an order.
    const days = Array.from({ length: chartDays }, (_, i) =>
      toTurkeyTime(new Date(since.getTime() + i * dayMs)).slice(0, 10),
    );
    return {
      sms: balance.sms,
      amount: balance.amount,
      reserved: await reservedCredits(call.db, call.account.id),
      daily: days.map(day => ({ day, used: used.get(day) ?? 0 })),
    };
  },

  async 'balance.ledger'(call) {
    const asked = readLedgerFilter(call.input);
    // Entries and sums in one snapshot, so that they agree.
    return snapshot(call.db, async tx => {
      const found = await ledgerRows(tx, call.account.id, asked, pageRows + 1);
      const sums = isByOrder(asked) ? await orderSums(tx, call.account.id, found) : new Map<number, OrderSums>();
      return pageOf(
        found,
        pageRows,
        last => String(last.id),
        one => showLine(one, sums.get(one.orderId ?? 0)),
      );
    });
  },
} satisfies Partial<Handlers>;

export function readLedgerFilter(input: InputRead<'balance.ledger'>): LedgerAsked {
  return {
    kind: input.kind,
    orderId: input.orderId,
    from: input.from,
    to: input.to,
    byOrder: input.byOrder,
    before: cursorParts(input.cursor, 1)?.[0],
  };
}

export function showEntry(one: LedgerRow) {
  const isStaff = one.actor?.startsWith('staff:') || one.actor?.startsWith('operator');
  return { ...one, at: iso(one.at), actor: isStaff ? 'işletmeci' : one.actor };
}

/** A movement, or the whole order if its sums are given. */
function showLine(one: LedgerRow, sums: OrderSums | undefined): LedgerLine {
  const entry = showEntry(one);
  if (!sums) return { ...entry, order: null };
  const { change, ...order } = sums;
  const held = order.reserved - order.consumed - order.released;
  return { ...entry, sms: change, reserved: held, balanceAfter: null, order: { ...order, held } };
}

/** Columns of the list as a file. */
export const ledgerFileColumns: Column<ReturnType<typeof showEntry>>[] = [
  ['Zaman', 'Time', (one, language) => timeCell(one.at, language)],
  ['Tür', 'Kind', (one, language) => wordOf(one.kind, language)],
  ['Sipariş', 'Order', one => (one.orderId === null ? null : String(one.orderId))],
  ['Değişim', 'Change', one => one.sms],
  ['Rezerv değişimi', 'Reserve change', one => one.reserved],
  ['Sonraki bakiye', 'Balance after', one => one.balanceAfter],
  ['Açıklama', 'Reason', one => one.reason],
  ['Yapan', 'By', (one, language) => one.actor && actorName(one.actor, language)],
];
