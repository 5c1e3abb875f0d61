// Where the platform stands with the national consent registry, per brand.
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { accountLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

type Brand = OutputOf<'staff.registry'>['brands'][number];

export default function StaffRegistryPage() {
  const list = useList('staff.registry', {
    name: 'registry-brands',
    label: t.registry.brands,
    rows: data => data.brands,
    rowKey: row => `${row.accountId}-${row.brand}`,
    columns: brandColumns,
    refetchMs: 5_000,
    empty: <Empty title={t.registry.empty} />,
  });
  const { data } = list;
  const sync = useChange('staff.registrySync', { done: t.registry.synced });
  const button = (
    <Button leftSection={<IconRefresh size={16} />} loading={sync.isPending} onClick={() => sync.mutate({})}>
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
        <div>
          {!data.trouble && <p className="answer-head">{t.registry.fine}</p>}
          <p className="answer-rest">
            {t.registry.standing(number(data.queued), number(data.sent), number(data.refused7Days))}{' '}
            {t.registry.answered}: <Time at={data.answeredAt} />.
          </p>
        </div>
      )}
      <List of={list} />
    </Page>
  );
}

function brandColumns(): Column<Brand>[] {
  return [
    { id: 'brand', header: t.consents.brand, cell: row => String(row.brand), phone: 'title' },
    {
      id: 'account',
      header: t.queue.account,
      phone: 'line',
      cell: row => accountLink(row.accountId, row.accountName),
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
