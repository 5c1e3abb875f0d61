// Calls that were answered 200, the newest first: operation, time taken, order, key and address.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { duration } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../../ui/filter-fields.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';

type Line = OutputOf<'apiLog.calls'>['rows'][number];
const keys = ['adres', 'islem', 'anahtar', 'siparis', 'bas', 'bit'];
const refreshMs = 10_000;

export function SuccessfulCalls() {
  const list = useList(keys);
  const filter = {
    address: list.value('adres'),
    operation: list.value('islem'),
    keyStart: list.value('anahtar'),
    orderId: Number(list.value('siparis')) || undefined,
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const read = useRead('apiLog.calls', { ...filter, cursor: list.cursor }, { refetchMs: refreshMs });
  const apiKeys = useRead('settings.read', {}).data?.keys ?? [];
  const columns = useMemo(callColumns, []);
  const options = apiKeys.map(({ key, name }) => ({ value: key.slice(0, 8), label: name || `${key.slice(0, 8)}…` }));
  return (
    <>
      <Note>{t.apiLog.callsNote}</Note>
      <ListTools
        search={{ key: 'adres', label: t.apiLog.address }}
        filters={[
          { key: 'islem', label: t.apiLog.operation, kind: 'text' },
          { key: 'anahtar', label: t.apiLog.key, kind: 'select', options },
          { key: 'siparis', label: t.balance.orderFilter, kind: 'text' },
          daysFilter(),
        ]}
      />
      <DataTable
        name="calls"
        label={t.apiLog.calls}
        columns={columns}
        data={tableData(read, data => data.rows)}
        rowKey={row => String(row.id)}
        filtered={list.filtered}
        onClear={list.clear}
        empty={<Empty title={t.apiLog.noCalls} />}
        footer={<Pager next={read.data?.next} />}
      />
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
    {
      id: 'order',
      header: t.balance.order,
      phone: 'line',
      cell: row =>
        row.orderId ? (
          <Link to={paths.order(String(row.orderId))} className="link mono">
            {row.orderId}
          </Link>
        ) : (
          '–'
        ),
    },
    { id: 'key', header: t.apiLog.key, cell: keyOf, phone: 'line' },
    { id: 'address', header: t.apiLog.address, cell: row => <span className="mono">{row.address}</span> },
  ];
}

function keyOf(row: Line) {
  if (row.keyStart === null) return t.apiLog.oldLogin;
  return row.keyName || <span className="mono">{row.keyStart}…</span>;
}
