// Orders: running, failed, searched by text. The usual views are tabs; the whole row opens the order.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { startsWords } from '../../ui/order-words.ts';
import { Page } from '../../ui/page.tsx';
import { RateCell } from '../../ui/rate-cell.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SegmentBar } from '../../ui/segment-bar.tsx';
import { type Order, OrderStateBadge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table-column.ts';
import { orderLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { useLive } from '../../ui/use-live.ts';

const busyMs = 2_000;
const idleMs = 10_000;
const isOne = (text: string): boolean => text === '1';

export default function OrdersPage() {
  const [search] = useSearchState();
  const senders = useRead('senders.list', {}).data?.senders ?? [];
  const list = useList('orders.list', {
    name: 'orders',
    label: t.orders.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: orderColumns,
    search: { key: 'ara', field: 'search', label: t.orders.search },
    filters: [
      { key: 'durum', field: 'state', label: t.common.state, kind: 'select', options: optionsOf(t.orderStates) },
      { key: 'ilgi', field: 'attention', as: isOne, label: t.orders.attention, kind: 'tab' },
      {
        key: 'baslik',
        field: 'sender',
        label: t.orders.sender,
        kind: 'select',
        options: senders.map(({ name }) => ({ value: name, label: name })),
      },
      {
        key: 'kaynak',
        field: 'source',
        label: t.orders.source,
        kind: 'select',
        options: optionsOf({ api: t.sources.api, smpp: t.sources.smpp, panel: t.sources.panel }),
      },
      {
        key: 'ticari',
        field: 'commercial',
        as: isOne,
        label: t.orders.commercial,
        kind: 'select',
        options: [
          { value: '1', label: t.orders.isCommercial },
          { value: '0', label: t.orders.notCommercial },
        ],
      },
      daysFilter(),
    ],
    exported: 'orders',
    pages: 'cursor',
    refetchMs: data => (data?.rows.some(row => row.state === 'sending') ? busyMs : idleMs),
    held: true,
    path: row => paths.order(String(row.id)),
    empty: (
      <Empty
        title={t.orders.empty}
        action={
          <Button component={Link} to={paths.send()}>
            {t.nav.send}
          </Button>
        }
      >
        {t.orders.emptyBody}
      </Empty>
    ),
  });
  return (
    <Page title={t.orders.title}>
      <OrderTabs />
      {search['durum'] === 'scheduled' && (
        <Link to={paths.scheduled()} className="link">
          {t.scheduled.open}
        </Link>
      )}
      <List of={list} />
      {list.data && <p className="kept">{t.orders.kept(number(list.data.retentionDays))}</p>}
    </Page>
  );
}

function OrderTabs() {
  const [search, change] = useSearchState();
  const live = useLive().data;
  const { durum, ilgi } = search;
  const go = (state: string | null, attention: string | null) => () => change({ durum: state, ilgi: attention });
  const count = (value: number | undefined) => (value ? number(value) : undefined);
  return (
    <FilterTabs
      label={t.common.state}
      tabs={[
        { key: 'all', label: t.common.all, chosen: !durum && !ilgi, choose: go(null, null) },
        {
          key: 'sending',
          label: t.orders.running,
          count: count(live?.running.length),
          chosen: durum === 'sending',
          choose: go('sending', null),
        },
        {
          key: 'scheduled',
          label: t.orders.planned,
          count: count(live?.scheduled),
          chosen: durum === 'scheduled',
          choose: go('scheduled', null),
        },
        { key: 'attention', label: t.orders.attention, chosen: ilgi === '1', choose: go(null, '1') },
        {
          key: 'finished',
          label: t.orderStates.finished,
          chosen: durum === 'finished' && !ilgi,
          choose: go('finished', null),
        },
      ]}
    />
  );
}

function orderColumns(): Column<Order>[] {
  return [
    { id: 'state', header: t.common.state, cell: row => <OrderStateBadge order={row} />, phone: 'state', width: 150 },
    {
      id: 'text',
      header: t.orders.text,
      width: '34%',
      cell: row => (
        <span className="text-cell">
          <Link to={paths.order(String(row.id))} className="plain clip">
            {row.texts > 1 ? `${row.textStart} (${t.orders.texts(number(row.texts))})` : row.textStart}
          </Link>
        </span>
      ),
      phone: 'title',
    },
    { id: 'sender', header: t.orders.sender, cell: row => row.sender, sort: row => row.sender, phone: 'line' },
    {
      id: 'source',
      header: t.orders.source,
      cell: row => (
        <span className="clip soft" style={{ maxWidth: 130 }}>
          {row.source.who ? `${t.sources[row.source.kind]} · ${row.source.who}` : t.sources[row.source.kind]}
        </span>
      ),
      hideable: true,
    },
    {
      id: 'recipients',
      header: t.orders.recipients,
      align: 'right',
      cell: row => number(row.total),
      sort: row => row.total,
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'progress',
      header: t.orders.progress,
      cell: row =>
        row.state === 'scheduled' ? (
          <span className="soft nowrap">{startsWords(row.sendAt)}</span>
        ) : (
          <SegmentBar counters={row} />
        ),
      width: 160,
    },
    {
      id: 'rate',
      header: t.messageStates.delivered,
      align: 'right',
      cell: row => (row.delivered + row.undelivered > 0 ? <RateCell order={row} /> : '–'),
      hideable: true,
      phone: 'line',
    },
    {
      id: 'created',
      header: t.orders.created,
      align: 'right',
      cell: row => (
        <span className="soft">
          <Time at={row.submitAt} />
        </span>
      ),
      sort: row => row.submitAt,
      phone: 'line',
    },
    {
      id: 'id',
      header: t.orders.id,
      cell: row => (
        <span className="with-copy">
          {orderLink(row.id)}
          <CopyButton value={String(row.id)} />
        </span>
      ),
      hideable: 'hidden-at-first',
    },
    {
      id: 'credits',
      header: t.orders.credits,
      align: 'right',
      cell: row => number(row.credits),
      sort: row => row.credits,
      hideable: 'hidden-at-first',
    },
    {
      id: 'commercial',
      header: t.orders.commercial,
      cell: row => row.commercial ?? t.common.no,
      hideable: 'hidden-at-first',
    },
  ];
}
