// What waits to be sent: per lane and per account, with the age of the oldest, and how it moves while one watches.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { duration, number, timeOfDay } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ChartCard } from '../../ui/chart-card.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import { useSamples } from '../../ui/samples.ts';
import type { Column } from '../../ui/table-column.ts';
import { accountLink } from '../../ui/thing-links.tsx';
import { useList } from '../../ui/use-list.ts';
import { Doubts } from './doubts.tsx';

type Queue = OutputOf<'staff.queue'>;
const refreshMs = 2_000;

export default function StaffQueuePage() {
  const list = useList('staff.queue', {
    name: 'lanes',
    label: t.queue.title,
    rows: queue => queue.lanes,
    rowKey: row => row.lane,
    columns: laneColumns,
    refetchMs: refreshMs,
    empty: <Empty title={t.queue.empty} />,
  });
  const { data } = list;
  const samples = useSamples(data, list.table.since, pointOf);
  const waiting = data?.lanes.reduce((sum, lane) => sum + lane.messages, 0) ?? 0;
  return (
    <Page title={t.queue.title}>
      {data && (
        <div>
          <p className="answer-head">{waiting > 0 ? t.queue.head(number(waiting)) : t.queue.empty}</p>
          <p className="answer-rest">{t.queue.planned(number(data.scheduled))}</p>
        </div>
      )}
      <List of={list} />
      {samples.some(one => one.transactional + one.campaign > 0) && (
        <ChartCard
          kind="area"
          title={t.queue.chart}
          unit={t.charts.messages}
          height={160}
          data={samples}
          series={[
            { name: 'transactional', label: t.lanes.transactional, color: 'var(--chart-onway)' },
            { name: 'campaign', label: t.lanes.campaign, color: 'var(--warn-fill)' },
          ]}
        />
      )}
      {data && (
        <Card title={t.queue.byAccount} flush>
          <RowsTable
            label={t.queue.byAccount}
            columns={accountColumns}
            rows={data.accounts}
            rowKey={row => `${row.accountId}${row.lane}`}
            empty={<Empty title={t.queue.empty} />}
          />
        </Card>
      )}
      <Doubts />
    </Page>
  );
}

function pointOf(queue: Queue, atMs: number) {
  const depth = (lane: string) => queue.lanes.find(one => one.lane === lane)?.messages ?? 0;
  return { x: timeOfDay(new Date(atMs)), transactional: depth('transactional'), campaign: depth('campaign') };
}

const age = (seconds: number): string => (seconds > 0 ? duration(seconds * 1000) : '–');

function laneColumns(): Column<Queue['lanes'][number]>[] {
  return [
    { id: 'lane', header: t.queue.lane, cell: row => t.lanes[row.lane], phone: 'title' },
    {
      id: 'messages',
      header: t.queue.messages,
      align: 'right',
      cell: row => number(row.messages),
      phone: 'state',
      phoneLabel: true,
    },
    { id: 'chunks', header: t.queue.chunks, align: 'right', cell: row => number(row.chunks) },
    { id: 'leased', header: t.queue.leased, align: 'right', cell: row => number(row.leased) },
    { id: 'quarantined', header: t.queue.quarantined, align: 'right', cell: row => number(row.quarantined) },
    {
      id: 'oldest',
      header: t.queue.oldest,
      align: 'right',
      cell: row => age(row.oldestSeconds),
      phone: 'line',
      phoneLabel: true,
    },
  ];
}

function accountColumns(): Column<Queue['accounts'][number]>[] {
  return [
    {
      id: 'account',
      header: t.queue.account,
      phone: 'title',
      cell: row => accountLink(row.accountId, row.name),
    },
    { id: 'lane', header: t.queue.lane, cell: row => t.lanes[row.lane], phone: 'line' },
    {
      id: 'messages',
      header: t.queue.messages,
      align: 'right',
      cell: row => number(row.messages),
      sort: row => row.messages,
      phone: 'state',
      phoneLabel: true,
    },
    {
      id: 'oldest',
      header: t.queue.oldest,
      align: 'right',
      cell: row => age(row.oldestSeconds),
      sort: row => row.oldestSeconds,
      phone: 'line',
      phoneLabel: true,
    },
  ];
}
