// Addresses of customers that fail or were paused.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';

type Line = OutputOf<'staff.webhooks'>['endpoints'][number];

export default function StaffWebhooksPage() {
  const read = useRead('staff.webhooks', {}, { refetchMs: 10_000 });
  const columns = useMemo(webhookColumns, []);
  return (
    <Page title={t.staffWebhooks.title}>
      <DataTable
        name="failing-webhooks"
        label={t.staffWebhooks.title}
        columns={columns}
        data={tableData(read, data => data.endpoints)}
        rowKey={row => `${row.accountId}-${row.id}`}
        empty={<Empty title={t.staffWebhooks.empty} />}
      />
    </Page>
  );
}

function webhookColumns(): Column<Line>[] {
  return [
    {
      id: 'account',
      header: t.staffWebhooks.account,
      phone: 'title',
      sort: row => row.accountName,
      cell: row => (
        <Link to={paths.staffAccount(String(row.accountId))} className="link">
          {row.accountName}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t.common.state,
      phone: 'state',
      cell: row => <Tone tone={row.state === 'failing' ? 'red' : 'orange'}>{t.webhook[row.state]}</Tone>,
    },
    {
      id: 'url',
      header: t.staffWebhooks.url,
      cell: row => (
        <span className="clip mono" style={{ maxWidth: 260 }}>
          {row.url}
        </span>
      ),
      phone: 'line',
    },
    { id: 'reason', header: t.common.reason, cell: row => (row.reason ? inOurs(row.reason) : '–'), phone: 'line' },
    {
      id: 'failures',
      header: t.staffWebhooks.failures,
      align: 'right',
      cell: row => number(row.failures),
      sort: row => row.failures,
    },
    {
      id: 'since',
      header: t.webhook.since,
      cell: row => <Time at={row.failingSince} />,
      sort: row => row.failingSince ?? '',
    },
    { id: 'next', header: t.webhook.nextProbe, cell: row => <Time at={row.nextProbeAt} /> },
  ];
}
