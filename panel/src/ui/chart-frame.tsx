// A chart with its figures as a table (for screen readers too) and as a file.
import { Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { isElsewhere, number } from '../format.ts';
import { t } from '../text/language.ts';
import { insteadOfLine } from './axis.ts';
import { ChartMenu } from './chart-menu.tsx';
import type { ChartProps } from './charts.tsx';
import { FigureTable } from './figure-table.tsx';

const Chart = lazy(() => import('./charts.tsx'));

/** `unit`: of the values. Times are Turkish time; in a browser of another zone the chart says so. */
export type ChartFrameProps = ChartProps & {
  label: string;
  first: string;
  unit?: string;
  format?: (value: number) => string;
};

export function ChartFrame({ label, first, unit, format = number, ...chart }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const names = chart.series.map(series => series.name);
  const isLine = chart.kind === 'lines' || chart.kind === 'rate';
  const words = isLine && insteadOfLine(chart.data, names);
  if (words) return <p className="soft chart-words">{t.charts[words]}</p>;
  const caption = [unit, isElsewhere() ? t.time.turkey : ''].filter(Boolean).join(' ');
  const header = [first, ...chart.series.map(series => series.label)];
  const rows = chart.data.map(point => [
    point.isRunning ? `${point.x} (${t.table.running})` : point.x,
    ...chart.series.map(series => (point[series.name] as string | number | undefined) ?? ''),
  ]);
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <Group justify="space-between" gap="sm" mb={6}>
        <Text size="xs" c="dimmed" component="figcaption">
          {caption}
        </Text>
        <ChartMenu
          title={label}
          table={() => [header, ...rows]}
          asTable={asTable}
          onTable={() => setAsTable(!asTable)}
        />
      </Group>
      {asTable ? (
        <FigureTable label={label} head={header} rows={rows} format={format} />
      ) : (
        <Suspense fallback={<Skeleton height={chart.height ?? 220} />}>
          <Chart {...chart} />
        </Suspense>
      )}
    </figure>
  );
}
