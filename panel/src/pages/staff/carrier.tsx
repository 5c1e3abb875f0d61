// One carrier: live speed, throttling and window use, its links, its last errors, pause, settings.
import { Button, SimpleGrid } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, number, percent, timeOfDay } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card, Figure } from '../../ui/card.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import { useSamples } from '../../ui/samples.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { CarrierAddresses } from './carrier-addresses.tsx';
import { CarrierCare } from './carrier-care.tsx';
import { CarrierErrors, ErrorText } from './carrier-errors.tsx';
import { speedOf, totals, windowShare } from './carrier-figures.ts';
import { CarrierForm } from './carrier-form.tsx';
import { CarrierHistory } from './carrier-history.tsx';
import { CarrierStateBadge } from './carrier-state.tsx';
import { CarrierWords } from './carrier-words.tsx';
import { PauseCarrier } from './pause-carrier.tsx';

type Carriers = OutputOf<'staff.carriers'>;
type CarrierLink = Carriers['carriers'][number]['links'][number];
const refreshMs = 2_000;

export default function StaffCarrierPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const name = decodeURIComponent(id);
  const read = useRead('staff.carriers', {}, { refetchMs: refreshMs });
  const [editing, setEditing] = useState(false);
  const pointOf = useMemo(
    () => (data: Carriers, atMs: number, before: Carriers | undefined) => pointFor(name, data, atMs, before),
    [name],
  );
  const samples = useSamples(read.data, read.dataUpdatedAt, pointOf);
  const carrier = read.data?.carriers.find(one => one.name === name);
  if (!read.data || !carrier) {
    return (
      <Page title={name}>
        <ReadState of={read} />
        {read.data && <Empty title={t.carriers.missing(name)} />}
      </Page>
    );
  }
  const sums = totals(carrier);
  const last = samples.at(-1);
  const since = sums.since && t.carriers.countedSince(dateMinute(sums.since));
  const actions = (
    <>
      <CarrierCare carrier={carrier} />
      <PauseCarrier carrier={carrier} />
      <Button variant="default" onClick={() => setEditing(true)}>
        {t.carriers.edit}
      </Button>
    </>
  );
  return (
    <Page
      title={carrier.name}
      badge={<CarrierStateBadge state={carrier.state} throttling={(last?.throttled ?? 0) > 0} />}
      path={<Link to={paths.staffCarriers()}>{t.carriers.title}</Link>}
      lead={
        <>
          <span className="mono">{`${carrier.host}:${carrier.port}`}</span> {since && `· ${since}`}
        </>
      }
      actions={actions}
    >
      <ReadState of={read} />
      {carrier.paused && carrier.pauseReason && <Note kind="warn">{t.carriers.pauseReason(carrier.pauseReason)}</Note>}
      <div className="figures">
        <Figure
          label={t.carriers.perSecond}
          value={number(Math.round(last?.rate ?? 0))}
          note={`${t.carriers.rate}: ${carrier.rate === null ? t.carriers.noRate : number(carrier.rate)}`}
        />
        <Figure label={t.carriers.window} value={percent(windowShare(carrier))} />
        <Figure
          label={t.carriers.throttled}
          value={number(sums.throttled)}
          note={t.carriers.perSecondNote(number(last?.throttled ?? 0))}
        />
        <Figure label={t.carriers.refused} value={number(sums.refused)} />
        <Figure label={t.carriers.receipts} value={number(sums.receipts)} />
      </div>
      {samples.length > 2 && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <ChartCard
            kind="lines"
            title={t.carriers.chart}
            unit={t.charts.perSecond}
            height={160}
            data={samples}
            series={[
              { name: 'rate', label: t.carriers.perSecond, color: 'var(--chart-onway)' },
              { name: 'throttled', label: t.carriers.throttledPerSecond, color: 'var(--chart-failed)' },
            ]}
          />
          <ChartCard
            kind="rate"
            title={t.carriers.windowChart}
            format={percent}
            height={160}
            data={samples}
            series={[{ name: 'window', label: t.carriers.window, color: 'var(--warn-fill)' }]}
          />
        </SimpleGrid>
      )}
      <CarrierHistory name={carrier.name} />
      <Card title={t.carriers.links} flush>
        <RowsTable
          label={t.carriers.links}
          columns={linkColumns}
          rows={carrier.links}
          rowKey={row => `${row.cell}-${row.dispatcher}-${row.slot}`}
          empty={<Empty title={t.carriers.noLinks} />}
        />
      </Card>
      {carrier.kind === 'http' && <CarrierAddresses key={carrier.name} name={carrier.name} />}
      <CarrierErrors errors={carrier.errors} />
      <CarrierWords words={carrier.words} />
      <CarrierForm opened={editing} onClose={() => setEditing(false)} fields={read.data.fields} carrier={carrier} />
    </Page>
  );
}

function pointFor(name: string, data: Carriers, atMs: number, before: Carriers | undefined) {
  const carrier = data.carriers.find(one => one.name === name);
  const speed = speedOf(data, before, name);
  return {
    x: timeOfDay(new Date(atMs)),
    rate: Math.round(speed.submitted),
    throttled: Math.round(speed.throttled),
    window: (carrier && windowShare(carrier)) ?? 0,
  };
}

function linkColumns(): Column<CarrierLink>[] {
  return [
    {
      id: 'slot',
      header: t.carriers.slot,
      cell: row => (row.cell === 0 ? `${row.slot + 1}` : t.carriers.slotOfCell(row.slot + 1, row.cell)),
      phone: 'title',
      phoneLabel: true,
    },
    {
      id: 'state',
      header: t.carriers.state,
      cell: row => (
        <Tone tone={row.state === 'bound' ? 'teal' : 'orange'}>
          {t.carrierStates[row.state as keyof typeof t.carrierStates] ?? row.state}
        </Tone>
      ),
      phone: 'state',
    },
    { id: 'since', header: t.carriers.since, cell: row => <Time at={row.since} />, phone: 'line' },
    { id: 'window', header: t.carriers.window, align: 'right', cell: row => number(row.windowUsed) },
    { id: 'pace', header: t.carriers.pace, align: 'right', cell: row => (row.pace === null ? '–' : number(row.pace)) },
    {
      id: 'submitted',
      header: t.carriers.submitted,
      align: 'right',
      cell: row => number(row.submitted),
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'throttled', header: t.carriers.throttled, align: 'right', cell: row => number(row.throttled) },
    { id: 'refused', header: t.carriers.refused, align: 'right', cell: row => number(row.refused) },
    { id: 'receipts', header: t.carriers.receipts, align: 'right', cell: row => number(row.receipts) },
    { id: 'counting', header: t.carriers.counting, cell: row => <Time at={row.countingSince} /> },
    {
      id: 'error',
      header: t.carriers.lastError,
      cell: row => (row.lastError ? <ErrorText error={row.lastError} /> : '–'),
      phone: 'line',
    },
  ];
}
