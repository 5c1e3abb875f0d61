// Reports over time: what was sent by day, month, sender, user, source or operator in a span of days, with its total, as
// table, chart and file. The span and the cut live in the address.
import { SegmentedControl } from '@mantine/core';
import { useCallback } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import type { ReportDimension } from '../../../../src/panel-api/reports/contract.ts';
import { date, deliveryRate, monthYear, number, percent, turkeyMoment } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Figure } from '../../ui/card.tsx';
import { ChartCard, outcomeSeries } from '../../ui/chart-card.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RateHelp } from '../../ui/rate-help.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
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

export default function ReportsPage() {
  const [search] = useSearchState();
  const chosen = search[cutKey] ?? 'gun';
  const by = cuts[chosen] ?? 'day';
  const list = useList('reports.read', {
    name: `report-${by}`,
    label: t.reports.cuts[by],
    rows: report => report.rows,
    rowKey: row => row.key,
    // While another cut loads, the rows of the one before stand here: they are told as what they are.
    columns: useCallback((report?: Report) => reportColumns(report?.by ?? by), [by]),
    input: { by },
    filters: [daysFilter()],
    exported: 'report',
    refetchMs: report => (report && !report.isComplete ? countingMs : refreshMs),
    empty: <Empty title={t.reports.empty} />,
  });
  const { data } = list;
  return (
    <Page title={t.reports.title} lead={t.reports.lead}>
      <SegmentedControl
        aria-label={t.reports.by}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
        value={cuts[chosen] ? chosen : 'gun'}
        onChange={value => list.change({ [cutKey]: value })}
        data={Object.entries(cuts).map(([value, one]) => ({ value, label: t.reports.cuts[one] }))}
      />
      <List of={list}>
        {data && !data.isComplete && <Note>{t.reports.counting}</Note>}
        {data && <Sums report={data} />}
        {data && data.rows.length > 1 && (data.by === 'day' || data.by === 'month') && <TimeChart report={data} />}
      </List>
    </Page>
  );
}

function Sums({ report }: { report: Report }) {
  const { sums } = report;
  const last = new Date(Math.min(Date.parse(report.to) - 1, Date.now()));
  const span = `${date(report.from)} – ${date(last)}`;
  return (
    <div className="figures">
      <Figure label={t.reports.sent} value={number(sums.total)} note={span} />
      <Figure
        label={t.messageStates.delivered}
        value={number(sums.delivered)}
        note={t.reports.notDelivered(number(sums.undelivered), number(sums.filtered), number(sums.waiting))}
      />
      <Figure
        label={t.orders.rate}
        value={
          <>
            {percent(deliveryRate(sums.delivered, sums.undelivered))} <RateHelp />
          </>
        }
      />
      <Figure
        label={t.orders.credits}
        value={number(sums.credits)}
        note={t.reports.ordersNote(number(sums.orders ?? 0))}
      />
    </div>
  );
}

function TimeChart({ report }: { report: Report }) {
  const points = report.rows.toReversed().map(({ key, delivered, undelivered, filtered, waiting }) => ({
    x: nameOf(report.by, key),
    delivered,
    undelivered,
    filtered,
    waiting,
  }));
  return (
    <ChartCard
      kind="bars"
      title={t.overview.chart}
      first={t.reports.cuts[report.by]}
      unit={t.charts.messages}
      data={points}
      series={outcomeSeries()}
    />
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

function reportColumns(by: ReportDimension): Column<Row>[] {
  const figure = (id: Exclude<keyof Row, 'key' | 'who'>, header: string, onPhone?: 'line' | 'state'): Column<Row> => ({
    id,
    header,
    align: 'right',
    cell: row => number(row[id] ?? 0),
    sort: row => row[id] ?? 0,
    phoneLabel: true,
    ...(onPhone ? { phone: onPhone } : { hideable: true }),
  });
  return [
    {
      id: 'key',
      header: t.reports.cuts[by],
      cell: row => nameOf(by, row.key, row.who),
      sort: row => (by === 'day' || by === 'month' ? row.key : nameOf(by, row.key, row.who)),
      phone: 'title',
    },
    ...(by === 'operator' ? [] : [figure('orders', t.reports.orders)]),
    figure('total', t.reports.sent, 'line'),
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
