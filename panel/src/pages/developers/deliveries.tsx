// What was posted, when, and what came back; one or all failed ones can be sent again.
import { Button, Drawer, Group, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { duration, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { tableData, useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ListTools, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { openKey } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { optionsOf } from '../consents/parts.tsx';
import { DeliveryBody } from './delivery-body.tsx';

type Line = OutputOf<'webhook.deliveries'>['deliveries'][number];
const keys = ['durum', 'siparis'];
const tones = { pending: 'blue', delivered: 'teal', 'given-up': 'red' } as const;
const icons = { pending: 'clock', delivered: 'check', 'given-up': 'cross' } as const;
const weekMs = 7 * 24 * 3600 * 1000;
const refreshMs = 5_000;

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];

/** Of one address. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const list = useList(keys);
  const page = Number(list.value('sayfa') ?? 1);
  const filter = {
    webhookId: webhook.id,
    state: list.value('durum') as Line['state'] | undefined,
    orderId: list.value('siparis') ? Number(list.value('siparis')) || undefined : undefined,
  };
  const read = useRead('webhook.deliveries', { ...filter, page }, { refetchMs: refreshMs });
  const { givenUp } = webhook;
  const resend = useChange('webhook.resend', { done: ({ events }) => t.webhook.resent(number(events)) });
  const columns = useMemo(deliveryColumns, []);
  const resendFailed = async () => {
    const question = {
      title: t.webhook.resendFailedTitle(number(givenUp)),
      body: t.webhook.resendFailedBody,
      action: t.webhook.resend,
    };
    if ((await ask(question)) === null) return;
    resend.mutate({ webhookId: webhook.id, failedSince: new Date(Date.now() - weekMs).toISOString() });
  };
  const all = givenUp > 0 && (
    <RoleButton
      need="sender"
      size="xs"
      variant="default"
      loading={resend.isPending}
      onClick={() => void resendFailed()}
    >
      {t.webhook.resendFailed} ({number(givenUp)})
    </RoleButton>
  );
  return (
    <Card title={t.webhook.deliveries} actions={all}>
      <Stack gap="sm">
        <ListTools
          search={{ key: 'siparis', label: t.balance.orderFilter }}
          filters={[
            { key: 'durum', label: t.webhook.stateLabel, kind: 'select', options: optionsOf(t.deliveryStates) },
          ]}
        />
        <DataTable
          name="deliveries"
          label={t.webhook.deliveries}
          columns={columns}
          data={tableData(read, data => data.deliveries)}
          rowKey={row => row.id}
          onOpen={row => list.change({ [openKey]: row.id })}
          filtered={list.filtered}
          onClear={list.clear}
          empty={<Empty title={t.webhook.empty} />}
          footer={
            <Group gap="xs">
              {page > 1 && (
                <Button size="xs" variant="default" onClick={() => list.change({ sayfa: null })}>
                  {t.table.firstPage}
                </Button>
              )}
              {read.data?.hasMore && (
                <Button size="xs" variant="default" onClick={() => list.change({ sayfa: String(page + 1) })}>
                  {t.table.nextPage}
                </Button>
              )}
            </Group>
          }
        />
      </Stack>
      <DeliveryDrawer
        id={list.open}
        onClose={() => list.change({ [openKey]: null })}
        onResend={id => resend.mutate({ id })}
      />
    </Card>
  );
}

function DeliveryDrawer(props: { id: string | undefined; onClose: () => void; onResend: (id: string) => void }) {
  const read = useRead('webhook.delivery', { id: props.id ?? '' }, { enabled: props.id !== undefined, keep: false });
  const delivery = read.data;
  return (
    <Drawer
      opened={props.id !== undefined}
      onClose={props.onClose}
      title={t.webhook.event}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {!delivery && <Skeleton height={200} />}
      {delivery && (
        <Stack gap="md">
          <Group justify="space-between">
            <Tone tone={tones[delivery.state]} icon={icons[delivery.state]}>
              {t.deliveryStates[delivery.state]}
            </Tone>
            <RoleButton need="sender" size="xs" onClick={() => props.onResend(delivery.id)}>
              {t.webhook.resend}
            </RoleButton>
          </Group>
          <DeliveryBody delivery={delivery} />
        </Stack>
      )}
    </Drawer>
  );
}

function deliveryColumns(): Column<Line>[] {
  return [
    {
      id: 'at',
      header: t.common.time,
      cell: row => <Time at={row.createdAt} />,
      sort: row => row.createdAt,
      phone: 'line',
    },
    {
      id: 'event',
      header: t.webhook.event,
      cell: row => (
        <span title={row.event}>
          {eventName(row.event)}
          {row.events > 1 && ` × ${number(row.events)}`}
        </span>
      ),
      phone: 'title',
    },
    {
      id: 'order',
      header: t.balance.order,
      phone: 'line',
      cell: row =>
        row.orderId ? (
          <Link to={paths.order(String(row.orderId))} className="link mono">
            {row.orderId}
          </Link>
        ) : (
          '–'
        ),
    },
    {
      id: 'state',
      header: t.webhook.stateLabel,
      phone: 'state',
      cell: row => (
        <Tone tone={tones[row.state]} icon={icons[row.state]}>
          {t.deliveryStates[row.state]}
        </Tone>
      ),
    },
    {
      id: 'answer',
      header: t.webhook.answer,
      cell: row => (row.answerStatus ? `HTTP ${row.answerStatus}` : row.error ? inOurs(row.error) : '–'),
      phone: 'line',
    },
    {
      id: 'ms',
      header: t.webhook.ms,
      align: 'right',
      cell: row => (row.answerMs === null ? '–' : duration(row.answerMs)),
      sort: row => row.answerMs ?? -1,
      hideable: true,
    },
    {
      id: 'tries',
      header: t.webhook.tries,
      align: 'right',
      cell: row => number(row.attempts),
      sort: row => row.attempts,
      hideable: true,
    },
    { id: 'next', header: t.webhook.next, cell: row => <Time at={row.nextAt} />, hideable: true },
  ];
}

function eventName(event: string): string {
  return Object.hasOwn(t.webhook.events, event) ? t.webhook.events[event as keyof typeof t.webhook.events] : event;
}
