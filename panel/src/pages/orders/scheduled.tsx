// What is planned: a month at a glance, the orders of it or of one day, each with another time or a cancellation.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { date, dateMinute, number, toTurkeyTime, turkeyMoment } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { CancelOrder } from './cancel-order.tsx';
import { Month } from './month.tsx';

const DateTimeField = lazy(() => import('../../ui/date-time-field.tsx'));
const refreshMs = 10_000;

type Order = OutputOf<'orders.scheduled'>['rows'][number];
const dayOf = (order: Order): string => toTurkeyTime(new Date(order.sendAt)).slice(0, 10);

export default function ScheduledPage() {
  const [search, change] = useSearchState();
  const read = useRead('orders.scheduled', {}, { refetchMs: refreshMs });
  const rows = read.data?.rows ?? [];
  const day = search['gun'] ?? null;
  const shown = day ? rows.filter(order => dayOf(order) === day) : rows;
  return (
    <Page
      title={t.scheduled.title}
      lead={read.data && rows.length > 0 ? t.scheduled.lead(number(read.data.total)) : undefined}
    >
      <ReadState of={read} />
      {read.data && rows.length === 0 && (
        <Empty
          title={t.scheduled.empty}
          action={
            <Button component={Link} to={paths.send()}>
              {t.nav.send}
            </Button>
          }
        >
          {t.scheduled.emptyBody}
        </Empty>
      )}
      {rows.length > 0 && (
        <Stack gap="md">
          <Card title={t.scheduled.calendar}>
            <Month days={totalsOf(rows)} chosen={day} onChoose={chosen => change({ gun: chosen })} />
          </Card>
          <Card
            title={day ? t.scheduled.onDay(date(turkeyMoment(day))) : t.scheduled.list}
            actions={
              day && (
                <Button size="xs" variant="default" onClick={() => change({ gun: null })}>
                  {t.scheduled.allDays}
                </Button>
              )
            }
            hint={read.data && read.data.total > rows.length ? t.scheduled.shown(number(rows.length)) : undefined}
          >
            <Stack gap="md" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
              {shown.map(order => (
                <Planned key={order.id} order={order} />
              ))}
            </Stack>
          </Card>
        </Stack>
      )}
    </Page>
  );
}

function totalsOf(rows: Order[]): Map<string, { orders: number; people: number }> {
  const days = new Map<string, { orders: number; people: number }>();
  for (const order of rows) {
    const known = days.get(dayOf(order)) ?? { orders: 0, people: 0 };
    days.set(dayOf(order), { orders: known.orders + 1, people: known.people + order.total });
  }
  return days;
}

function Planned({ order }: { order: Order }) {
  const [changing, setChanging] = useState(false);
  return (
    <Group component="li" justify="space-between" wrap="wrap" gap="sm">
      <div style={{ minWidth: 0, flex: '1 1 240px' }}>
        <Text size="sm" fw="var(--fw-strong)">
          {dateMinute(order.sendAt)} ·{' '}
          <Link to={paths.order(String(order.id))} className="link mono">
            {order.id}
          </Link>
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {order.sender} · {number(order.total)} {t.scheduled.people.toLocaleLowerCase('tr')} · {order.textStart}
        </Text>
      </div>
      <Group gap="sm">
        <RoleButton need="sender" size="xs" variant="default" onClick={() => setChanging(true)}>
          {t.scheduled.change}
        </RoleButton>
        <CancelOrder order={order} />
      </Group>
      {changing && <NewTime order={order} onClose={() => setChanging(false)} />}
    </Group>
  );
}

function NewTime({ order, onClose }: { order: Order; onClose: () => void }) {
  const [sendAt, setSendAt] = useState<string | null>(toTurkeyTime(new Date(order.sendAt)));
  const move = useChange('orders.reschedule', { done: t.scheduled.changed, onDone: onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.scheduled.changeTitle(String(order.id))}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack gap="md">
        <Suspense fallback={null}>
          <DateTimeField label={t.send.at} value={sendAt} onChange={setSendAt} />
        </Suspense>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <RoleButton
            need="sender"
            loading={move.isPending}
            reason={sendAt ? null : t.send.needTime}
            onClick={() => sendAt && move.mutate({ id: order.id, sendAt: sendAt.slice(0, 16) })}
          >
            {t.scheduled.change}
          </RoleButton>
        </Group>
      </Stack>
    </Modal>
  );
}
