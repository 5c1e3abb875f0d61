// All accounts, found by anything a caller may quote.

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { OpenAccount } from './open-account.tsx';

type Line = OutputOf<'staff.accounts'>['rows'][number];
const keys = ['ara', 'durum'];

export function AccountStatusBadge({ status }: { status: Line['status'] }) {
  return (
    <Tone tone={status === 'active' ? 'teal' : 'red'} icon={status === 'active' ? 'check' : 'pause'}>
      {t.accounts[status]}
    </Tone>
  );
}

export default function StaffAccountsPage() {
  const navigate = useNavigate();
  const list = useList(keys);
  const [opening, setOpening] = useState(false);
  const filter = { search: list.value('ara'), status: list.value('durum') as Line['status'] | undefined };
  const read = useRead('staff.accounts', { ...filter, cursor: list.cursor });
  const columns = useMemo(accountColumns, []);
  const open = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpening(true)}>
      {t.accounts.open}
    </Button>
  );
  return (
    <Page title={t.accounts.title} actions={open}>
      <ListTools
        search={{ key: 'ara', label: t.accounts.search }}
        filters={[
          {
            key: 'durum',
            label: t.common.state,
            kind: 'select',
            options: [
              { value: 'active', label: t.accounts.active },
              { value: 'suspended', label: t.accounts.suspended },
            ],
          },
        ]}
      />
      <DataTable
        name="accounts"
        label={t.accounts.title}
        columns={columns}
        data={tableData(read, data => data.rows)}
        rowKey={row => String(row.id)}
        rowPath={row => paths.staffAccount(String(row.id))}
        onOpen={row => void navigate({ to: paths.staffAccount(String(row.id)) })}
        filtered={list.filtered}
        onClear={list.clear}
        empty={<Empty title={t.accounts.empty} action={open} />}
        footer={<Pager next={read.data?.next} />}
      />
      <OpenAccount opened={opening} onClose={() => setOpening(false)} />
    </Page>
  );
}

function accountColumns(): Column<Line>[] {
  return [
    {
      id: 'name',
      header: t.accounts.name,
      sort: row => row.name,
      phone: 'title',
      cell: row => (
        <Link to={paths.staffAccount(String(row.id))} className="link">
          {row.name}
        </Link>
      ),
    },
    { id: 'id', header: t.accounts.id, cell: row => <span className="mono">{row.id}</span>, phone: 'line' },
    { id: 'status', header: t.common.state, cell: row => <AccountStatusBadge status={row.status} />, phone: 'state' },
    {
      id: 'sms',
      header: t.accounts.credits,
      align: 'right',
      cell: row => number(row.sms),
      sort: row => row.sms,
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'rate',
      header: t.accounts.rate,
      align: 'right',
      cell: row => number(row.rate),
      sort: row => row.rate,
      hideable: true,
    },
    { id: 'owner', header: t.accounts.owner, cell: row => row.owner ?? '–', phone: 'line' },
    {
      id: 'created',
      header: t.accounts.created,
      cell: row => <Time at={row.createdAt} />,
      sort: row => row.createdAt,
      hideable: true,
    },
    {
      id: 'order',
      header: t.accounts.lastOrder,
      cell: row => <Time at={row.lastOrderAt} />,
      sort: row => row.lastOrderAt ?? '',
      hideable: true,
    },
  ];
}
