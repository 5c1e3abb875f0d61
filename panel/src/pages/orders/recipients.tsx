// Recipients of one order, filtered by state, operator, reason and number; a row opens the message.
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import type { MessageState, Operator } from '../../../../src/panel-api/orders/contract.ts';
import { number } from '../../format.ts';
import { tableData, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { openKey } from '../../ui/search-state.ts';
import { MessageStateBadge } from '../../ui/states.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';

type View = OutputOf<'orders.read'>;
type Recipient = OutputOf<'orders.recipients'>['rows'][number];

const keys = ['numara', 'durum', 'operator', 'sebep'];
const states: MessageState[] = ['queued', 'with-carrier', 'delivered', 'undelivered', 'filtered'];
const busyMs = 4_000;

export function OrderRecipients({ order }: { order: View }) {
  const list = useList(keys);
  const filter = {
    id: order.id,
    number: list.value('numara'),
    state: list.value('durum') as MessageState | undefined,
    operator: list.value('operator') as Operator | undefined,
    reason: list.value('sebep') === undefined ? undefined : Number(list.value('sebep')),
  };
  // Also after the order was seen ended, while a row shown is older than that.
  const isOpen = (row: Recipient) => row.state === 'queued' || row.state === 'with-carrier';
  const read = useRead(
    'orders.recipients',
    { ...filter, cursor: list.cursor },
    {
      refetchMs: data =>
        order.state === 'sending' || (order.state !== 'scheduled' && data?.rows.some(isOpen)) ? busyMs : false,
    },
  );
  const columns = useMemo(recipientColumns, []);
  const operators = order.operators.map(({ operator }) => ({ value: operator, label: t.operators[operator] }));
  return (
    <Card title={t.order.recipients} id="alicilar">
      <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 }}>
        <ListTools
          search={{ key: 'numara', label: t.order.numberSearch }}
          filters={[
            {
              key: 'durum',
              label: t.common.state,
              kind: 'select',
              options: states.map(value => ({ value, label: t.messageStates[value] })),
            },
            { key: 'operator', label: t.order.operator, kind: 'select', options: operators },
            {
              key: 'sebep',
              label: t.order.reasonColumn,
              kind: 'select',
              options: order.reasons.map(reason => ({ value: String(reason.no), label: inOurs(reason) })),
            },
          ]}
          exported={{ kind: 'recipients', filter }}
        />
        <DataTable
          name="recipients"
          label={t.order.recipients}
          columns={columns}
          data={tableData(read, data => data.rows)}
          rowKey={row => String(row.messageId)}
          onOpen={row => list.change({ [openKey]: String(row.messageId) })}
          filtered={list.filtered}
          onClear={list.clear}
          empty={<Empty title={t.order.noRecipients} />}
          footer={<Pager next={read.data?.next} />}
        />
      </div>
    </Card>
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
