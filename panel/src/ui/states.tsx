// States of orders and messages as they are shown. "Finished" is never green: it says that the pipeline ended, not
// that people got the message. Filtered by us is not failed.
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import type { MessageState, OrderState } from '../../../src/panel-api/contract-orders.ts';
import { deliveryRate, percent } from '../format.ts';
import { t } from '../text/language.ts';
import { type StateIcon, Tone, type ToneName } from './tone.tsx';

type Look = { tone: ToneName; icon: StateIcon; code: string };

const orderLooks: Record<OrderState, Look> = {
  scheduled: { tone: 'violet', icon: 'calendar', code: '456' },
  sending: { tone: 'blue', icon: 'moving', code: '113' },
  finished: { tone: 'gray', icon: 'flag', code: '114' },
  cancelled: { tone: 'outline', icon: 'slash', code: '115' },
  failed: { tone: 'red', icon: 'cross', code: '115' },
};

const messageLooks: Record<MessageState, Look> = {
  queued: { tone: 'gray', icon: 'clock', code: '110' },
  'with-carrier': { tone: 'blue', icon: 'arrow', code: '110' },
  delivered: { tone: 'teal', icon: 'check', code: '111' },
  undelivered: { tone: 'red', icon: 'cross', code: '112' },
  filtered: { tone: 'outline', icon: 'funnel', code: '112' },
};

type OrderCounts = { state: OrderState; delivered: number; undelivered: number };

export function OrderStateBadge({ order }: { order: OrderCounts }) {
  const look = orderLooks[order.state];
  const rate = order.state === 'finished' ? deliveryRate(order.delivered, order.undelivered) : null;
  return (
    <Tone tone={look.tone} icon={look.icon} hint={look.code}>
      {t.orderStates[order.state]}
      {rate !== null && ` · ${percent(rate)}`}
    </Tone>
  );
}

export function MessageStateBadge({ state }: { state: MessageState }) {
  const look = messageLooks[state];
  return (
    <Tone tone={look.tone} icon={look.icon} hint={look.code}>
      {t.messageStates[state]}
    </Tone>
  );
}

export type Order = OutputOf<'orders.list'>['rows'][number];
