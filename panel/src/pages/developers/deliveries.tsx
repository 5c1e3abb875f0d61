// What was posted, when, and what came back; one or all failed ones can be sent again.
import { Group, Stack } from '@mantine/core';
import { useEffect } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import type { Column } from '../../ui/table-column.ts';
import { orderLink } from '../../ui/thing-links.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { answerTime } from './attempts.tsx';
import { DeliveryBody } from './delivery-body.tsx';

type Line = OutputOf<'webhook.deliveries'>['deliveries'][number];
const tones = { pending: 'blue', delivered: 'teal', 'given-up': 'red' } as const;
const icons = { pending: 'clock', delivered: 'check', 'given-up': 'cross' } as const;
const refreshMs = 5_000;
const pendingMs = (data: OutputOf<'webhook.delivery'> | undefined) => data?.state === 'pending' && refreshMs;

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];

type Props = {
  webhook: Webhook;
  /** The delivery that is shown beside the list; null where a drawer shows it. */
  shown: string | null;
  onFirst: (id: string | null) => void;
};

/** Of one address. */
export function Deliveries({ webhook, shown, onFirst }: Props) {
  const list = useList('webhook.deliveries', {
    name: 'deliveries',
    label: t.webhook.deliveries,
    rows: data => data.deliveries,
    rowKey: row => row.id,
    columns: deliveryColumns,
    input: { webhookId: webhook.id },
    search: { key: 'siparis', field: 'orderId', as: asNumber, label: t.balance.orderFilter },
    filters: [
      {
        key: 'durum',
        field: 'state',
        label: t.webhook.stateLabel,
        kind: 'select',
        options: optionsOf(t.deliveryStates),
      },
    ],
    pages: 'numbers',
    refetchMs: refreshMs,
    drawer: row => row.id,
    ...(shown !== null && { isCurrent: (row: Line) => row.id === shown }),
    empty: <Empty title={t.webhook.empty} />,
  });
  // One that was tried has an answer to show.
  const lines = list.data?.deliveries;
  const newest = (lines?.find(one => one.attempts > 0) ?? lines?.[0])?.id ?? null;
  useEffect(() => onFirst(newest), [newest, onFirst]);
  const { givenUp } = webhook;
  const resend = useResend();
  const resendFailed = async () => {
    const question = {
      title: t.webhook.resendFailedTitle(number(givenUp)),
      body: t.webhook.resendFailedBody,
      action: t.webhook.resend,
    };
    if ((await ask(question)) === null) return;
    resend.mutate({ webhookId: webhook.id, failedSince: new Date(0).toISOString() });
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
        <List of={list} />
      </Stack>
    </Card>
  );
}

const useResend = () => useChange('webhook.resend', { done: ({ events }) => t.webhook.resent(number(events)) });

export function Delivery({ id }: { id: string }) {
  const read = useRead('webhook.delivery', { id }, { keep: false, refetchMs: pendingMs });
  const delivery = read.data;
  const resend = useResend();
  if (!delivery) return <ReadState of={read} height={200} />;
  return (
    <Stack gap="md">
      <ReadState of={read} />
      <Group justify="space-between">
        <Tone tone={tones[delivery.state]} icon={icons[delivery.state]}>
          {t.deliveryStates[delivery.state]}
        </Tone>
        <RoleButton
          need="sender"
          size="xs"
          variant="default"
          aria-keyshortcuts="r"
          onClick={() => resend.mutate({ id: delivery.id })}
        >
          {t.webhook.resend}
        </RoleButton>
      </Group>
      <DeliveryBody delivery={delivery} />
    </Stack>
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
    { id: 'order', header: t.balance.order, cell: row => orderLink(row.orderId), phone: 'line' },
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
      cell: row => (row.answerMs === null ? '–' : answerTime(row.answerMs)),
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
    { id: 'next', header: t.webhook.next, cell: row => <Next at={row.nextAt} />, hideable: true },
  ];
}

/** A try whose time has come is a moment away, not in the past. */
function Next({ at }: { at: string | null }) {
  return at !== null && Date.parse(at) <= Date.now() ? t.webhook.due : <Time at={at} />;
}

function eventName(event: string): string {
  return Object.hasOwn(t.webhook.events, event) ? t.webhook.events[event as keyof typeof t.webhook.events] : event;
}
