// The charts of the panel, loaded when first shown. Recharts through Mantine, with its keyboard layer. chart-frame.tsx adds
// the table and the CSV file.
import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { AreaChart, BarChart, LineChart, Sparkline } from '@mantine/charts';
import { number, percent } from '../format.ts';
import { axisLabel, needsDots, roundTicks } from './axis.ts';

export type ChartPoint = Record<string, string | number | boolean> & {
  x: string;
  /** The step has not ended: hatched in the chart, named in the table. */
  isRunning?: boolean;
};
export type ChartSeries = { name: string; label: string; color: string };
export type ChartProps = {
  kind: 'bars' | 'rate' | 'area' | 'lines' | 'spark';
  data: ChartPoint[];
  series: ChartSeries[];
  height?: number;
};

export default function Chart({ kind, data, series, height = 220 }: ChartProps) {
  const common = {
    h: height,
    data,
    dataKey: 'x',
    series,
    withLegend: series.length > 1,
    legendProps: { verticalAlign: 'bottom' as const },
    valueFormatter: number,
    yAxisProps: yAxis(roundTicks(highest(kind, data, series))),
    tickLine: 'none' as const,
    strokeDasharray: '0',
    gridColor: 'var(--line)',
  };
  if (kind === 'bars')
    return (
      <BarChart {...common} type="stacked" maxBarWidth={28} barProps={{ shape: Bar }}>
        <defs>
          <pattern id="running-step" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="6" fill="var(--mantine-color-body)" fillOpacity="0.65" />
          </pattern>
        </defs>
      </BarChart>
    );
  // Filled, without an outline: a line of 2 px would show 6 failures among 13,788 as hundreds.
  if (kind === 'area')
    return (
      <AreaChart
        {...common}
        type="stacked"
        curveType="linear"
        withDots={false}
        withGradient={false}
        strokeWidth={0}
        fillOpacity={0.85}
      />
    );
  if (kind === 'spark')
    return (
      <Sparkline
        h={height}
        data={data.map(point => Number(point[series[0]?.name ?? 'y']))}
        color={series[0]?.color}
        curveType="linear"
      />
    );
  const dots = needsDots(
    data,
    series.map(one => one.name),
  );
  if (kind === 'lines') return <LineChart {...common} curveType="linear" withDots={dots} />;
  const rate = {
    ...common,
    valueFormatter: (value: number) => percent(value),
    yAxisProps: { domain: [0, 1], tickFormatter: (value: number) => percent(value), width: 44, interval: 0 as const },
  };
  return <LineChart {...rate} curveType="linear" connectNulls withDots={dots || data.length < 40} />;
}

function yAxis(ticks: number[]) {
  return { ticks, domain: [0, ticks.at(-1) ?? 1], tickFormatter: axisLabel, width: 52, interval: 0 as const };
}

/** The largest value drawn; for stacked kinds the largest sum. */
function highest(kind: ChartProps['kind'], data: ChartPoint[], series: ChartSeries[]): number {
  const isStacked = kind === 'bars' || kind === 'area';
  const tops = data.map(point => {
    const values = series.map(({ name }) => Number(point[name] ?? 0));
    return isStacked ? values.reduce((sum, one) => sum + one, 0) : Math.max(0, ...values);
  });
  return Math.max(0, ...tops);
}

type BarShape = { x?: number; y?: number; width?: number; height?: number; fill?: string; payload?: ChartPoint };

/** A bar of the running step is striped. */
function Bar({ x = 0, y = 0, width = 0, height = 0, fill, payload }: BarShape) {
  const box = { x, y, width, height };
  return (
    <g>
      <rect {...box} fill={fill} />
      {payload?.isRunning && <rect {...box} fill="url(#running-step)" data-testid="running-step" />}
    </g>
  );
}
