// Documents of an application: the exact list for the kind of applicant, type and size said first and checked before
// the upload (and again by the server). A phone offers its camera.
import { ActionIcon, Button, FileButton, Group, List, NativeSelect, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { documentBytesMax, documentTypes } from '../../../../src/panel-api/contract/facts.ts';
import type { UploadedDocument } from '../../../../src/panel-api/contract/shapes.ts';
import type { NeededDocument } from '../../../../src/panel-api/senders/contract.ts';
import { sentenceOf } from '../../api.ts';
import { fileSize } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { UploadShare } from '../../ui/upload-share.tsx';
import { uploadDocument } from '../../upload.ts';

type Props = {
  needed: NeededDocument[];
  documents: UploadedDocument[];
  onChange: (documents: UploadedDocument[]) => void;
  error?: string;
};

export function DocumentField({ needed, documents, onChange, error }: Props) {
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const isThere = (key: string) => documents.some(one => one.kind === key);
  const kind = chosen ?? needed.find(one => !isThere(one.key))?.key ?? '';
  const add = async (files: File[]) => {
    setFailure(null);
    let list = documents;
    for (const file of files) {
      try {
        const problem = problemOf(file);
        if (problem) throw new Error(problem);
        setSending({ name: file.name, share: 0 });
        list = [...list, await uploadDocument(file, kind, share => setSending({ name: file.name, share }))];
        onChange(list);
      } catch (cause) {
        setFailure(problemOf(file) ?? sentenceOf(cause));
      }
    }
    setSending(null);
    setChosen(null);
  };
  return (
    <Stack gap="sm">
      <Text size="sm" fw="var(--fw-label)">
        {t.senderApply.documents}
      </Text>
      {needed.length > 0 && (
        <List size="sm" aria-label={t.senderApply.needed}>
          {needed.map(document => (
            <List.Item key={document.key} icon={<Mark isThere={isThere(document.key)} />}>
              {inOurs(document)}
              {isThere(document.key) ? ` · ${t.documents.there}` : document.optional ? '' : ` · ${t.documents.missing}`}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="sm" align="flex-end">
        {needed.length > 0 && (
          <NativeSelect
            label={t.documents.which}
            value={kind}
            onChange={event => setChosen(event.currentTarget.value)}
            data={[
              ...needed.map(one => ({ value: one.key, label: inOurs(one) })),
              { value: '', label: t.documents.other },
            ]}
          />
        )}
        <FileButton multiple accept={documentTypes.join(',')} onChange={files => void add(files)}>
          {props => (
            <Button {...props} variant="default" loading={sending !== null} leftSection={<IconUpload size={16} />}>
              {t.senderApply.upload}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t.senderApply.documentsHint}
        </Text>
      </Group>
      {sending && <UploadShare label={sending.name} share={sending.share} />}
      {(failure ?? error) && <Note kind="bad">{failure ?? error}</Note>}
      {documents.map(document => (
        <Group key={document.id} gap="sm">
          <Text size="sm">
            {document.name} ({fileSize(document.size)})
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${t.common.remove}: ${document.name}`}
            onClick={() => onChange(documents.filter(other => other.id !== document.id))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

function Mark({ isThere }: { isThere: boolean }) {
  return (
    <ThemeIcon size={16} radius="xl" variant="light" color={isThere ? 'teal' : 'gray'} aria-hidden>
      {isThere ? <IconCheck size={12} /> : <span>·</span>}
    </ThemeIcon>
  );
}

function problemOf(file: File): string | null {
  if (file.size > documentBytesMax) return t.senderApply.tooLarge(file.name);
  return documentTypes.includes(file.type as (typeof documentTypes)[number])
    ? null
    : t.senderApply.wrongType(file.name);
}
