// Volume as stacked bars, the rate as a line of its own (never a second axis), operators as bars with their figure.
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { dayMonth, deliveryRate, hourMinute, number, percent } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { ratePoints, volumePoints } from './points.ts';

type Overview = OutputOf<'overview.read'>;

export function VolumeCharts({ data, picker }: { data: Overview; picker: ReactNode }) {
  const label = data.step === 'hour' ? hourMinute : dayMonth;
  const points = volumePoints(data.series, label);
  const rates = ratePoints(data.series, label);
  const empty = data.series.every(point => point.delivered + point.undelivered + point.filtered + point.waiting === 0);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card title={t.overview.chart} actions={picker}>
        {empty ? (
          <Nothing />
        ) : (
          <ChartFrame
            kind="bars"
            label={t.overview.chart}
            first={t.common.time}
            unit={t.charts.messages}
            data={points}
            series={[
              { name: 'delivered', label: t.messageStates.delivered, color: 'var(--bar-delivered)' },
              { name: 'undelivered', label: t.messageStates.undelivered, color: 'var(--bar-failed)' },
              { name: 'filtered', label: t.messageStates.filtered, color: 'var(--bar-filtered)' },
              { name: 'waiting', label: t.overview.waiting, color: 'var(--bar-carrier)' },
            ]}
          />
        )}
      </Card>
      <Card title={t.overview.rateChart}>
        {rates.length === 0 ? (
          <Nothing />
        ) : (
          <ChartFrame
            kind="rate"
            label={t.overview.rateChart}
            first={t.common.time}
            format={percent}
            data={rates}
            series={[{ name: 'rate', label: t.overview.rateChart, color: 'var(--bar-carrier)' }]}
          />
        )}
      </Card>
    </SimpleGrid>
  );
}

const Nothing = () => (
  <Text size="sm" c="dimmed" py={60} ta="center">
    {t.overview.noData}
  </Text>
);

export function OperatorRates({ rows }: { rows: Overview['operators'] }) {
  if (rows.length === 0) return <Nothing />;
  return (
    <Stack gap={10}>
      {rows.map(row => {
        const rate = deliveryRate(row.delivered, row.undelivered) ?? 0;
        return (
          <div key={row.operator}>
            <Group justify="space-between" mb={3}>
              <Text size="sm">{t.operators[row.operator]}</Text>
              <Text size="sm">
                {percent(rate)} · {number(row.delivered)} / {number(row.delivered + row.undelivered)}
              </Text>
            </Group>
            <div className="bar" aria-hidden>
              <span className="bar-delivered" style={{ flex: `${row.delivered} 1 0` }} />
              <span className="bar-failed" style={{ flex: `${row.undelivered} 1 0` }} />
            </div>
          </div>
        );
      })}
    </Stack>
  );
}
