// Volume as stacked bars, the rate as a line of its own (never a second axis), operators as bars with their figure.
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { dayMonth, deliveryRate, hourMinute, number, percent } from '../../format.ts';
import { t } from '../../text/language.ts';
import { ChartCard, outcomeSeries } from '../../ui/chart-card.tsx';
import { ratePoints, volumePoints } from './points.ts';

type Overview = OutputOf<'overview.read'>;

export function VolumeCharts({ data, picker }: { data: Overview; picker: ReactNode }) {
  const label = data.step === 'hour' ? hourMinute : dayMonth;
  const points = volumePoints(data.series, label);
  const rates = ratePoints(data.series, label);
  const empty = data.series.every(point => point.delivered + point.undelivered + point.filtered + point.waiting === 0);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ChartCard
        kind="bars"
        title={t.overview.chart}
        actions={picker}
        unit={t.charts.messages}
        data={points}
        series={outcomeSeries()}
        nothing={empty && <Nothing />}
      />
      <ChartCard
        kind="rate"
        title={t.overview.rateChart}
        format={percent}
        data={rates}
        series={[{ name: 'rate', label: t.overview.rateChart, color: 'var(--bar-carrier)' }]}
        nothing={rates.length === 0 && <Nothing />}
      />
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
