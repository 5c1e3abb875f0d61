// Reports over time: what was sent by day, month, sender, user, source or operator in a span of days, with its total, begun
// by a sentence that is written from the figures. The span and the cut live in the address.
import { SegmentedControl } from '@mantine/core';
import { useCallback } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { ReportDimension } from '../../../../src/panel-api/reports/contract.ts';
import { date, dayMonth, deliveryRate, monthYear, number, percent, turkeyMoment, weekday } from '../../format.ts';
import { t } from '../../text/language.ts';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RateHelp } from '../../ui/rate-help.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SegmentBar } from '../../ui/segment-bar.tsx';
import { useKeys } from '../../ui/shortcut-rules.ts';
import type { Column } from '../../ui/table-column.ts';
import { Trend } from '../../ui/trend.tsx';
import { useList } from '../../ui/use-list.ts';

type Report = OutputOf<'reports.read'>;
type Row = Report['rows'][number];

// In the address as people read it.
const cuts: Record<string, ReportDimension> = {
  gun: 'day',
  ay: 'month',
  baslik: 'sender',
  kullanici: 'user',
  kaynak: 'source',
  operator: 'operator',
};
const cutKey = 'dilim';
const refreshMs = 20_000;
const countingMs = 1_000;
/** A day needs at least this many ended messages to be named the weakest. */
const weakFrom = 20;

export default function ReportsPage() {
  const [search] = useSearchState();
  const chosen = search[cutKey] ?? 'gun';
  const by = cuts[chosen] ?? 'day';
  const list = useList('reports.read', {
    name: `report-${by}`,
    label: t.reports.cuts[by],
    rows: report =>
      report.by === 'day' || report.by === 'month' ? report.rows : report.rows.toSorted((a, b) => b.total - a.total),
    rowKey: row => row.key,
    // While another grouping loads, the rows are still those of the previous one and are labelled so.
    columns: useCallback((report?: Report) => reportColumns(report?.by ?? by, report?.rows ?? []), [by]),
    input: { by },
    filters: [daysFilter()],
    exported: 'report',
    refetchMs: report => (report && !report.isComplete ? countingMs : refreshMs),
    empty: <Empty title={t.reports.empty} />,
  });
  const { data } = list;
  useKeys(
    Object.fromEntries(Object.keys(cuts).map((cut, at) => [String(at + 1), () => list.change({ [cutKey]: cut })])),
  );
  return (
    <Page title={t.reports.title}>
      <SegmentedControl
        aria-label={t.reports.by}
        className="cuts"
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
        value={cuts[chosen] ? chosen : 'gun'}
        onChange={value => list.change({ [cutKey]: value })}
        data={Object.entries(cuts).map(([value, one]) => ({ value, label: t.reports.cuts[one] }))}
      />
      <List of={list}>
        {data && !data.isComplete && <Note>{t.reports.counting}</Note>}
        {data && <Sentence report={data} />}
        {data && data.rows.length > 1 && (data.by === 'day' || data.by === 'month') && <TimeChart report={data} />}
      </List>
      <p className="kept">{t.reports.lead}</p>
    </Page>
  );
}

/** The figures as a sentence: how many arrived, what was filtered or failed, and the weakest day where days are shown. */
function Sentence({ report }: { report: Report }) {
  const { sums, rows } = report;
  if (sums.total === 0) return null;
  const last = new Date(Math.min(Date.parse(report.to) - 1, Date.now()));
  const rate = deliveryRate(sums.delivered, sums.undelivered);
  const rated = rows.filter(row => row.delivered + row.undelivered >= weakFrom);
  const weakest = rated.reduce<Row | null>((low, row) => (low === null || rateOf(row) < rateOf(low) ? row : low), null);
  const rest = (['undelivered', 'filtered', 'waiting'] as const)
    .filter(one => sums[one] > 0)
    .map(one => t.reports.rest[one](number(sums[one])));
  const said = [
    rest.length > 0 ? `${rest.join(' · ')}.` : '',
    t.reports.used(number(sums.orders ?? 0), number(sums.credits)),
    report.by === 'day' && weakest && rated.length > 1
      ? t.reports.weakest(dayMonth(turkeyMoment(weakest.key)), percent(rateOf(weakest)))
      : '',
  ];
  return (
    <p className="report-words">
      <b>{t.reports.arrived(number(sums.total), percent(rate))}</b> <RateHelp /> {said.filter(Boolean).join(' ')}{' '}
      <span className="soft">{`${date(report.from)} – ${date(last)}`}</span>
    </p>
  );
}

const rateOf = (row: Row): number => deliveryRate(row.delivered, row.undelivered) ?? 1;

function TimeChart({ report }: { report: Report }) {
  const label = (key: string) => (report.by === 'day' ? dayMonth(turkeyMoment(key)) : nameOf(report.by, key));
  const steps = report.rows
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, delivered, undelivered, filtered, waiting }, at, all) => ({
      label: label(key),
      parts: [
        { key: 'delivered' as const, value: delivered },
        { key: 'filtered' as const, value: filtered },
        { key: 'undelivered' as const, value: undelivered },
        { key: 'waiting' as const, value: waiting },
      ],
      before: 0,
      rate: deliveryRate(delivered, undelivered),
      isRunning: at === all.length - 1 && Date.parse(report.to) > Date.now(),
    }));
  const title = report.by === 'day' ? t.overview.chartDays : t.reports.chartMonths;
  return <Trend title={title} steps={steps} compare={false} beforeLabel="" />;
}

/** To scale with the largest row. */
function RowBar({ row, most }: { row: Row; most: number }) {
  const { total, delivered, undelivered, filtered, waiting } = row;
  return (
    <div className="to-scale" style={{ width: `${Math.max(2, (total / Math.max(1, most)) * 100)}%` }}>
      <SegmentBar counters={{ total, delivered, undelivered, filtered, withCarrier: waiting, queued: 0 }} />
    </div>
  );
}

function nameOf(by: ReportDimension, key: string, who: string | null = null): string {
  switch (by) {
    case 'day':
      return date(turkeyMoment(key));
    case 'month':
      return monthYear(turkeyMoment(`${key}-15`));
    case 'sender':
      return key;
    case 'operator':
      return key === 'none' ? t.reports.noOperator : (t.operators[key as keyof typeof t.operators] ?? key);
    default:
      if (key.startsWith('panel:')) return who ?? t.reports.formerUser;
      return t.sources[key as keyof typeof t.sources] ?? t.sources.other;
  }
}

/** "17 Kas Sal"; the year is in the sentence above. */
const Day = ({ at }: { at: string }) => (
  <>
    <b>{dayMonth(at)}</b> <span className="soft">{weekday(at)}</span>
  </>
);

function reportColumns(by: ReportDimension, rows: Row[]): Column<Row>[] {
  const most = Math.max(1, ...rows.map(row => row.total));
  const figure = (id: Exclude<keyof Row, 'key' | 'who'>, header: string, onPhone?: 'line' | 'state'): Column<Row> => ({
    id,
    header,
    align: 'right',
    cell: row => (row[id] ? number(row[id]) : <span className="soft">0</span>),
    sort: row => row[id] ?? 0,
    phoneLabel: true,
    ...(onPhone ? { phone: onPhone } : { hideable: true }),
  });
  return [
    {
      id: 'key',
      header: t.reports.cuts[by],
      cell: row => (by === 'day' ? <Day at={turkeyMoment(row.key)} /> : nameOf(by, row.key, row.who)),
      sort: row => (by === 'day' || by === 'month' ? row.key : nameOf(by, row.key, row.who)),
      phone: 'title',
    },
    ...(by === 'operator' ? [] : [figure('orders', t.reports.orders)]),
    figure('total', t.reports.sent, 'line'),
    { id: 'bar', header: t.reports.spread, cell: row => <RowBar row={row} most={most} />, width: 170, hideable: true },
    figure('delivered', t.messageStates.delivered, 'line'),
    figure('undelivered', t.messageStates.undelivered),
    figure('filtered', t.messageStates.filtered),
    figure('waiting', t.overview.waiting),
    {
      id: 'rate',
      header: t.orders.rate,
      align: 'right',
      cell: row => percent(deliveryRate(row.delivered, row.undelivered)),
      sort: row => deliveryRate(row.delivered, row.undelivered) ?? -1,
      phone: 'state',
    },
    figure('credits', t.orders.credits, 'line'),
  ];
}
