// Entries of the audit log, for owners and for staff, in words.
import type { InputOf, OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { t } from '../text/language.ts';
import { actionChoices, actionWords, detailWords } from './audit-words.ts';
import { daysFilter } from './filter-fields.tsx';
import type { ListFilter } from './list-shape.ts';
import { Empty } from './notes.tsx';
import { actorName } from './stored-words.ts';
import type { Column } from './table-column.ts';
import { accountLink } from './thing-links.tsx';
import { Time } from './time.tsx';

type AuditLine = OutputOf<'audit.list'>['rows'][number];

/** What the lists of owners and of staff have in common. */
export const auditShape = () => ({
  name: 'audit',
  label: t.audit.title,
  rows: (data: OutputOf<'audit.list'>) => data.rows,
  rowKey: (row: AuditLine) => String(row.id),
  search: { key: 'kim', field: 'actor', label: t.audit.actor } as const,
  pages: 'cursor' as const,
  empty: <Empty title={t.audit.empty} />,
});

export const auditFilters = (): ListFilter<InputOf<'audit.list'>>[] => [
  { key: 'islem', field: 'action', label: t.audit.action, kind: 'select', options: actionChoices() },
  daysFilter(),
];

export function auditColumns(): Column<AuditLine>[] {
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

export function staffAuditColumns(): Column<AuditLine>[] {
  const account: Column<AuditLine> = {
    id: 'account',
    header: t.audit.account,
    cell: row => (row.accountId ? accountLink(row.accountId, String(row.accountId)) : '–'),
  };
  return auditColumns().flatMap(column => (column.id === 'action' ? [column, account] : [column]));
}
