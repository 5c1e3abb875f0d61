// Details of an order: ids, times, settings.
import { DataList, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Fact } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';

type View = OutputOf<'orders.read'>;

export function OrderFacts({ order }: { order: View }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing={8}>
      <DataList labelWidth={140}>
        <Fact label={t.orders.sender}>{order.sender}</Fact>
        <Fact label={t.orders.source}>
          {t.sources[order.source.kind]}
          {order.source.who && ` · ${order.source.who}`}
        </Fact>
        <Fact label={t.orders.commercial}>{order.commercial ?? t.common.no}</Fact>
        <Fact label={t.order.webhook}>
          <Link to={paths.webhook()} className="link">
            {t.order.webhookState(number(order.webhook.pending), number(order.webhook.givenUp))}
          </Link>
        </Fact>
      </DataList>
      <DataList labelWidth={140}>
        <Fact label={t.orders.created}>
          <Time at={order.submitAt} exact />
        </Fact>
        <Fact label={order.state === 'scheduled' ? t.send.starts : t.order.sendAt}>
          <Time at={order.sendAt} exact />
        </Fact>
        <Fact label={order.endsBy ? t.order.endsBy : t.order.finishedAt}>
          <Time at={order.endsBy ?? order.finishedAt} exact />
        </Fact>
        <Fact label={t.order.credits}>
          {order.reserved > 0
            ? t.order.creditsOpen(number(order.consumed), number(order.reserved))
            : number(order.consumed)}
        </Fact>
      </DataList>
    </SimpleGrid>
  );
}
