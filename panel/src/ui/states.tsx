// States of orders and messages as they are shown. "Finished" is never green: it says that the pipeline ended, not
// that people got the message. Filtered by us is not failed.
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import type { MessageState, OrderState } from '../../../src/panel-api/orders/contract.ts';
import { deliveryRate, percent } from '../format.ts';
import { t } from '../text/language.ts';
import { type StateIcon, Tone, type ToneName } from './tone.tsx';

type Look = { tone: ToneName; icon: StateIcon };

const orderLooks: Record<OrderState, Look> = {
  scheduled: { tone: 'violet', icon: 'calendar' },
  sending: { tone: 'blue', icon: 'moving' },
  finished: { tone: 'gray', icon: 'flag' },
  cancelled: { tone: 'outline', icon: 'slash' },
  failed: { tone: 'red', icon: 'cross' },
};

const messageLooks: Record<MessageState, Look> = {
  queued: { tone: 'gray', icon: 'clock' },
  'with-carrier': { tone: 'blue', icon: 'arrow' },
  delivered: { tone: 'teal', icon: 'check' },
  undelivered: { tone: 'red', icon: 'cross' },
  filtered: { tone: 'outline', icon: 'funnel' },
};

type OrderCounts = { state: OrderState; delivered: number; undelivered: number };

export function OrderStateBadge({ order }: { order: OrderCounts }) {
  const look = orderLooks[order.state];
  const rate = order.state === 'finished' ? deliveryRate(order.delivered, order.undelivered) : null;
  return (
    <Tone tone={look.tone} icon={look.icon}>
      {t.orderStates[order.state]}
      {rate !== null && ` · ${percent(rate)}`}
    </Tone>
  );
}

export function MessageStateBadge({ state }: { state: MessageState }) {
  const look = messageLooks[state];
  return (
    <Tone tone={look.tone} icon={look.icon}>
      {t.messageStates[state]}
    </Tone>
  );
}

export type Order = OutputOf<'orders.list'>['rows'][number];
