// Addresses of customers that fail or were paused.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { accountLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';

type Line = OutputOf<'staff.webhooks'>['endpoints'][number];

export default function StaffWebhooksPage() {
  const list = useList('staff.webhooks', {
    name: 'failing-webhooks',
    label: t.staffWebhooks.title,
    rows: data => data.endpoints,
    rowKey: row => `${row.accountId}-${row.id}`,
    columns: webhookColumns,
    refetchMs: 10_000,
    empty: <Empty title={t.staffWebhooks.empty} />,
  });
  return (
    <Page title={t.staffWebhooks.title}>
      <List of={list} />
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
      cell: row => accountLink(row.accountId, row.accountName),
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
