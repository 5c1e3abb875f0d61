// Orders under way, moved by the one live poll: bar, count, speed, time left.
import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RunningOrder } from '../../../src/panel-api/overview/contract.ts';
import { duration, number } from '../format.ts';
import { paths } from '../paths.ts';
import { t } from '../text/language.ts';
import { Card } from './card.tsx';
import { finalCount, SegmentBar } from './segment-bar.tsx';

/** "120 SMS/sn · yaklaşık 4 sn kaldı"; once carriers have all of it, what it waits for: no pace tells when reports come. */
export function paceWords(order: RunningOrder): string {
  if (order.queued === 0) return order.withCarrier > 0 ? t.order.awaiting(number(order.withCarrier)) : '';
  const pace = order.perSecond ? t.order.perSecond(number(Math.max(1, Math.round(order.perSecond)))) : '';
  const left = order.secondsLeft === null ? '' : t.order.left(duration(order.secondsLeft * 1000));
  return [pace, left].filter(Boolean).join(' · ');
}

export function RunningOrders({ orders }: { orders: RunningOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <Card title={t.overview.running}>
      <Stack gap="sm">
        {orders.map(order => (
          <div key={order.id}>
            <Group justify="space-between" gap="xs" mb={4}>
              <Text size="sm" component="div" style={{ minWidth: 0 }}>
                <Link to={paths.order(String(order.id))} className="link">
                  {t.order.name(String(order.id))}
                </Link>
                {` · ${order.sender}`}
              </Text>
              <Text size="sm" c="dimmed">
                {[`${number(finalCount(order))} / ${number(order.total)}`, paceWords(order)]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Group>
            <SegmentBar counters={order} label={t.order.name(String(order.id))} />
          </div>
        ))}
      </Stack>
    </Card>
  );
}
