// Recipients of one order, filtered by state, operator, reason and number; a row opens the message.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { MessageStateBadge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { MessageDrawer } from './message-drawer.tsx';

type View = OutputOf<'orders.read'>;
type Recipient = OutputOf<'orders.recipients'>['rows'][number];

const busyMs = 4_000;

/** Opens the message named in the URL even while another tab is shown. */
export function OrderRecipients({ order, hidden }: { order: View; hidden: boolean }) {
  // Keep refreshing after the order has ended while a shown row is older than its end.
  const isOpen = (row: Recipient) => row.state === 'queued' || row.state === 'with-carrier';
  const list = useList('orders.recipients', {
    name: 'recipients',
    label: t.order.recipients,
    rows: data => data.rows,
    rowKey: row => String(row.messageId),
    columns: recipientColumns,
    input: { id: order.id },
    search: { key: 'numara', field: 'number', label: t.order.numberSearch },
    filters: [
      { key: 'durum', field: 'state', label: t.common.state, kind: 'select', options: optionsOf(t.messageStates) },
      {
        key: 'operator',
        field: 'operator',
        label: t.order.operator,
        kind: 'select',
        options: order.operators.map(({ operator }) => ({ value: operator, label: t.operators[operator] })),
      },
      {
        key: 'sebep',
        field: 'reason',
        as: asNumber,
        label: t.order.reasonColumn,
        kind: 'select',
        options: order.reasons.map(reason => ({ value: String(reason.no), label: inOurs(reason) })),
      },
    ],
    exported: 'recipients',
    pages: 'cursor',
    refetchMs: data =>
      order.state === 'sending' || (order.state !== 'scheduled' && data?.rows.some(isOpen)) ? busyMs : false,
    drawer: row => String(row.messageId),
    empty: <Empty title={t.order.noRecipients} />,
  });
  return (
    <div className="stack" id="alicilar" hidden={hidden}>
      <List of={list} />
      <MessageDrawer orderId={order.id} neighbours={list.table.rows?.map(row => row.messageId) ?? []} />
    </div>
  );
}

function recipientColumns(): Column<Recipient>[] {
  return [
    { id: 'number', header: t.order.number, cell: row => <PhoneNumber value={row.number} />, phone: 'title' },
    { id: 'state', header: t.common.state, cell: row => <MessageStateBadge state={row.state} />, phone: 'state' },
    { id: 'reason', header: t.order.reasonColumn, cell: row => (row.reason ? inOurs(row.reason) : '–'), phone: 'line' },
    {
      id: 'operator',
      header: t.order.operator,
      cell: row => (row.operator ? t.operators[row.operator] : '–'),
      sort: row => row.operator ?? '',
      hideable: true,
    },
    { id: 'credits', header: t.orders.credits, align: 'right', cell: row => number(row.credits), hideable: true },
    {
      id: 'final',
      header: t.order.finalAt,
      cell: row => <Time at={row.finalAt} />,
      sort: row => row.finalAt ?? '',
      phone: 'line',
    },
  ];
}
