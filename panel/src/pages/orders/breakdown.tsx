// Delivery curve, and the same messages by operator and by reason; every row filters the recipients below.
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { deliveryRate, duration, number, percent } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { momentLabel } from '../../ui/axis.ts';
import { Card } from '../../ui/card.tsx';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SegmentBar } from '../../ui/segment-bar.tsx';

type View = OutputOf<'orders.read'>;

export function OrderBreakdown({ order }: { order: View }) {
  return (
    <>
      <Card title={t.order.curve} hint={curveHint(order)}>
        {order.curve.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t.order.curveEmpty}
          </Text>
        ) : (
          <ChartFrame
            kind="area"
            label={t.order.curve}
            first={t.common.time}
            height={200}
            unit={t.charts.messages}
            data={curvePoints(order)}
            series={[
              { name: 'delivered', label: t.messageStates.delivered, color: 'var(--bar-delivered)' },
              { name: 'undelivered', label: t.messageStates.undelivered, color: 'var(--bar-failed)' },
            ].filter(({ name }) => name === 'delivered' || order.undelivered > 0)}
          />
        )}
      </Card>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ByOperator order={order} />
        <ByReason order={order} />
      </SimpleGrid>
    </>
  );
}

function curvePoints(order: View) {
  const points = [{ at: order.sendAt, delivered: 0, undelivered: 0 }, ...order.curve];
  const label = momentLabel(points.map(point => point.at));
  return points.map(({ at, delivered, undelivered }) => ({ x: label(at), delivered, undelivered }));
}

function curveHint(order: View): string | undefined {
  if (order.p50Seconds === null || order.p90Seconds === null) return undefined;
  return t.order.curveNote(duration(order.p50Seconds * 1000), duration(order.p90Seconds * 1000));
}

function ByOperator({ order }: { order: View }) {
  const [, change] = useSearchState();
  return (
    <Card title={t.order.byOperator} flush>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t.order.operator}</th>
            <th scope="col" className="right">
              {t.orders.recipients}
            </th>
            <th scope="col" className="wide-only">
              {t.orders.progress}
            </th>
            <th scope="col" className="right">
              {t.orders.rate}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.operators.map(row => (
            <tr key={row.operator}>
              <td>
                <button
                  type="button"
                  className="text-button"
                  onClick={() => change({ operator: row.operator, sebep: null, durum: null })}
                >
                  {t.operators[row.operator]}
                </button>
              </td>
              <td className="right">{number(row.total)}</td>
              <td className="wide-only">
                <SegmentBar counters={row} label={t.operators[row.operator]} />
              </td>
              <td className="right">{percent(deliveryRate(row.delivered, row.undelivered))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function ByReason({ order }: { order: View }) {
  const [, change] = useSearchState();
  if (order.reasons.length === 0) {
    return (
      <Card title={t.order.byReason}>
        <Text size="sm" c="dimmed">
          {t.order.noReasons}
        </Text>
      </Card>
    );
  }
  return (
    <Card title={t.order.byReason} flush>
      <table className="grid">
        <tbody>
          {order.reasons.map(reason => (
            <tr key={reason.no}>
              <td>
                <Stack gap={0}>
                  <button
                    type="button"
                    className="text-button"
                    onClick={() => change({ sebep: String(reason.no), operator: null, durum: null })}
                  >
                    {inOurs(reason)}
                  </button>
                  <Text size="xs" c="dimmed">
                    {inOurs(reason.advice)}
                  </Text>
                </Stack>
              </td>
              <td className="nowrap">{reason.filtered ? t.messageStates.filtered : t.messageStates.undelivered}</td>
              <td className="right">{number(reason.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
