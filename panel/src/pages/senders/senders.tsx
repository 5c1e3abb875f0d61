// Sender IDs of the account: state, since when, what comes next.
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { SenderState } from '../../../../src/panel-api/senders/contract.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { DocumentLinks } from '../../ui/document-links.tsx';
import { List } from '../../ui/list.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { AddDocumentsForm } from './add-documents.tsx';

type Sender = OutputOf<'senders.list'>['senders'][number];

export const senderTones = { applied: 'blue', approved: 'teal', rejected: 'red' } as const;
export const senderIcons = { applied: 'clock', approved: 'check', rejected: 'cross' } as const;

export function SenderStateBadge({ state }: { state: SenderState }) {
  return (
    <Tone tone={senderTones[state]} icon={senderIcons[state]}>
      {t.senderStates[state]}
    </Tone>
  );
}

export default function SendersPage() {
  const mayOwn = useMay('owner');
  const icon = <IconPlus size={16} />;
  const apply = mayOwn ? (
    <Button component={Link} to={paths.senderApply()} leftSection={icon}>
      {t.senders.apply}
    </Button>
  ) : (
    <RoleButton need="owner" leftSection={icon}>
      {t.senders.apply}
    </RoleButton>
  );
  const list = useList('senders.list', {
    name: 'senders',
    label: t.senders.title,
    rows: answer => answer.senders,
    rowKey: sender => sender.name,
    card: sender => <SenderCard sender={sender} />,
    empty: (
      <Empty title={t.senders.empty} action={apply}>
        {t.senders.emptyBody}
      </Empty>
    ),
  });
  const { data } = list;
  return (
    <Page title={t.senders.title} actions={apply}>
      {data?.testSender && <Note>{t.senders.test(data.testSender)}</Note>}
      {data && !data.hasSubscription && (
        <Note
          kind="warn"
          action={
            <Button component={Link} to={paths.subscription()} size="xs" variant="default">
              {t.senders.subscription}
            </Button>
          }
        >
          {t.senders.subscriptionFirst}
        </Note>
      )}
      <List of={list} />
    </Page>
  );
}

function SenderCard({ sender }: { sender: Sender }) {
  return (
    <Card title={<span className="mono">{sender.name}</span>} badge={<SenderStateBadge state={sender.state} />}>
      <Stack gap={6}>
        <Line label={t.senders.since}>
          <Time at={sender.createdAt} />
        </Line>
        {sender.decidedAt && (
          <Line label={t.senders.decided}>
            <Time at={sender.decidedAt} />
          </Line>
        )}
        <Line label={t.senders.lastUsed}>
          <Time at={sender.lastUsedAt} />
        </Line>
        {sender.state === 'applied' && (
          <Text size="sm" c="dimmed">
            {t.senders.wait}
          </Text>
        )}
        {sender.reason && <Note kind={sender.state === 'rejected' ? 'bad' : 'info'}>{sender.reason}</Note>}
        <DocumentLinks documents={sender.documents} />
        {sender.waiting && lacks(sender.waiting) && <AddDocumentsForm application={sender.waiting} />}
        {sender.state === 'rejected' && (
          <Button
            component={Link}
            to={paths.senderApply()}
            search={{ baslik: sender.name } as never}
            size="xs"
            variant="default"
          >
            {t.senders.reapply}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

const lacks = ({ missing, asked }: NonNullable<Sender['waiting']>) =>
  missing.length > 0 || (asked !== null && asked.answeredAt === null);

function Line(props: { label: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text size="sm" component="div">
        {props.children}
      </Text>
    </Group>
  );
}
