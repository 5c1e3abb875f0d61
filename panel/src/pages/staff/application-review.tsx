// One application: its documents beside its form, look-alikes of other accounts, approve or reject with a reason that
// the customer reads.
import { Button, DataList, Drawer, Group, Modal, NativeSelect, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { DocumentLinks, documentWords } from '../../ui/document-links.tsx';
import { Note } from '../../ui/notes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';
import { SenderStateBadge } from '../senders/senders.tsx';
import { ApplicationDocuments } from './application-documents.tsx';
import { ApplicationIdentity } from './application-identity.tsx';
import { DocumentView } from './document-view.tsx';

type View = OutputOf<'staff.application'>;
/** `id`: null while none is open; the drawer stays, so that closing it gives the focus back. */
type Props = { id: number | null; onClose: () => void; onDecided: (id: number) => void };

export function ApplicationReview({ id, onClose, onDecided }: Props) {
  const read = useRead('staff.application', { id: id ?? 0 }, { keep: false, enabled: id !== null });
  const application = read.data;
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      size="max(90%, min(100%, 48em))"
      title={inOurs({ tr: `Başvuru ${id ?? '…'}`, en: `Application ${id ?? '…'}` })}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <ReadState of={read} />
      {id !== null && application && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Stack gap="sm">
            {application.documents.length === 0 ? (
              <Note kind="warn">{t.applications.noDocument}</Note>
            ) : (
              <DocumentView documents={application.documents} />
            )}
            <DocumentLinks documents={application.documents} />
            <ApplicationDocuments application={application} />
          </Stack>
          <Form application={application} onDecided={onDecided} />
        </SimpleGrid>
      )}
    </Drawer>
  );
}

function Form({ application, onDecided }: { application: View; onDecided: (id: number) => void }) {
  const [rejecting, setRejecting] = useState(false);
  const decide = useChange('staff.decide', {
    done: decided => (decided.state === 'approved' ? t.applications.approved : t.applications.rejected),
    onDone: decided => {
      setRejecting(false);
      onDecided(decided.id);
    },
  });
  const waiting = application.state === 'applied';
  const approve = async () => {
    const question = {
      title: t.applications.approveTitle(nameOf(application), application.accountName),
      body: <ApprovalBody application={application} />,
      action: t.applications.approve,
    };
    if ((await ask(question)) !== null) decide.mutate({ id: application.id, decision: 'approve' });
  };
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text fw="var(--fw-strong)" size="lg">
          {nameOf(application)} · {application.accountName}
        </Text>
        <SenderStateBadge state={application.state} />
      </Group>
      {application.kind === 'sender' && !application.hasSubscription && (
        <Note kind="warn">{t.applications.noSubscription}</Note>
      )}
      <DataList labelWidth={150}>
        {Object.entries(application.form).map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{formLabel(label)}</DataList.ItemLabel>
            <DataList.ItemValue>{formValue(label, value)}</DataList.ItemValue>
          </DataList.Item>
        ))}
        <DataList.Item>
          <DataList.ItemLabel>{t.applications.applicant}</DataList.ItemLabel>
          <DataList.ItemValue>
            {application.applicant ?? '–'} · <Time at={application.createdAt} exact />
          </DataList.ItemValue>
        </DataList.Item>
      </DataList>
      {application.kind === 'sender' && (
        <div>
          <Text size="sm" fw="var(--fw-strong)">
            {t.applications.similar}
          </Text>
          <Text size="sm">
            {application.similar.map(one => `${one.name} (${one.accountName})`).join(', ') || t.applications.noSimilar}
          </Text>
        </div>
      )}
      {application.kind === 'subscription' && <ApplicationIdentity application={application} />}
      {application.reason && <Note>{application.reason}</Note>}
      {application.decidedBy && <Text size="sm">{t.applications.decidedBy(application.decidedBy)}</Text>}
      {waiting && (
        <Group>
          <Button loading={decide.isPending} onClick={() => void approve()}>
            {t.applications.approve}
          </Button>
          <Button variant="default" onClick={() => setRejecting(true)}>
            {t.applications.reject}
          </Button>
        </Group>
      )}
      <RejectDialog
        opened={rejecting}
        reasons={application.rejectionReasons.map(inOurs)}
        busy={decide.isPending}
        onClose={() => setRejecting(false)}
        onReject={reason => decide.mutate({ id: application.id, decision: 'reject', reason })}
      />
    </Stack>
  );
}

const nameOf = (application: View): string => application.senderName ?? t.applications.subscription;

/** What the approval allows, which documents it rests on, and which are not there. */
function ApprovalBody({ application }: { application: View }) {
  const { documents, missing, kind } = application;
  const kinds = documents.map(one => documentWords(one) ?? t.documents.other);
  return (
    <Stack gap="sm">
      <span>{kind === 'sender' ? t.applications.approveSender : t.applications.approveSubscription}</span>
      {kinds.length > 0 && <span>{t.applications.approveDocuments(kinds.join(', '))}</span>}
      {missing.length > 0 && <Note kind="warn">{t.documents.lacking(missing.map(inOurs).join(', '))}</Note>}
    </Stack>
  );
}

function RejectDialog(props: {
  opened: boolean;
  reasons: string[];
  busy: boolean;
  onClose: () => void;
  onReject: (reason: string) => void;
}) {
  const [reason, setReason] = useState('');
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t.applications.rejectTitle}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Stack gap="sm">
        <NativeSelect
          label={t.applications.chooseReason}
          data={['', ...props.reasons]}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <Textarea
          label={t.applications.rejectReason}
          autosize
          minRows={3}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {t.common.cancel}
          </Button>
          <Button
            color="red"
            loading={props.busy}
            disabled={reason.trim() === ''}
            onClick={() => props.onReject(reason.trim())}
          >
            {t.applications.reject}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function formLabel(key: string): string {
  const labels: Record<string, string> = {
    ...t.subscription,
    title: t.subscription.legalTitle,
    applicantKind: t.senderApply.kind,
    note: t.senderApply.note,
  };
  return labels[key] ?? key;
}

function formValue(key: string, value: string): string {
  if (key === 'applicantKind') return t.applicantKinds[value as keyof typeof t.applicantKinds] ?? value;
  return value || '–';
}
