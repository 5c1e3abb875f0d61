// One order as its page shows it: reasons, operators, the delivery curve with its two usual percentiles.
import { type Db, type Queryable, snapshot } from '../../db/db.ts';
import { encodingName } from '../../orders/encodings.ts';
import { iso } from '../contract/input.ts';
import { asRequest } from './as-request.ts';
import type { Counters, Operator, OrderView } from './contract.ts';
import { operatorOfBlock } from './operators.ts';
import {
  cancelledBy,
  orderBreakdown,
  orderEnds,
  orderLedger,
  orderTexts,
  orderWebhook,
  type Range,
} from './order-detail.ts';
import { type OrderRow, orderRow, showOrder } from './order-lines.ts';
import { showReason } from './reason-advice.ts';

const textsMax = 20;
const curvePointsMax = 60;

export function rangeOf(accountId: number, order: OrderRow): Range {
  return { accountId, first: order.firstMessageId, end: order.firstMessageId + order.total };
}

/** One snapshot, so that operators and reasons add up to the counters beside them. */
export function viewOrder(db: Db, accountId: number, id: number, closeAfterMs: number): Promise<OrderView | null> {
  return snapshot(db, tx => readOrder(tx, accountId, id, closeAfterMs));
}

async function readOrder(
  db: Queryable,
  accountId: number,
  asked: number,
  closeAfterMs: number,
): Promise<OrderView | null> {
  const order = await orderRow(db, accountId, asked);
  if (!order) return null;
  // The id may be that of one of its messages.
  const { id } = order;
  const range = rangeOf(accountId, order);
  const breakdown = await orderBreakdown(db, range);
  const ends = await orderEnds(db, range, order.sendAt);
  const texts = await orderTexts(db, range, id, textsMax);
  const ledger = await orderLedger(db, accountId, id);
  const events = new Map((await orderWebhook(db, accountId, id)).map(one => [one.state, one.events]));
  const view = {
    ...showOrder(order),
    endsBy: order.state === 'sending' ? endOf(order, breakdown, closeAfterMs) : null,
    resent: order.resent,
    reserved: order.reserved,
    consumed: order.consumed,
    cancelledBy: order.state === 'cancelled' ? ((await cancelledBy(db, accountId, id)) ?? 'API') : null,
    reasons: reasonsOf(breakdown),
    operators: operatorsOf(breakdown),
    curve: curveOf(ends, order.sendAt),
    p50Seconds: percentile(ends, 0.5),
    p90Seconds: percentile(ends, 0.9),
    textList: texts.map(one => ({ ...one, encoding: encodingName(one.encoding) })),
    ledger: ledger.map(one => ({ ...one, at: iso(one.at) })),
    webhook: { pending: events.get('pending') ?? 0, givenUp: events.get('given-up') ?? 0 },
  };
  return { ...view, asRequest: asRequest(view) };
}

/** By when it ends if no further receipt comes: the time of its newest submit counts (close_order). */
function endOf({ closeAfter }: OrderRow, breakdown: Breakdown, closeAfterMs: number): string {
  const submits = breakdown.map(one => (one.submittedAt ? one.submittedAt.getTime() + closeAfterMs : 0));
  return new Date(Math.max(closeAfter.getTime(), ...submits)).toISOString();
}

type Breakdown = Awaited<ReturnType<typeof orderBreakdown>>;
type Ends = Awaited<ReturnType<typeof orderEnds>>;

function reasonsOf(breakdown: Breakdown): OrderView['reasons'] {
  const counts = new Map<number, number>();
  for (const one of breakdown)
    if (one.status === 112) counts.set(one.reason, (counts.get(one.reason) ?? 0) + one.count);
  return [...counts]
    .flatMap(([no, count]) => {
      const reason = showReason(no);
      return reason ? [{ ...reason, count }] : [];
    })
    .sort((a, b) => b.count - a.count);
}

function operatorsOf(breakdown: Breakdown): OrderView['operators'] {
  const sums = new Map<Operator, Counters>();
  for (const one of breakdown) {
    if (one.block === null) continue;
    const operator = operatorOfBlock(one.block);
    const sum = sums.get(operator) ?? {
      total: 0,
      delivered: 0,
      undelivered: 0,
      filtered: 0,
      withCarrier: 0,
      queued: 0,
    };
    sums.set(operator, sum);
    sum.total += one.count;
    sum[bucketOf(one)] += one.count;
  }
  return [...sums].map(([operator, sum]) => ({ operator, ...sum })).sort((a, b) => b.total - a.total);
}

function bucketOf(one: Breakdown[number]): Exclude<keyof Counters, 'total'> {
  if (one.status === 111) return 'delivered';
  if (one.status === 112) return showReason(one.reason)?.filtered ? 'filtered' : 'undelivered';
  return one.submitted ? 'withCarrier' : 'queued';
}

/** Cumulative, at most 60 points of equal width; the last one holds the total. */
function curveOf(ends: Ends, sendAt: Date): OrderView['curve'] {
  if (ends.length === 0) return [];
  const stepSeconds = Math.max(1, Math.ceil((ends.at(-1)!.second + 1) / curvePointsMax));
  const curve: OrderView['curve'] = [];
  let delivered = 0;
  let undelivered = 0;
  let at = 0;
  for (let second = stepSeconds; at < ends.length; second += stepSeconds) {
    while (at < ends.length && ends[at]!.second < second) {
      delivered += ends[at]!.delivered;
      undelivered += ends[at]!.undelivered;
      at++;
    }
    curve.push({ at: new Date(sendAt.getTime() + second * 1_000).toISOString(), delivered, undelivered });
  }
  return curve;
}

function percentile(ends: Ends, part: number): number | null {
  const all = ends.reduce((sum, one) => sum + one.delivered, 0);
  if (all === 0) return null;
  let seen = 0;
  for (const one of ends) {
    seen += one.delivered;
    if (seen >= all * part) return one.second;
  }
  return null;
}
