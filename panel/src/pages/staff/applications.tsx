// Applications, oldest first: list, then document left and form right; j/k to walk, the next opens by itself.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { openKey } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { SenderStateBadge } from '../senders/senders.tsx';
import { ApplicationReview } from './application-review.tsx';

type Line = OutputOf<'staff.applications'>['rows'][number];

export default function StaffApplicationsPage() {
  const list = useList('staff.applications', {
    name: 'applications',
    label: t.applications.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: applicationColumns,
    input: { state: 'applied' },
    filters: [
      { key: 'durum', field: 'state', label: t.common.state, kind: 'select', options: optionsOf(t.senderStates) },
      {
        key: 'tur',
        field: 'kind',
        label: t.applications.kind,
        kind: 'select',
        options: optionsOf({ subscription: t.applications.subscription, sender: t.applications.sender }),
      },
    ],
    pages: 'cursor',
    drawer: row => String(row.id),
    empty: <Empty title={t.applications.empty} />,
  });
  const openNext = (id: number) => {
    const next = list.data?.rows.find(row => row.id !== id && row.state === 'applied');
    list.change({ [openKey]: next ? String(next.id) : null });
  };
  return (
    <Page title={t.applications.title}>
      <List of={list} />
      <ApplicationReview id={list.open ? Number(list.open) : null} onClose={list.close} onDecided={openNext} />
    </Page>
  );
}

function applicationColumns(): Column<Line>[] {
  return [
    { id: 'id', header: '#', cell: row => String(row.id), phone: 'line' },
    {
      id: 'account',
      header: t.accounts.name,
      cell: row => row.accountName,
      sort: row => row.accountName,
      phone: 'title',
    },
    {
      id: 'kind',
      header: t.applications.kind,
      cell: row => (row.senderName ? `${t.applications.sender}: ${row.senderName}` : t.applications.subscription),
      phone: 'line',
    },
    { id: 'state', header: t.common.state, cell: row => <SenderStateBadge state={row.state} />, phone: 'state' },
    {
      id: 'since',
      header: t.applications.waitingSince,
      cell: row => <Time at={row.createdAt} />,
      sort: row => row.createdAt,
      phone: 'line',
    },
    { id: 'documents', header: t.applications.documents, align: 'right', cell: row => number(row.documents) },
  ];
}
