// All accounts, found by anything a caller may quote.
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { accountLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { OpenAccount } from './open-account.tsx';

type Line = OutputOf<'staff.accounts'>['rows'][number];

export function AccountStatusBadge({ status }: { status: Line['status'] }) {
  return (
    <Tone tone={status === 'active' ? 'teal' : 'red'} icon={status === 'active' ? 'check' : 'pause'}>
      {t.accounts[status]}
    </Tone>
  );
}

export default function StaffAccountsPage() {
  const [opening, setOpening] = useState(false);
  const open = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpening(true)}>
      {t.accounts.open}
    </Button>
  );
  const list = useList('staff.accounts', {
    name: 'accounts',
    label: t.accounts.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: accountColumns,
    search: { key: 'ara', field: 'search', label: t.accounts.search },
    filters: [
      {
        key: 'durum',
        field: 'status',
        label: t.common.state,
        kind: 'select',
        options: optionsOf({ active: t.accounts.active, suspended: t.accounts.suspended }),
      },
    ],
    pages: 'cursor',
    path: row => paths.staffAccount(String(row.id)),
    empty: <Empty title={t.accounts.empty} action={open} />,
  });
  return (
    <Page title={t.accounts.title} actions={open}>
      <List of={list} />
      <OpenAccount opened={opening} onClose={() => setOpening(false)} />
    </Page>
  );
}

function accountColumns(): Column<Line>[] {
  return [
    {
      id: 'name',
      header: t.accounts.name,
      cell: row => accountLink(row.id, row.name),
      sort: row => row.name,
      phone: 'title',
    },
    { id: 'id', header: t.accounts.id, cell: row => String(row.id), phone: 'line' },
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
