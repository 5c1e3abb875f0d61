// The head of an order: its bar with the counts, then the facts.
import { DataList, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { deliveryRate, duration, number, percent } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Fact } from '../../ui/fact.tsx';
import { paceWords } from '../../ui/order-words.ts';
import { RateHelp } from '../../ui/rate-help.tsx';
import { finalCount, SegmentBar, SegmentLegend } from '../../ui/segment-bar.tsx';
import { Time } from '../../ui/time.tsx';
import { useLive } from '../../ui/use-live.ts';

type View = OutputOf<'orders.read'>;

export function OrderFacts({ order }: { order: View }) {
  return (
    <Card>
      <Stack gap="md">
        <Stack gap={8}>
          <Group justify="space-between" gap="xs">
            <Text fw={600}>
              {number(finalCount(order))} / {number(order.total)}
            </Text>
            <Pace order={order} />
          </Group>
          <SegmentBar counters={order} />
          <SegmentLegend counters={order} />
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing={8}>
          <DataList labelWidth={140}>
            <Fact label={t.orders.id}>
              <span className="mono">{order.id}</span>
              <CopyButton value={String(order.id)} />
            </Fact>
            <Fact label={t.orders.sender}>{order.sender}</Fact>
            <Fact label={t.orders.source}>
              {t.sources[order.source.kind]}
              {order.source.who && ` · ${order.source.who}`}
            </Fact>
            <Fact label={t.orders.commercial}>{order.commercial ?? t.common.no}</Fact>
          </DataList>
          <DataList labelWidth={140}>
            <Fact label={t.orders.created}>
              <Time at={order.submitAt} exact />
            </Fact>
            <Fact label={t.order.sendAt}>
              <Time at={order.sendAt} exact />
            </Fact>
            <Fact label={t.order.finishedAt}>
              <Time at={order.finishedAt} exact />
              {/* The only place where the line may break. */ ' '}
              {order.finishedAt && order.state === 'finished' && (
                <Text span size="sm" c="dimmed" className="nowrap">
                  {'· '}
                  {t.order.took(duration(new Date(order.finishedAt).getTime() - new Date(order.sendAt).getTime()))}
                </Text>
              )}
            </Fact>
            <Fact label={t.order.credits}>
              {order.reserved > 0
                ? t.order.creditsOpen(number(order.consumed), number(order.reserved))
                : number(order.consumed)}
            </Fact>
            <Fact label={t.orders.rate}>
              {percent(deliveryRate(order.delivered, order.undelivered))} <RateHelp />
            </Fact>
          </DataList>
        </SimpleGrid>
        {order.cancelledBy && <Text size="sm">{t.order.cancelledBy(order.cancelledBy)}</Text>}
        {order.resent > 0 && (
          <Text size="sm" c="dimmed">
            {t.order.resent(number(order.resent))}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

/** Speed and time left come with the one poll that runs anyway. */
function Pace({ order }: { order: View }) {
  const live = useLive().data?.running.find(running => running.id === order.id);
  if (order.state !== 'sending' || !live) return null;
  return (
    <Text size="sm" c="dimmed">
      {paceWords(live)}
    </Text>
  );
}
