// Applications, oldest first: list, then document left and form right; j/k to walk, the next opens by itself.
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import type { ApplicationState } from '../../../../src/panel-api/senders/contract.ts';
import { number } from '../../format.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { openKey } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { optionsOf } from '../consents/parts.tsx';
import { SenderStateBadge } from '../senders/senders.tsx';
import { ApplicationReview } from './application-review.tsx';

type Line = OutputOf<'staff.applications'>['rows'][number];
const keys = ['durum', 'tur'];

export default function StaffApplicationsPage() {
  const list = useList(keys);
  const state = (list.value('durum') ?? 'applied') as ApplicationState;
  const read = useRead('staff.applications', {
    state,
    kind: list.value('tur') as Line['kind'] | undefined,
    cursor: list.cursor,
  });
  const columns = useMemo(applicationColumns, []);
  const rows = read.data?.rows ?? [];
  const openNext = (id: number) => {
    const next = rows.find(row => row.id !== id && row.state === 'applied');
    list.change({ [openKey]: next ? String(next.id) : null });
  };
  return (
    <Page title={t.applications.title}>
      <ListTools
        filters={[
          { key: 'durum', label: t.common.state, kind: 'select', options: optionsOf(t.senderStates) },
          {
            key: 'tur',
            label: t.applications.kind,
            kind: 'select',
            options: [
              { value: 'subscription', label: t.applications.subscription },
              { value: 'sender', label: t.applications.sender },
            ],
          },
        ]}
      />
      <DataTable
        name="applications"
        label={t.applications.title}
        columns={columns}
        data={tableData(read, data => data.rows)}
        rowKey={row => String(row.id)}
        onOpen={row => list.change({ [openKey]: String(row.id) })}
        filtered={list.filtered}
        onClear={list.clear}
        empty={<Empty title={t.applications.empty} />}
        footer={<Pager next={read.data?.next} />}
      />
      {list.open && (
        <ApplicationReview
          id={Number(list.open)}
          onClose={() => list.change({ [openKey]: null })}
          onDecided={openNext}
        />
      )}
    </Page>
  );
}

function applicationColumns(): Column<Line>[] {
  return [
    { id: 'id', header: '#', cell: row => <span className="mono">{row.id}</span>, phone: 'line' },
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
