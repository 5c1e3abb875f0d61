// One carrier: live speed, throttling and window use, its links, its last errors, pause, settings.
import { Button, SimpleGrid } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, number, percent, timeOfDay } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
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
type CarrierLine = Carriers['carriers'][number];
type CarrierLink = CarrierLine['links'][number];
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
  const last = samples.at(-1);
  const actions = (
    <>
      <CarrierCare carrier={carrier} />
      <PauseCarrier carrier={carrier} />
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
        {t.carriers.edit}
      </Button>
    </>
  );
  return (
    <Page
      title={carrier.name}
      badge={<CarrierStateBadge state={carrier.state} throttling={(last?.throttled ?? 0) > 0} />}
      path={<Link to={paths.staffCarriers()}>{t.carriers.title}</Link>}
      actions={actions}
    >
      <ReadState of={read} />
      {carrier.paused && carrier.pauseReason && <Note kind="warn">{t.carriers.pauseReason(carrier.pauseReason)}</Note>}
      <Headline carrier={carrier} last={last} />
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

/** How fast it takes messages is the answer of the page; what was counted follows in one line. */
function Headline({ carrier, last }: { carrier: CarrierLine; last: Point | undefined }) {
  const words = t.carriers;
  const sums = totals(carrier);
  const rate = last?.rate ?? 0;
  const bound = carrier.links.filter(link => link.state === 'bound').length;
  const limit = carrier.rate === null ? words.noRate : number(carrier.rate);
  const measured: [label: string, value: ReactNode][] = [
    [words.window, percent(windowShare(carrier))],
    [words.throttled, number(sums.throttled)],
    [words.refused, number(sums.refused)],
    [words.receipts, number(sums.receipts)],
  ];
  return (
    <div className="stack">
      <div>
        <p className="answer-head">{rate > 0 ? words.headRate(number(rate)) : words.headIdle}</p>
        <p className="answer-rest">
          {words.standing(number(bound), number(carrier.links.length))} {`${words.rate}: ${limit}.`}{' '}
          <span className="mono">{`${carrier.host}:${carrier.port}`}</span>
        </p>
      </div>
      <div className="share-words">
        {measured.map(([label, value]) => (
          <span key={label}>
            {label} <b>{value}</b>
          </span>
        ))}
        {sums.since && <span>{words.countedSince(dateMinute(sums.since))}</span>}
      </div>
    </div>
  );
}

type Point = ReturnType<typeof pointFor>;

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
