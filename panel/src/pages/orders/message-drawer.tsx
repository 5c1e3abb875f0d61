// One message, opened by its id in the address: what happened when, why, what to do, what it cost; raw matter folded.
import { Accordion, Button, DataList, Drawer, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { duration, number, phoneDigits } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { CopyButton, useCopied } from '../../ui/copy.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { openKey, useSearchState } from '../../ui/search-state.ts';
import { MessageStateBadge } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Message = OutputOf<'orders.message'>;
const busyMs = 2_000;

export function MessageDrawer({ orderId }: { orderId: number }) {
  const [search, change] = useSearchState();
  const messageId = Number(search[openKey] ?? 0);
  const pace = (data?: Message) =>
    data && (data.state === 'queued' || data.state === 'with-carrier') ? busyMs : false;
  const read = useRead(
    'orders.message',
    { orderId, messageId },
    { enabled: messageId > 0, keep: false, refetchMs: pace },
  );
  return (
    <Drawer
      opened={messageId > 0}
      onClose={() => change({ [openKey]: null })}
      title={t.message.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {read.error ? <LoadError error={read.error} retry={() => void read.refetch()} /> : null}
      {read.data ? <MessageBody message={read.data} /> : <Skeleton height={240} />}
    </Drawer>
  );
}

export function MessageBody({ message }: { message: Message }) {
  const [copied, copy] = useCopied();
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <PhoneNumber value={message.number} />
        <MessageStateBadge state={message.state} />
      </Group>
      {message.reason && (
        <Note kind={message.reason.filtered ? 'info' : 'bad'} title={inOurs(message.reason)}>
          {inOurs(message.reason.advice)}{' '}
          {t.common.credits(number(message.state === 'delivered' ? message.credits : 0))}
        </Note>
      )}
      <Stages message={message} />
      <section aria-label={t.message.text}>
        <div className="bubble">{message.text}</div>
        <Text size="sm" c="dimmed" mt={4}>
          {t.encodings[message.encoding]} · {t.order.parts(message.parts)} · {t.common.credits(number(message.credits))}
        </Text>
      </section>
      <Accordion variant="contained">
        <Accordion.Item value="technical">
          <Accordion.Control>{t.message.technical}</Accordion.Control>
          <Accordion.Panel>
            <Technical message={message} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <Group>
        <Button variant="default" onClick={() => copy(window.location.href)}>
          {copied ? t.copy.done : t.copy.link}
        </Button>
        <Button variant="default" component={Link} to={paths.number(phoneDigits(message.number))}>
          {t.message.openNumber}
        </Button>
      </Group>
    </Stack>
  );
}

type Stage = Message['stages'][number];

function Stages({ message }: { message: Message }) {
  const isOver = message.state !== 'queued' && message.state !== 'with-carrier';
  const reached = message.stages.findLastIndex(stage => stage.isDone || stage.isStopped);
  return (
    <Timeline active={reached} bulletSize={20} lineWidth={2} aria-label={t.message.stages}>
      {message.stages.map((stage, at) => (
        <Timeline.Item
          key={stage.key}
          title={t.message[stage.key]}
          bullet={<StageMark stage={stage} />}
          color={stage.isStopped ? 'red' : undefined}
          data-stage={stage.key}
          data-done={stage.isDone}
        >
          <Text size="sm" c="dimmed" component="div">
            {stage.isStopped && `${t.message.stopped} · `}
            {stage.at ? <Time at={stage.at} exact /> : stageWord(stage, isOver)}
            {gapBefore(message, at)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function StageMark({ stage }: { stage: Stage }) {
  if (stage.isStopped) return <IconX size={12} />;
  return stage.isDone ? <IconCheck size={12} /> : null;
}

function stageWord(stage: Stage, isOver: boolean): string {
  if (stage.isDone || stage.isStopped) return '';
  return isOver ? t.message.never : t.message.notYet;
}

function gapBefore(message: Message, at: number): string {
  const here = message.stages[at]?.at;
  const before = message.stages.slice(0, at).findLast(stage => stage.at)?.at;
  if (!here || !before) return '';
  const gapMs = new Date(here).getTime() - new Date(before).getTime();
  return gapMs > 0 ? ` · ${t.message.after(duration(gapMs))}` : '';
}

function Technical({ message }: { message: Message }) {
  const { technical } = message;
  const rows: [string, string][] = [
    [t.message.status, String(message.status)],
    [t.message.messageId, String(message.messageId)],
    [t.orders.id, String(message.orderId)],
    [t.message.carrier, technical.carrier ?? '–'],
    [t.message.carrierIds, technical.carrierIds.join(', ') || '–'],
  ];
  if (technical.smppIds.length > 0) rows.push([t.message.smppIds, technical.smppIds.join(', ')]);
  return (
    <DataList>
      {rows.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>
            <span className="mono">{value}</span>
            {value !== '–' && <CopyButton value={value} />}
          </DataList.ItemValue>
        </DataList.Item>
      ))}
      <DataList.Item>
        <DataList.ItemLabel>{t.message.partsGiven(technical.partsHandedOver, message.parts)}</DataList.ItemLabel>
      </DataList.Item>
    </DataList>
  );
}
