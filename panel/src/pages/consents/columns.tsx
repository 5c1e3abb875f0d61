// The columns of consent records, in the list and in the answer to a query.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { inOurs, t } from '../../text/language.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { ConsentRecipient, ConsentStatusBadge, SyncBadge } from './parts.tsx';

type ConsentLine = OutputOf<'consent.list'>['rows'][number];

export function consentColumns(): Column<ConsentLine>[] {
  return [
    {
      id: 'recipient',
      header: t.consents.search,
      cell: row => <ConsentRecipient value={row.recipient} />,
      phone: 'title',
    },
    {
      id: 'status',
      header: t.consents.status,
      cell: row => <ConsentStatusBadge status={row.status} counts={row.counts} />,
      phone: 'line',
    },
    { id: 'sync', header: t.consents.sync, cell: row => <SyncBadge state={row.syncState} />, phone: 'state' },
    {
      id: 'type',
      header: t.consents.type,
      cell: row => (
        <span className="nowrap">{`${t.consentTypes[row.type]} · ${t.recipientTypes[row.recipientType]}`}</span>
      ),
    },
    {
      id: 'source',
      header: t.consents.source,
      cell: row => (
        <span className="nowrap">{t.consentSources[row.source as keyof typeof t.consentSources] ?? row.source}</span>
      ),
      hideable: true,
    },
    {
      id: 'date',
      header: t.consents.date,
      cell: row => <Time at={row.consentDate} />,
      sort: row => row.consentDate,
      phone: 'line',
    },
    { id: 'origin', header: t.consents.origin, cell: row => t.consentOrigins[row.origin], hideable: true },
    {
      id: 'reason',
      header: t.consents.reason,
      cell: row => (row.reason ? `${inOurs(row.reason)} ${row.code ? `(${row.code})` : ''}` : '–'),
      phone: 'line',
    },
  ];
}
