// Credits: how many are left and how long they last, what was used each day, and every movement.
import { SegmentedControl } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dayMonth, money, number, turkeyMoment } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ChartCard } from '../../ui/chart-card.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { actorName, reasonWords } from '../../ui/stored-words.ts';
import type { Column } from '../../ui/table-column.ts';
import { orderLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { useLive } from '../../ui/use-live.ts';
import { LowBalanceCard } from './low-balance.tsx';

type Line = OutputOf<'balance.ledger'>['rows'][number];
/** In the address: every movement by itself; otherwise one line per order. */
const singleKey = 'tek';
const kindKey = 'tur';

export default function BalancePage() {
  const [search] = useSearchState();
  const balance = useRead('balance.read', {});
  const perDay = useLive().data?.usedPerDay ?? 0;
  const byOrder = !search[singleKey] && !search[kindKey];
  const list = useList('balance.ledger', {
    name: byOrder ? 'ledger-orders' : 'ledger',
    label: t.balance.ledger,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: byOrder ? orderColumns : ledgerColumns,
    view: { byOrder },
    search: { key: 'siparis', field: 'orderId', as: asNumber, label: t.balance.orderFilter },
    filters: [
      { key: kindKey, field: 'kind', label: t.balance.kind, kind: 'select', options: optionsOf(t.ledgerKinds) },
      daysFilter(),
    ],
    exported: 'ledger',
    pages: 'cursor',
    empty: <Empty title={t.table.noneMatch} />,
  });
  const data = balance.data;
  return (
    <Page title={t.balance.title}>
      <ReadState of={balance} />
      {data && (
        <section aria-label={t.balance.spendable}>
          <p className="answer-head">
            {t.common.credits(number(data.sms))}
            {perDay > 0 && <span className="soft"> {t.shell.daysLeft(number(Math.floor(data.sms / perDay)))}</span>}
          </p>
          <p className="answer-rest">
            {perDay > 0 && `${t.balance.pace(number(Math.round(perDay)))} `}
            {t.balance.rest(number(data.reserved), money(Number(data.amount)))}
          </p>
        </section>
      )}
      {data?.daily.some(day => day.used > 0) && (
        <ChartCard
          kind="bars"
          title={t.balance.used}
          unit={t.charts.credits}
          height={160}
          data={data.daily.map(day => ({ x: dayMonth(turkeyMoment(day.day)), used: day.used }))}
          series={[{ name: 'used', label: t.balance.usedSeries, color: 'var(--chart-delivered)' }]}
        />
      )}
      <LowBalanceCard />
      <List of={list}>
        <SegmentedControl
          size="xs"
          aria-label={t.balance.view}
          style={{ alignSelf: 'flex-start' }}
          value={byOrder ? 'order' : 'single'}
          onChange={value => list.change({ [singleKey]: value === 'order' ? null : '1', [kindKey]: null })}
          data={[
            { value: 'order', label: t.balance.byOrder },
            { value: 'single', label: t.balance.single },
          ]}
        />
      </List>
    </Page>
  );
}

const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value));
const kindTones = { grant: 'teal', reserve: 'gray', consume: 'blue', release: 'outline', correct: 'orange' } as const;

function ledgerColumns(): Column<Line>[] {
  return [
    { id: 'at', header: t.common.time, cell: row => <Time at={row.at} />, sort: row => row.at, phone: 'line' },
    {
      id: 'kind',
      header: t.balance.kind,
      cell: row => <Tone tone={kindTones[row.kind]}>{t.ledgerKinds[row.kind]}</Tone>,
      phone: 'state',
    },
    { id: 'order', header: t.balance.order, cell: row => orderLink(row.orderId), phone: 'line' },
    {
      id: 'change',
      header: t.balance.change,
      align: 'right',
      cell: row => <b>{signed(row.sms)}</b>,
      sort: row => row.sms,
      phone: 'title',
    },
    { id: 'reserved', header: t.balance.held, align: 'right', cell: row => signed(row.reserved), hideable: true },
    {
      id: 'after',
      header: t.balance.after,
      align: 'right',
      cell: row => (row.balanceAfter === null ? '–' : number(row.balanceAfter)),
    },
    {
      id: 'reason',
      header: t.common.reason,
      cell: row => (row.reason ? reasonWords(row.reason) : <span className="soft">–</span>),
      hideable: true,
    },
    {
      id: 'by',
      header: t.balance.by,
      cell: row => (row.actor ? actorName(row.actor) : <span className="soft">–</span>),
      hideable: true,
    },
  ];
}

/** One line per order: credit reserved, used and released; grants are lines between them. */
function orderColumns(): Column<Line>[] {
  const byId = new Map(ledgerColumns().map(column => [column.id, column]));
  const figure = (id: 'reserved' | 'consumed' | 'released' | 'held', header: string): Column<Line> => ({
    id: `order-${id}`,
    header,
    align: 'right',
    cell: row => (row.order && row.order[id] > 0 ? number(row.order[id]) : <span className="soft">–</span>),
    hideable: true,
  });
  const kind: Column<Line> = {
    id: 'kind',
    header: t.balance.kind,
    phone: 'state',
    cell: row =>
      row.order ? (
        <span className="second">{t.balance.order}</span>
      ) : (
        <Tone tone="teal">{t.ledgerKinds[row.kind]}</Tone>
      ),
  };
  const own = (id: string): Column<Line>[] => {
    const column = byId.get(id);
    return column ? [column] : [];
  };
  return [
    ...own('at'),
    kind,
    ...own('order'),
    figure('reserved', t.balance.held),
    figure('consumed', t.ledgerKinds.consume),
    figure('released', t.ledgerKinds.release),
    figure('held', t.balance.stillHeld),
    ...own('change'),
    ...own('reason'),
    ...own('by'),
  ];
}
