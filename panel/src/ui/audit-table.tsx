// Entries of the audit log, for owners and for staff, in words.
import { type ReactNode, useMemo } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { t } from '../text/language.ts';
import { actionChoices, actionWords, actorName, detailWords } from './audit-words.ts';
import { DataTable, type TableData } from './data-table.tsx';
import { dayEnd, dayStart, daysFilter, type Filter } from './filter-fields.tsx';
import { useList } from './list-tools.tsx';
import { Empty } from './notes.tsx';
import type { Column } from './table-column.ts';
import { Time } from './time.tsx';

export type AuditLine = OutputOf<'audit.list'>['rows'][number];
const keys = ['kim', 'islem', 'bas', 'bit', 'hesap'];

export function useAuditFilter() {
  const list = useList(keys);
  const filter = {
    actor: list.value('kim'),
    action: list.value('islem'),
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  return { list, filter };
}

export const auditFilters = (): Filter[] => [
  { key: 'islem', label: t.audit.action, kind: 'select', options: actionChoices() },
  daysFilter(),
];

type Props = {
  data: TableData<AuditLine>;
  filtered: boolean;
  onClear: () => void;
  footer: ReactNode;
  withAccount?: boolean;
};

export function AuditTable(props: Props) {
  const columns = useMemo(() => auditColumns(props.withAccount ?? false), [props.withAccount]);
  return (
    <DataTable
      name="audit"
      label={t.audit.title}
      columns={columns}
      data={props.data}
      rowKey={row => String(row.id)}
      filtered={props.filtered}
      onClear={props.onClear}
      empty={<Empty title={t.audit.empty} />}
      footer={props.footer}
    />
  );
}

function auditColumns(withAccount: boolean): Column<AuditLine>[] {
  const account: Column<AuditLine> = { id: 'account', header: t.audit.account, cell: row => row.accountId ?? '–' };
  return [
    { id: 'at', header: t.common.time, cell: row => <Time at={row.at} exact />, sort: row => row.at, phone: 'line' },
    { id: 'actor', header: t.audit.actor, cell: row => actorName(row.actor), sort: row => row.actor, phone: 'line' },
    {
      id: 'action',
      header: t.audit.action,
      cell: row => <span title={row.action}>{actionWords(row.action)}</span>,
      sort: row => row.action,
      phone: 'title',
    },
    ...(withAccount ? [account] : []),
    {
      id: 'detail',
      header: t.audit.detail,
      cell: row => <span style={{ overflowWrap: 'anywhere' }}>{detailWords(row.detail)}</span>,
      phone: 'line',
    },
    {
      id: 'address',
      header: t.audit.address,
      cell: row => <span className="mono">{row.address ?? '–'}</span>,
      hideable: true,
    },
  ];
}
