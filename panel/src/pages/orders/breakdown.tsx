// Delivery curve, and the same messages by operator and by reason; every row filters the recipients below.
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { deliveryRate, duration, number, percent } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { momentLabel } from '../../ui/axis.ts';
import { Card } from '../../ui/card.tsx';
import { ChartCard, outcomeSeries } from '../../ui/chart-card.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SegmentBar } from '../../ui/segment-bar.tsx';

type View = OutputOf<'orders.read'>;

export function OrderBreakdown({ order }: { order: View }) {
  return (
    <>
      <ChartCard
        kind="area"
        title={t.order.curve}
        hint={curveHint(order)}
        height={200}
        unit={t.charts.messages}
        data={curvePoints(order)}
        series={outcomeSeries().filter(
          ({ name }) => name === 'delivered' || (name === 'undelivered' && order.undelivered > 0),
        )}
        nothing={
          order.curve.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.order.curveEmpty}
            </Text>
          )
        }
      />
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
      <PlainTable
        rows={order.operators}
        rowKey={row => row.operator}
        columns={[
          {
            header: t.order.operator,
            cell: row => (
              <button
                type="button"
                className="text-button"
                onClick={() => change({ operator: row.operator, sebep: null, durum: null })}
              >
                {t.operators[row.operator]}
              </button>
            ),
          },
          { header: t.orders.recipients, cell: row => number(row.total), className: 'right' },
          {
            header: t.orders.progress,
            cell: row => <SegmentBar counters={row} label={t.operators[row.operator]} />,
            className: 'wide-only',
          },
          {
            header: t.orders.rate,
            cell: row => percent(deliveryRate(row.delivered, row.undelivered)),
            className: 'right',
          },
        ]}
      />
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
