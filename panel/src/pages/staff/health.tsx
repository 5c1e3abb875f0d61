// The figures of /metrics drawn: what waits, how fast it goes, what carriers, webhooks and the registry do, and how much room the
// processes and the database have.
import { SimpleGrid } from '@mantine/core';
import { duration, hourMinute, number } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import { useSamples } from '../../ui/samples.ts';
import { agePoint, delayPoint, type Health, ratePoint } from './health-figures.ts';
import {
  carrierColumns,
  cellColumns,
  laneColumns,
  measureColumns,
  measuresOf,
  poolColumns,
  processColumns,
  roleName,
  tableColumns,
} from './health-tables.tsx';

const refreshMs = 3_000;

export default function StaffHealthPage() {
  const read = useRead('staff.health', {}, { refetchMs: refreshMs });
  const { data } = read;
  return (
    <Page title={t.health.title}>
      <ReadState of={read} />
      {data && !data.live && <Note kind="warn" title={t.health.standsStill} />}
      {data && !data.databaseAnswers && <Note kind="warn" title={t.health.databaseSilent} />}
      {data && (
        <>
          <Headline data={data} />
          <Measures data={data} />
          <HealthCharts data={data} atMs={read.dataUpdatedAt} />
          <HealthTables data={data} />
        </>
      )}
    </Page>
  );
}

/** What waits is the answer of the page; everything else that is measured follows in rows. */
function Headline({ data: { lanes, counts } }: { data: Health }) {
  const waiting = lanes.reduce((sum, lane) => sum + lane.messages, 0);
  const oldest = Math.max(...lanes.map(lane => lane.oldestSeconds));
  return (
    <div>
      <p className="answer-head">{waiting > 0 ? t.health.headWaiting(number(waiting)) : t.health.headNone}</p>
      <p className="answer-rest">
        {oldest >= 1 && `${t.health.oldest(duration(oldest * 1_000))}. `}
        {counts.requests > 0 && t.health.answered(number(counts.requests))}
      </p>
    </div>
  );
}

function HealthCharts({ data, atMs }: { data: Health; atMs: number }) {
  const rates = useSamples(data, atMs, ratePoint);
  const ages = useSamples(data, atMs, agePoint);
  const delays = useSamples(data, atMs, delayPoint);
  const hour = data.hour.map(({ at, lagSeconds, ...sums }) => ({
    ...sums,
    x: hourMinute(at),
    // What was not measured leaves a gap.
    ...(lagSeconds === null ? {} : { lagSeconds: Math.round(lagSeconds * 10) / 10 }),
  }));
  const words = t.health;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <ChartCard
        kind="lines"
        title={words.hour}
        unit={words.perMinute}
        height={160}
        data={hour}
        series={[
          { name: 'submitted', label: words.submitted, color: 'var(--chart-onway)' },
          { name: 'receipts', label: words.receipts, color: 'var(--chart-delivered)' },
          { name: 'errors', label: words.errors, color: 'var(--chart-failed)' },
        ]}
      />
      <ChartCard
        kind="lines"
        title={words.waitingHour}
        unit={t.charts.messages}
        height={160}
        data={hour}
        series={[{ name: 'waiting', label: words.waiting, color: 'var(--warn-fill)' }]}
      />
      <ChartCard
        kind="lines"
        title={words.lagHour}
        unit={words.seconds}
        height={160}
        data={hour}
        series={[{ name: 'lagSeconds', label: words.lag, color: 'var(--warn-fill)' }]}
      />
      <ChartCard
        kind="lines"
        title={words.rates}
        unit={words.perSecond}
        height={160}
        data={rates}
        series={[
          { name: 'requests', label: words.requestsShort, color: 'var(--chart-filtered)' },
          { name: 'submitted', label: words.submitted, color: 'var(--chart-onway)' },
          { name: 'receipts', label: words.receipts, color: 'var(--chart-delivered)' },
          { name: 'settled', label: words.settled, color: 'var(--warn-fill)' },
        ]}
      />
      <ChartCard
        kind="lines"
        title={words.ages}
        unit={words.seconds}
        height={160}
        data={ages}
        series={[
          { name: 'transactional', label: t.lanes.transactional, color: 'var(--chart-onway)' },
          { name: 'campaign', label: t.lanes.campaign, color: 'var(--warn-fill)' },
        ]}
      />
      <ChartCard
        kind="lines"
        title={words.delay}
        unit={words.milliseconds}
        height={160}
        data={delays}
        series={data.processes.map(({ role }, i) => ({ name: role, label: roleName(role), color: roleColors[i % 5]! }))}
      />
    </SimpleGrid>
  );
}

const roleColors = [
  'var(--chart-onway)',
  'var(--chart-delivered)',
  'var(--warn-fill)',
  'var(--chart-failed)',
  'var(--chart-filtered)',
];

function Measures({ data }: { data: Health }) {
  return (
    <Card title={t.health.measures} flush>
      <RowsTable
        label={t.health.measures}
        columns={measureColumns}
        rows={measuresOf(data)}
        rowKey={row => row.name}
        empty={null}
      />
    </Card>
  );
}

function HealthTables({ data }: { data: Health }) {
  const words = t.health;
  return (
    <>
      <Card title={t.staffStatus.queue} flush>
        <RowsTable
          label={t.staffStatus.queue}
          columns={laneColumns}
          rows={data.lanes}
          rowKey={row => row.lane}
          empty={null}
        />
      </Card>
      {data.cells.length > 1 && (
        <Card title={words.cells} flush>
          <RowsTable
            label={words.cells}
            columns={cellColumns}
            rows={data.cells}
            rowKey={row => String(row.cell)}
            empty={null}
          />
        </Card>
      )}
      <Card title={t.staffStatus.carriers} hint={words.sinceStart} flush>
        <RowsTable
          label={t.staffStatus.carriers}
          columns={carrierColumns}
          rows={data.carriers}
          rowKey={row => row.name}
          empty={t.carriers.empty}
        />
      </Card>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title={words.pools} hint={words.thisNode} flush>
          <RowsTable
            label={words.pools}
            columns={poolColumns}
            rows={data.pools}
            rowKey={row => row.name}
            empty={null}
          />
        </Card>
        <Card title={words.processes} hint={words.thisNode} flush>
          <RowsTable
            label={words.processes}
            columns={processColumns}
            rows={data.processes}
            rowKey={row => row.role}
            empty={null}
          />
        </Card>
      </SimpleGrid>
      <Card title={words.tables} hint={words.tablesHint} flush>
        <RowsTable
          label={words.tables}
          columns={tableColumns}
          rows={data.tables}
          rowKey={row => row.table}
          empty={null}
        />
      </Card>
    </>
  );
}
