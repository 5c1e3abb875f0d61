// Everything about one telephone number on one page: the answer to "why did this person not get it?".
import { Button, DataList, Group, SimpleGrid, Stack, Text, Timeline } from '@mantine/core';
import {
  IconBan,
  IconCircleCheck,
  IconFileCheck,
  IconInbox,
  IconMessage,
  IconSend,
  IconUserCheck,
} from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { NumberEvent } from '../../../../src/panel-api/orders/contract.ts';
import { date, number as figure, phone } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Fact } from '../../ui/fact.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { cursorKey, openKey, useSearchState } from '../../ui/search-state.ts';
import { MessageStateBadge } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useBlacklistRemove } from '../blacklist/blacklist.tsx';

type View = OutputOf<'number.read'>;

export default function NumberPage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  const [search] = useSearchState();
  const read = useRead('number.read', { number, cursor: search[cursorKey] }, { keep: false });
  const title = phone(number);
  if (!read.data) {
    return (
      <Page title={title}>
        <ReadState of={read} />
      </Page>
    );
  }
  return (
    <Page
      title={title}
      tabTitle={title}
      badge={<CopyButton value={number} label={t.copy.number} />}
      actions={<Actions view={read.data} digits={number} />}
    >
      <ReadState of={read} />
      <Facts view={read.data} />
      <Card title={t.number.timeline}>
        {read.data.events.length === 0 ? (
          <Empty
            title={t.number.none}
            action={
              <Button component={Link} to={paths.apiLog()} variant="default">
                {t.nav.apiLog}
              </Button>
            }
          >
            {t.number.noneBody}
          </Empty>
        ) : (
          <Timeline bulletSize={22} lineWidth={2}>
            {read.data.events.map(event => (
              <EventItem key={`${event.kind}${event.at}${'messageId' in event ? event.messageId : ''}`} event={event} />
            ))}
          </Timeline>
        )}
        <Pager next={read.data.next} />
      </Card>
    </Page>
  );
}

function Actions({ view, digits }: { view: View; digits: string }) {
  const block = useChange('blacklist.add', { done: t.number.blocked });
  const { remove, isPending } = useBlacklistRemove();
  return (
    <>
      {view.blacklist ? (
        <RoleButton
          need="sender"
          variant="default"
          leftSection={<IconCircleCheck size={16} />}
          loading={isPending}
          onClick={() => void remove([view.number])}
        >
          {t.number.unblock}
        </RoleButton>
      ) : (
        <RoleButton
          need="sender"
          variant="default"
          leftSection={<IconBan size={16} />}
          loading={block.isPending}
          onClick={() => block.mutate({ numbers: [view.number] })}
        >
          {t.number.block}
        </RoleButton>
      )}
      <LinkButton
        to={paths.consents()}
        search={{ sorgu: digits }}
        variant="default"
        leftSection={<IconFileCheck size={16} />}
      >
        {t.number.checkConsent}
      </LinkButton>
      <LinkButton to={paths.send()} search={{ numara: digits }} leftSection={<IconSend size={16} />}>
        {t.number.send}
      </LinkButton>
    </>
  );
}

const sourceName = (source: string): string => t.blacklistSources[source as keyof typeof t.blacklistSources] ?? source;

function Facts({ view }: { view: View }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card>
        <DataList>
          <Fact label={t.number.operator}>{t.operators[view.operator]}</Fact>
          <Fact label={t.nav.blacklist}>
            {view.blacklist ? (
              <b>
                {t.number.isBlocked(sourceName(view.blacklist.source), date(view.blacklist.since))}
                {view.blacklist.note && ` · ${view.blacklist.note}`}
              </b>
            ) : (
              t.number.notBlocked
            )}
          </Fact>
        </DataList>
      </Card>
      <Card>
        {view.consents.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t.number.noConsents}
          </Text>
        ) : (
          <DataList>
            {view.consents.map(consent => (
              <Fact
                key={`${consent.brand}${consent.type}${consent.recipientType}`}
                label={
                  <>
                    {consent.brand} · {consent.type} · {consent.recipientType}
                  </>
                }
              >
                <b>{t.consentStatuses[consent.status]}</b> · {consent.source} · {date(consent.consentDate)}
              </Fact>
            ))}
          </DataList>
        )}
      </Card>
    </SimpleGrid>
  );
}

const eventIcons = { message: IconMessage, inbound: IconInbox, blacklisted: IconBan, consent: IconUserCheck };

function EventItem({ event }: { event: NumberEvent }) {
  const Icon = eventIcons[event.kind];
  return (
    <Timeline.Item bullet={<Icon size={13} />} title={<EventTitle event={event} />}>
      <Text size="sm" c="dimmed" component="div">
        <Time at={event.at} exact />
      </Text>
      <EventBody event={event} />
    </Timeline.Item>
  );
}

function EventTitle({ event }: { event: NumberEvent }) {
  if (event.kind === 'inbound') return <>{t.number.inbound(event.to)}</>;
  if (event.kind === 'blacklisted') return <>{t.number.blacklistedEvent(sourceName(event.source))}</>;
  if (event.kind === 'consent')
    return <>{t.number.consentEvent(t.consentStatuses[event.record.status], event.record.type, event.record.source)}</>;
  return (
    <Group gap="sm">
      <MessageStateBadge state={event.state} />
      <span>{event.sender}</span>
      <Text span size="sm" fw="var(--fw-text)">
        {t.common.credits(figure(event.state === 'delivered' || !event.finalAt ? event.credits : 0))}
      </Text>
    </Group>
  );
}

function EventBody({ event }: { event: NumberEvent }) {
  if (event.kind === 'inbound') return <Text size="sm">{event.text}</Text>;
  if (event.kind === 'blacklisted') return event.note ? <Text size="sm">{event.note}</Text> : null;
  if (event.kind === 'consent')
    return event.record.reason ? <Text size="sm">{inOurs(event.record.reason)}</Text> : null;
  return (
    <Stack gap={2}>
      {event.reason && (
        <Text size="sm" fw="var(--fw-strong)">
          {inOurs(event.reason)} {inOurs(event.reason.advice)}
        </Text>
      )}
      <Text size="sm" className="clip">
        {event.textStart}
      </Text>
      <Link to={paths.order(String(event.orderId))} search={{ [openKey]: String(event.messageId) }} className="link">
        {t.order.name(String(event.orderId))}
      </Link>
    </Stack>
  );
}
