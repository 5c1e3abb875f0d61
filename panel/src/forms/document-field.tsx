// Documents of an application: the exact list for the kind of applicant, type and size said first and checked before
// the upload (and again by the server). A phone offers its camera.
import { ActionIcon, Button, FileButton, Group, List, Stack, Text } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { type Both, documentBytesMax, documentTypes, type UploadedDocument } from '../../../src/panel-api/contract.ts';
import { sentenceOf } from '../api.ts';
import { fileSize } from '../format.ts';
import { inOurs, t } from '../text/language.ts';
import { Note } from '../ui/notes.tsx';
import { UploadShare } from '../ui/upload-share.tsx';
import { uploadDocument } from '../upload.ts';

type Props = {
  needed: Both[];
  documents: UploadedDocument[];
  onChange: (documents: UploadedDocument[]) => void;
  error?: string;
};

export function DocumentField({ needed, documents, onChange, error }: Props) {
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const add = async (files: File[]) => {
    setFailure(null);
    let list = documents;
    for (const file of files) {
      try {
        const problem = problemOf(file);
        if (problem) throw new Error(problem);
        setSending({ name: file.name, share: 0 });
        list = [...list, await uploadDocument(file, share => setSending({ name: file.name, share }))];
        onChange(list);
      } catch (cause) {
        setFailure(problemOf(file) ?? sentenceOf(cause));
      }
    }
    setSending(null);
  };
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t.senderApply.documents}
      </Text>
      {needed.length > 0 && (
        <List size="sm" aria-label={t.senderApply.needed}>
          {needed.map(document => (
            <List.Item key={document.tr}>{inOurs(document)}</List.Item>
          ))}
        </List>
      )}
      <Group gap="sm">
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
        <Group key={document.id} gap="xs">
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

function problemOf(file: File): string | null {
  if (file.size > documentBytesMax) return t.senderApply.tooLarge(file.name);
  return documentTypes.includes(file.type as (typeof documentTypes)[number])
    ? null
    : t.senderApply.wrongType(file.name);
}
