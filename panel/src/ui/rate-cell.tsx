// The delivery rate of an order in a row: saffron below 90 %, coral at 0 %.
import { deliveryRate, percent } from '../format.ts';
import { attentionRate, type Order } from './states.tsx';

export function RateCell({ order }: { order: Pick<Order, 'delivered' | 'undelivered' | 'state'> }) {
  const rate = deliveryRate(order.delivered, order.undelivered);
  if (rate === null) return <span className="soft">–</span>;
  const isLow = rate < attentionRate && order.state !== 'sending';
  return <b className={rate === 0 ? 'bad' : isLow ? 'warn' : undefined}>{percent(rate)}</b>;
}
