// Sender IDs of the account: state, since when, what comes next.
import '../../pages.css';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { SenderState } from '../../../../src/panel-api/senders/contract.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { DocumentLinks } from '../../ui/document-links.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
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

/** As it looks on a phone, then where its application stands. */
function SenderCard({ sender }: { sender: Sender }) {
  return (
    <section className="panel-card" aria-label={sender.name}>
      <div className="sender-look">
        <b>{sender.name}</b>
        <span className="bubble">{t.senderApply.previewText}</span>
      </div>
      <div className="sender-facts">
        <div className="with-copy">
          <SenderStateBadge state={sender.state} />
          <span className="soft nowrap">
            &nbsp;· <Time at={sender.decidedAt ?? sender.createdAt} />
          </span>
        </div>
        {sender.state === 'rejected' && sender.reason && <h2>{sender.reason}</h2>}
        {sender.state === 'applied' && <span className="second">{t.senders.wait}</span>}
        {sender.state === 'approved' && (
          <span className="second">
            {t.senders.lastUsed}: <Time at={sender.lastUsedAt} />
          </span>
        )}
        {sender.reason && sender.state !== 'rejected' && <Note>{sender.reason}</Note>}
        <DocumentLinks documents={sender.documents} />
        {sender.waiting && lacks(sender.waiting) && <AddDocumentsForm application={sender.waiting} />}
        {sender.state === 'rejected' && (
          <div>
            <LinkButton to={paths.senderApply()} search={{ baslik: sender.name }} size="xs" variant="default">
              {t.senders.reapply}
            </LinkButton>
          </div>
        )}
      </div>
    </section>
  );
}

const lacks = ({ missing, asked }: NonNullable<Sender['waiting']>) =>
  missing.length > 0 || (asked !== null && asked.answeredAt === null);
