// How states of orders and messages look. "Finished" has no colour: it means that the order ended, not that the messages were
// delivered. Filtered is not failed.
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import type { MessageState, OrderState } from '../../../src/panel-api/orders/contract.ts';
import { deliveryRate } from '../format.ts';
import { t } from '../text/language.ts';
import { Glyph, type GlyphName } from './glyph.tsx';

type Look = { glyph: GlyphName; word?: 'busy' | 'bad' | 'warn' | 'plan' | 'soft' };

/** A finished order below this delivery rate needs attention. */
export const attentionRate = 0.9;

const orderLooks: Record<OrderState, Look> = {
  scheduled: { glyph: 'planned', word: 'plan' },
  sending: { glyph: 'moving', word: 'busy' },
  finished: { glyph: 'finished' },
  cancelled: { glyph: 'cancelled', word: 'soft' },
  failed: { glyph: 'failed', word: 'bad' },
};

export const messageLooks: Record<MessageState, Look> = {
  queued: { glyph: 'queued' },
  'with-carrier': { glyph: 'moving', word: 'busy' },
  delivered: { glyph: 'delivered' },
  undelivered: { glyph: 'failed', word: 'bad' },
  filtered: { glyph: 'filtered', word: 'soft' },
};

type OrderCounts = { state: OrderState; delivered: number; undelivered: number };

export function OrderStateBadge({ order }: { order: OrderCounts }) {
  const rate = order.state === 'finished' ? deliveryRate(order.delivered, order.undelivered) : null;
  const look: Look = rate !== null && rate < attentionRate ? { glyph: 'below' } : orderLooks[order.state];
  return <StateWord look={look}>{t.orderStates[order.state]}</StateWord>;
}

export function MessageStateBadge({ state }: { state: MessageState }) {
  return <StateWord look={messageLooks[state]}>{t.messageStates[state]}</StateWord>;
}

function StateWord({ look, children }: { look: Look; children: string }) {
  return (
    <span className={`state ${look.word ? `state-${look.word}` : ''}`}>
      <Glyph name={look.glyph} />
      {children}
    </span>
  );
}

export type Order = OutputOf<'orders.list'>['rows'][number];
