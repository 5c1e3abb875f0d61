// Orders and reports: what was sent, how far it is, what it cost.
import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliveryRate, number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { SegmentBar } from '../../ui/segment-bar.tsx';
import { type Order, OrderStateBadge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table-column.ts';
import { orderLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

const busyMs = 2_000;
const idleMs = 10_000;
const isOne = (text: string): boolean => text === '1';

export default function OrdersPage() {
  const senders = useRead('senders.list', {}).data?.senders ?? [];
  const send = (icon?: ReactNode) => (
    <Button component={Link} to={paths.send()} leftSection={icon}>
      {t.nav.send}
    </Button>
  );
  const list = useList('orders.list', {
    name: 'orders',
    label: t.orders.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: orderColumns,
    search: { key: 'ara', field: 'search', label: t.orders.search },
    filters: [
      { key: 'durum', field: 'state', label: t.common.state, kind: 'select', options: optionsOf(t.orderStates) },
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
      <Empty title={t.orders.empty} action={send()}>
        {t.orders.emptyBody}
      </Empty>
    ),
  });
  return (
    <Page
      title={t.orders.title}
      lead={list.data && t.orders.kept(number(list.data.retentionDays))}
      actions={send(<IconSend size={16} />)}
    >
      <List of={list} />
    </Page>
  );
}

function orderColumns(): Column<Order>[] {
  return [
    {
      id: 'id',
      header: t.orders.id,
      cell: row => (
        <span className="with-copy">
          {orderLink(row.id)}
          <CopyButton value={String(row.id)} />
        </span>
      ),
      phone: 'line',
    },
    { id: 'state', header: t.common.state, cell: row => <OrderStateBadge order={row} />, phone: 'state' },
    {
      id: 'created',
      header: t.orders.created,
      cell: row => <Time at={row.submitAt} />,
      sort: row => row.submitAt,
      phone: 'line',
    },
    { id: 'sender', header: t.orders.sender, cell: row => row.sender, sort: row => row.sender, phone: 'line' },
    {
      id: 'text',
      header: t.orders.text,
      cell: row => (
        <span className="clip" style={{ maxWidth: 140 }}>
          {row.texts > 1 ? `${row.textStart} (${t.orders.texts(row.texts)})` : row.textStart}
        </span>
      ),
      phone: 'title',
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
    { id: 'progress', header: t.orders.progress, cell: row => <SegmentBar counters={row} />, width: 130 },
    {
      id: 'rate',
      header: t.orders.rate,
      align: 'right',
      cell: row => percent(deliveryRate(row.delivered, row.undelivered)),
      sort: row => deliveryRate(row.delivered, row.undelivered) ?? -1,
      hideable: true,
    },
    {
      id: 'credits',
      header: t.orders.credits,
      align: 'right',
      cell: row => number(row.credits),
      sort: row => row.credits,
      hideable: true,
    },
    {
      id: 'source',
      header: t.orders.source,
      cell: row => (row.source.who ? `${t.sources[row.source.kind]} · ${row.source.who}` : t.sources[row.source.kind]),
      hideable: 'hidden-at-first',
    },
  ];
}
