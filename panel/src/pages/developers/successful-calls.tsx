// Calls that were answered 200, the newest first: operation, time taken, order, key and address.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { duration } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty, Note } from '../../ui/notes.tsx';
import type { Column } from '../../ui/table-column.ts';
import { orderLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';

type Line = OutputOf<'apiLog.calls'>['rows'][number];
const refreshMs = 10_000;
/** Called as the protocol calls it, with underscores: bind_transceiver, submit_sm. */
const smppOperation = /^(bind|submit)_/;

export function SuccessfulCalls() {
  const apiKeys = useRead('settings.read', {}).data?.keys ?? [];
  const list = useList('apiLog.calls', {
    name: 'calls',
    label: t.apiLog.calls,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: callColumns,
    search: { key: 'adres', field: 'address', label: t.apiLog.address },
    filters: [
      { key: 'islem', field: 'operation', label: t.apiLog.operation, kind: 'text' },
      {
        key: 'anahtar',
        field: 'keyStart',
        label: t.apiLog.key,
        kind: 'select',
        options: apiKeys.map(({ key, name }) => ({ value: key.slice(0, 8), label: name || `${key.slice(0, 8)}…` })),
      },
      { key: 'siparis', field: 'orderId', as: asNumber, label: t.balance.orderFilter, kind: 'text' },
      daysFilter(),
    ],
    pages: 'cursor',
    refetchMs: refreshMs,
    empty: <Empty title={t.apiLog.noCalls} />,
  });
  return (
    <>
      <Note>{t.apiLog.callsNote}</Note>
      <List of={list} />
    </>
  );
}

function callColumns(): Column<Line>[] {
  return [
    { id: 'at', header: t.common.time, cell: row => <Time at={row.at} />, sort: row => row.at, phone: 'line' },
    {
      id: 'operation',
      header: t.apiLog.operation,
      cell: row => <span className="mono">{row.operation}</span>,
      sort: row => row.operation,
      phone: 'title',
    },
    { id: 'code', header: t.apiLog.code, cell: () => <Tone tone="teal">200</Tone>, phone: 'state' },
    {
      id: 'ms',
      header: t.apiLog.took,
      align: 'right',
      cell: row => duration(row.ms),
      sort: row => row.ms,
      phone: 'line',
    },
    { id: 'order', header: t.balance.order, cell: row => orderLink(row.orderId), phone: 'line' },
    { id: 'key', header: t.apiLog.key, cell: keyOf, phone: 'line' },
    { id: 'address', header: t.apiLog.address, cell: row => <span className="mono">{row.address}</span> },
  ];
}

function keyOf(row: Line) {
  if (row.keyStart === null) return smppOperation.test(row.operation) ? 'SMPP' : t.apiLog.oldLogin;
  return row.keyName || <span className="mono">{row.keyStart}…</span>;
}
