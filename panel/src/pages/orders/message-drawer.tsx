// One message, opened by its id in the address: what became of it and why, what to do, its five stations with their times, the
// text, and technical details folded. j and k go to its neighbours in the list with the drawer open.
import { Accordion, ActionIcon, Button, DataList, Drawer, Group, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowRight, IconChevronDown, IconChevronUp, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { date, duration, number, phone, phoneDigits, timeOfDay } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { announce } from '../../ui/announce.tsx';
import { CopyButton, useCopied } from '../../ui/copy.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { openKey, useSearchState } from '../../ui/search-state.ts';
import { shortcutsOn } from '../../ui/shortcut-rules.ts';
import { messageLooks } from '../../ui/states.tsx';
import { type StationLook, StationMark } from '../../ui/station-mark.tsx';
import { Time } from '../../ui/time.tsx';

type Message = OutputOf<'orders.message'>;
const busyMs = 2_000;
const isOpen = (state: Message['state']): boolean => state === 'queued' || state === 'with-carrier';

type Props = {
  orderId: number;
  /** The messages of the list as it stands, for stepping through them. */
  neighbours: number[];
};

export function MessageDrawer({ orderId, neighbours }: Props) {
  const [search, change] = useSearchState();
  const messageId = Number(search[openKey] ?? 0);
  const read = useRead(
    'orders.message',
    { orderId, messageId },
    { enabled: messageId > 0, keep: false, refetchMs: data => (data && isOpen(data.state) ? busyMs : false) },
  );
  const at = neighbours.indexOf(messageId);
  const before = at > 0 ? neighbours[at - 1] : undefined;
  const after = at >= 0 ? neighbours[at + 1] : undefined;
  const go = (id: number | undefined) => id !== undefined && change({ [openKey]: String(id) });
  useWindowEvent('keydown', event => {
    if (messageId === 0 || !shortcutsOn() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === 'j') go(after);
    if (event.key === 'k') go(before);
  });
  const shown = read.data && phone(read.data.number);
  const state = read.data?.state;
  useEffect(() => {
    if (shown && state) announce(`${shown}, ${t.messageStates[state]}`);
  }, [shown, state]);
  return (
    <Drawer.Root opened={messageId > 0} onClose={() => change({ [openKey]: null })}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title className="drawer-number">{shown ?? t.message.title}</Drawer.Title>
          <Group gap={4} wrap="nowrap">
            {read.data && <CopyButton value={phoneDigits(read.data.number)} />}
            <ActionIcon aria-label={t.message.before} disabled={before === undefined} onClick={() => go(before)}>
              <IconChevronUp size={16} stroke={1.7} />
            </ActionIcon>
            <ActionIcon aria-label={t.message.next} disabled={after === undefined} onClick={() => go(after)}>
              <IconChevronDown size={16} stroke={1.7} />
            </ActionIcon>
            <Drawer.CloseButton aria-label={t.common.close} />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          <ReadState of={read} height={320} />
          {read.data && <MessageBody message={read.data} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function MessageBody({ message }: { message: Message }) {
  const [copied, copy] = useCopied();
  const { reason, technical } = message;
  const spent = message.state === 'delivered' || isOpen(message.state) ? message.credits : 0;
  const back = message.state === 'undelivered' && message.credits > 0;
  return (
    <Stack gap="lg">
      <div className="drawer-answer">
        <Glyph name={messageLooks[message.state].glyph} />
        <div>
          <h2>{reason ? inOurs(reason) : t.messageStates[message.state]}</h2>
          <p>
            {reason && `${inOurs(reason.advice)} `}
            {back ? t.message.givenBack(number(message.credits)) : t.common.credits(number(spent))}
          </p>
        </div>
      </div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconLink size={16} stroke={1.7} aria-hidden />}
          onClick={() => copy(window.location.href)}
        >
          {copied ? t.copy.done : t.copy.link}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          px={4}
          component={Link}
          to={paths.number(phoneDigits(message.number))}
          rightSection={<IconArrowRight size={16} stroke={1.7} aria-hidden />}
        >
          {t.message.openNumber}
        </Button>
      </Group>
      <Stages message={message} />
      <section aria-label={t.message.text}>
        <div className="bubble quiet-bubble">{message.text}</div>
        <p className="bubble-facts">
          {t.encodings[message.encoding]} · {t.order.parts(message.parts)} · {t.common.credits(number(message.credits))}
        </p>
      </section>
      <Accordion chevronPosition="left" variant="default" className="technical">
        <Accordion.Item value="technical">
          <Accordion.Control>
            {t.message.technical}
            <span className="mono soft" aria-hidden>
              {' '}
              {[message.status, technical.carrier].filter(Boolean).join(' · ')}
            </span>
          </Accordion.Control>
          <Accordion.Panel>
            <Technical message={message} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

type Stage = Message['stages'][number];

function Stages({ message }: { message: Message }) {
  const isOver = !isOpen(message.state);
  const reached = message.stages.findLastIndex(stage => stage.isDone);
  const look = (stage: Stage, at: number): StationLook => {
    if (stage.isStopped) return message.state === 'filtered' ? 'open' : 'failed';
    if (stage.isDone) return at === reached && message.state === 'undelivered' ? 'failed' : 'holds';
    return !isOver && at === reached + 1 ? 'moving' : 'open';
  };
  return (
    <ol className="rail stages" aria-label={t.message.stages}>
      {message.stages.map((stage, at) => (
        <li
          key={stage.key}
          className={`rail-step ${stage.isDone && message.stages[at + 1]?.isDone ? 'station-holds' : ''}`}
          data-stage={stage.key}
          data-done={stage.isDone}
        >
          <StationMark state={look(stage, at)} />
          <div className="stage-head">
            <b className={look(stage, at) === 'failed' ? 'bad' : undefined}>{stageName(message, stage, at)}</b>
            <Stamp at={stage.at} before={message.stages.slice(0, at).findLast(one => one.at)?.at} />
          </div>
          <div className="soft">
            {stage.isStopped && t.message.stopped}
            {!stage.at && stageWord(stage, isOver)}
            {gapBefore(message, at)}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The last stage is named by how it ended. A carrier that never took the message gave no report: it refused. */
function stageName(message: Message, stage: Stage, at: number): string {
  if (stage.key !== 'reported' || !stage.isDone) return t.message[stage.key];
  if (message.state === 'delivered') return t.message.reached;
  return message.stages[at - 1]?.isDone ? t.message.reported : t.message.refused;
}

/** The day stands where it begins. */
function Stamp({ at, before }: { at: string | null; before: string | null | undefined }) {
  if (!at) return null;
  if (!before || date(at) !== date(before)) return <Time at={at} exact />;
  return (
    <time dateTime={at} className="nowrap">
      {timeOfDay(at)}
    </time>
  );
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
  return gapMs > 0 ? `${message.stages[at]?.isStopped ? ' · ' : ''}${t.message.after(duration(gapMs))}` : '';
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
