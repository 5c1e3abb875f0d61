// Missing documents of an application, what staff asked for, and a form to add them while the application is pending.
import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { UploadedDocument } from '../../../../src/panel-api/contract/shapes.ts';
import type { Application } from '../../../../src/panel-api/senders/contract.ts';
import { useChange } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { DocumentField } from './document-field.tsx';

export function AddDocuments({ application }: { application: Application }) {
  return (
    <Card title={t.documents.addTitle}>
      <AddDocumentsForm application={application} />
    </Card>
  );
}

export function AddDocumentsForm({ application }: { application: Application }) {
  const [documents, setDocuments] = useState<UploadedDocument[]>([]);
  const add = useChange('applications.addDocuments', { done: t.documents.added, onDone: () => setDocuments([]) });
  const { asked, missing, id } = application;
  return (
    <Stack gap="md">
      {asked && !asked.answeredAt && (
        <Note kind="warn" title={t.documents.asked}>
          {asked.note}
        </Note>
      )}
      {missing.length > 0 && <Note>{t.documents.lacking(missing.map(inOurs).join(', '))}</Note>}
      <DocumentField needed={missing} documents={documents} onChange={setDocuments} />
      <Group>
        <RoleButton
          need="owner"
          loading={add.isPending}
          disabled={documents.length === 0}
          onClick={() => add.mutate({ id, documents: documents.map(one => one.id) })}
        >
          {t.documents.add}
        </RoleButton>
      </Group>
    </Stack>
  );
}
