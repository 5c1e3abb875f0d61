// Where the platform stands with the national consent registry, per brand.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Figure } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';

type Brand = OutputOf<'staff.registry'>['brands'][number];

export default function StaffRegistryPage() {
  const read = useRead('staff.registry', {}, { refetchMs: 5_000 });
  const sync = useChange('staff.registrySync', { done: t.registry.synced });
  const columns = useMemo(brandColumns, []);
  const data = read.data;
  const button = (
    <Button loading={sync.isPending} onClick={() => sync.mutate({})}>
      {t.registry.sync}
    </Button>
  );
  return (
    <Page title={t.registry.title} actions={button}>
      {data?.trouble && (
        <Note kind="bad" title={inOurs(data.trouble.sentence)}>
          {data.trouble.code} · {t.registry.since}: <Time at={data.trouble.since} />
        </Note>
      )}
      {data && (
        <div className="figures">
          <Figure long label={t.registry.answered} value={<Time at={data.answeredAt} />} />
          <Figure label={t.registry.queued} value={number(data.queued)} />
          <Figure label={t.registry.sent} value={number(data.sent)} />
          <Figure label={t.registry.refused} value={number(data.refused7Days)} />
        </div>
      )}
      <DataTable
        name="registry-brands"
        label={t.registry.brands}
        columns={columns}
        data={tableData(read, registry => registry.brands)}
        rowKey={row => `${row.accountId}-${row.brand}`}
        empty={<Empty title={t.registry.empty} />}
      />
    </Page>
  );
}

function brandColumns(): Column<Brand>[] {
  return [
    { id: 'brand', header: t.consents.brand, cell: row => <span className="mono">{row.brand}</span>, phone: 'title' },
    {
      id: 'account',
      header: t.queue.account,
      phone: 'line',
      cell: row => (
        <Link to={paths.staffAccount(String(row.accountId))} className="link">
          {row.accountName}
        </Link>
      ),
    },
    {
      id: 'waiting',
      header: t.registry.queued,
      align: 'right',
      cell: row => number(row.waiting),
      sort: row => row.waiting,
      phone: 'state',
      phoneLabel: true,
    },
    {
      id: 'pulled',
      header: t.consents.pulled,
      cell: row => <Time at={row.pulledAt} />,
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'pause', header: t.consents.paused, cell: row => (row.pause ? inOurs(row.pause.sentence) : '–') },
  ];
}
