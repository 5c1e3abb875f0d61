// Uploaded documents as downloads; the server gives them only to their account and to staff.
import { Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { UploadedDocument } from '../../../src/panel-api/contract.ts';
import { fileSize } from '../format.ts';

export function DocumentLinks({ documents }: { documents: UploadedDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {documents.map(document => (
        <li key={document.id}>
          <Text size="sm" component="div">
            <IconPaperclip size={14} aria-hidden />{' '}
            <a className="link" href={`/panel/api/document/${document.id}`} download>
              {document.name}
            </a>{' '}
            ({fileSize(document.size)})
          </Text>
        </li>
      ))}
    </ul>
  );
}
