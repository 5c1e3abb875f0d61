// Orders and reports: what was sent, how far it is, what it cost.
import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import type { OrderState } from '../../../../src/panel-api/orders/contract.ts';
import { deliveryRate, number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../../ui/filter-fields.tsx';
import { FreshRows } from '../../ui/fresh-rows.tsx';
import { useHeldRows } from '../../ui/held-rows.ts';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { SegmentBar } from '../../ui/segment-bar.tsx';
import { type Order, OrderStateBadge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';

const keys = ['ara', 'durum', 'baslik', 'kaynak', 'ticari', 'bas', 'bit'];
const states: OrderState[] = ['scheduled', 'sending', 'finished', 'cancelled', 'failed'];
const busyMs = 2_000;
const idleMs = 10_000;

const rowKey = (row: { id: number }): string => String(row.id);

export default function OrdersPage() {
  const navigate = useNavigate();
  const list = useList(keys);
  const senders = useRead('senders.list', {});
  const commercial = list.value('ticari');
  const filter = {
    search: list.value('ara'),
    state: list.value('durum') as OrderState | undefined,
    sender: list.value('baslik'),
    source: list.value('kaynak') as 'api' | 'panel' | undefined,
    commercial: commercial === undefined ? undefined : commercial === '1',
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const pace = (data?: OutputOf<'orders.list'>) => (data?.rows.some(row => row.state === 'sending') ? busyMs : idleMs);
  const read = useRead('orders.list', { ...filter, cursor: list.cursor }, { refetchMs: pace });
  const held = useHeldRows(
    { rows: read.data?.rows, hasMore: Boolean(read.data?.next), isOfScope: !read.isPlaceholderData },
    JSON.stringify([filter, list.cursor]),
    list.filtered,
    rowKey,
  );
  const columns = useMemo(orderColumns, []);
  const options = (values: string[], label: (value: never) => string) =>
    values.map(value => ({ value, label: label(value as never) }));
  return (
    <Page
      title={t.orders.title}
      lead={read.data && t.orders.kept(number(read.data.retentionDays))}
      actions={
        <Button component={Link} to={paths.send()} leftSection={<IconSend size={16} />}>
          {t.nav.send}
        </Button>
      }
    >
      <ListTools
        search={{ key: 'ara', label: t.orders.search }}
        filters={[
          {
            key: 'durum',
            label: t.common.state,
            kind: 'select',
            options: options(states, (value: OrderState) => t.orderStates[value]),
          },
          {
            key: 'baslik',
            label: t.orders.sender,
            kind: 'select',
            options: (senders.data?.senders ?? []).map(({ name }) => ({ value: name, label: name })),
          },
          {
            key: 'kaynak',
            label: t.orders.source,
            kind: 'select',
            options: options(['api', 'panel'], (value: 'api' | 'panel') => t.sources[value]),
          },
          {
            key: 'ticari',
            label: t.orders.commercial,
            kind: 'select',
            options: [
              { value: '1', label: t.orders.isCommercial },
              { value: '0', label: t.orders.notCommercial },
            ],
          },
          daysFilter(),
        ]}
        exported={{ kind: 'orders', filter }}
      />
      <FreshRows count={held.fresh} onShow={held.show} />
      <DataTable
        name="orders"
        label={t.orders.title}
        columns={columns}
        data={{ ...tableData(read, data => data.rows), rows: held.rows }}
        rowKey={rowKey}
        rowPath={row => paths.order(String(row.id))}
        onOpen={row => void navigate({ to: paths.order(String(row.id)) })}
        filtered={list.filtered}
        onClear={list.clear}
        empty={
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
        }
        footer={<Pager next={read.data?.next} />}
      />
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
          <Link to={paths.order(String(row.id))} className="link mono">
            {row.id}
          </Link>
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
      hideable: 'hidden-at-first',
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
