// Uncertain outcomes side by side: messages whose answer was lost, and receipts that match no message. A number in both lists is
// worth a look.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { phone } from '../../format.ts';
import { t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

type Rows = OutputOf<'staff.doubts'>;
const refreshMs = 10_000;

export function Doubts() {
  const doubts = useList('staff.doubts', {
    name: 'doubts',
    label: t.queue.doubts,
    rows: all => all.doubts,
    rowKey: row => `${row.messageId}${row.writtenAt}`,
    columns: doubtColumns,
    refetchMs: refreshMs,
    empty: <Empty title={t.queue.doubtsEmpty} />,
  });
  const receipts = useList('staff.doubts', {
    name: 'unmatched',
    label: t.queue.receipts,
    rows: all => all.receipts,
    rowKey: row => String(row.id),
    columns: receiptColumns,
    refetchMs: refreshMs,
    empty: <Empty title={t.queue.receiptsEmpty} />,
  });
  return (
    <>
      <h2>{t.queue.doubts}</h2>
      <List of={doubts} />
      <h2>{t.queue.receipts}</h2>
      <List of={receipts} />
    </>
  );
}

function doubtColumns(): Column<Rows['doubts'][number]>[] {
  return [
    {
      id: 'number',
      header: t.queue.number,
      cell: row => <span className="nowrap">{phone(row.number)}</span>,
      phone: 'title',
    },
    { id: 'order', header: t.queue.order, cell: row => (row.isTest ? t.queue.test : (row.orderId ?? '–')) },
    { id: 'carrier', header: t.queue.carrier, cell: row => row.carrier ?? '–', phone: 'line' },
    { id: 'written', header: t.queue.written, cell: row => <Time at={row.writtenAt} />, phone: 'line' },
    {
      id: 'standing',
      header: t.queue.standing,
      phone: 'state',
      cell: row => (row.hasReceipt ? t.queue.alike : row.decideAt ? t.queue.undecided : t.queue.decided),
    },
  ];
}

function receiptColumns(): Column<Rows['receipts'][number]>[] {
  return [
    {
      id: 'number',
      header: t.queue.number,
      cell: row => (row.number ? <span className="nowrap">{phone(row.number)}</span> : '–'),
      phone: 'title',
    },
    { id: 'id', header: t.queue.receiptId, cell: row => row.smscId },
    { id: 'carrier', header: t.queue.carrier, cell: row => row.carrier ?? '–', phone: 'line' },
    { id: 'received', header: t.queue.received, cell: row => <Time at={row.receivedAt} />, phone: 'line' },
    {
      id: 'said',
      header: t.queue.standing,
      cell: row => (row.status === 111 ? t.queue.saidDelivered : t.queue.saidFailed),
    },
    {
      id: 'standing',
      header: '',
      phone: 'state',
      cell: row => (row.mismatch ? t.queue.mismatch : row.hasDoubt ? t.queue.alike : ''),
    },
  ];
}
