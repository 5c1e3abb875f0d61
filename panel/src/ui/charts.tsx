// The charts of the console, loaded when first shown. Recharts through Mantine: straight lines, no pies, the keyboard
// layer on. chart-frame.tsx adds the table and CSV that every chart offers.
import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { AreaChart, BarChart, LineChart, Sparkline } from '@mantine/charts';
import { compactNumber, number, percent } from '../format.ts';

export type ChartPoint = Record<string, string | number>;
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
    yAxisProps: { tickFormatter: compactNumber, width: 44 },
    tickLine: 'none' as const,
  };
  if (kind === 'bars') return <BarChart {...common} type="stacked" maxBarWidth={28} />;
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
    yAxisProps: { domain: [0, 1], tickFormatter: (value: number) => percent(value), width: 44 },
  };
  return <LineChart {...rate} curveType="linear" connectNulls withDots={data.length < 40} />;
}
