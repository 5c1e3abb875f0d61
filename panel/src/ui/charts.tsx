// The charts of the console, loaded when first shown. Recharts through Mantine: straight lines, no pies, the keyboard
// layer on. chart-frame.tsx adds the table and CSV that every chart offers.
import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { AreaChart, BarChart, LineChart, Sparkline } from '@mantine/charts';
import { compactNumber, number, percent } from '../format.ts';

export type ChartPoint = Record<string, string | number | boolean> & {
  x: string;
  /** The step is not over yet: drawn hatched, and said so in the table. */
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
    yAxisProps: { tickFormatter: compactNumber, width: 44, allowDecimals: false, interval: 0 as const },
    tickLine: 'none' as const,
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
  if (kind === 'area')
    return <AreaChart {...common} type="stacked" curveType="linear" withDots={false} fillOpacity={0.35} />;
  if (kind === 'spark')
    return (
      <Sparkline
        h={height}
        data={data.map(point => Number(point[series[0]?.name ?? 'y']))}
        color={series[0]?.color}
        curveType="linear"
      />
    );
  if (kind === 'lines') return <LineChart {...common} curveType="linear" withDots={false} />;
  const rate = {
    ...common,
    valueFormatter: (value: number) => percent(value),
    yAxisProps: { domain: [0, 1], tickFormatter: (value: number) => percent(value), width: 44, interval: 0 as const },
  };
  return <LineChart {...rate} curveType="linear" connectNulls withDots={data.length < 40} />;
}

type BarShape = { x?: number; y?: number; width?: number; height?: number; fill?: string; payload?: ChartPoint };

/** A bar of the step that still runs carries stripes over its colour. */
function Bar({ x = 0, y = 0, width = 0, height = 0, fill, payload }: BarShape) {
  const box = { x, y, width, height };
  return (
    <g>
      <rect {...box} fill={fill} />
      {payload?.isRunning && <rect {...box} fill="url(#running-step)" data-testid="running-step" />}
    </g>
  );
}
