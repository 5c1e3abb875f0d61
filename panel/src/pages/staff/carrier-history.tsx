// What a carrier did in the last hour, day or week, from the samples that dispatchers store.
import { SegmentedControl, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { HistorySpan } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { dateMinute, hourMinute, number, percent } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { ReadState } from '../../ui/read-state.tsx';

const spans: HistorySpan[] = ['hour', 'day', 'week'];
const refreshMs = 20_000;

export function CarrierHistory({ name }: { name: string }) {
  const [span, setSpan] = useState<HistorySpan>('hour');
  const read = useRead('staff.carrierHistory', { name, span }, { refetchMs: refreshMs });
  const data = (read.data?.points ?? []).map(({ at, lagSeconds, errorShare, ...sums }) => ({
    ...sums,
    x: span === 'hour' ? hourMinute(at) : dateMinute(at),
    errors: sums.refused + sums.undelivered,
    // What was not measured leaves a gap.
    ...(lagSeconds === null ? {} : { lagSeconds: Math.round(lagSeconds * 10) / 10 }),
    ...(errorShare === null ? {} : { errorShare }),
  }));
  const words = t.carrierCare;
  const charts = [
    {
      title: words.traffic,
      kind: 'lines',
      series: [
        { name: 'submitted', label: words.submits, color: 'var(--chart-onway)' },
        { name: 'receipts', label: words.receipts, color: 'var(--chart-delivered)' },
        { name: 'errors', label: words.errors, color: 'var(--chart-failed)' },
      ],
    },
    {
      title: words.errorShare,
      kind: 'rate',
      series: [{ name: 'errorShare', label: words.errorShare, color: 'var(--chart-failed)' }],
    },
    { title: words.lag, kind: 'lines', series: [{ name: 'lagSeconds', label: words.lag, color: 'var(--warn-fill)' }] },
    {
      title: words.backlog,
      kind: 'lines',
      series: [
        { name: 'waiting', label: words.waiting, color: 'var(--warn-fill)' },
        { name: 'unanswered', label: words.unanswered, color: 'var(--chart-onway)' },
        { name: 'owed', label: words.owed, color: 'var(--chart-delivered)' },
      ],
    },
  ] as const;
  return (
    <Card title={words.history}>
      <SegmentedControl
        aria-label={words.history}
        value={span}
        onChange={value => setSpan(value as HistorySpan)}
        data={spans.map(value => ({ value, label: words.spans[value] }))}
        mb="sm"
      />
      <ReadState of={read} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {charts.map(chart => (
          <section key={chart.title} aria-label={chart.title}>
            <b>{chart.title}</b>
            <ChartFrame
              kind={chart.kind}
              label={chart.title}
              first={t.common.time}
              height={150}
              format={chart.kind === 'rate' ? percent : number}
              data={data}
              series={[...chart.series]}
            />
          </section>
        ))}
      </SimpleGrid>
    </Card>
  );
}
