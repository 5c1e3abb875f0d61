// Uploaded documents as downloads; the server gives them only to owners of their account and to staff, everybody else
// sees their names.
import { Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { UploadedDocument } from '../../../src/panel-api/shapes.ts';
import { fileSize } from '../format.ts';
import { useMay, useMe } from '../session.tsx';

export function DocumentLinks({ documents }: { documents: UploadedDocument[] }) {
  const isOwner = useMay('owner');
  const mayOpen = useMe().user.staff || isOwner;
  if (documents.length === 0) return null;
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {documents.map(document => (
        <li key={document.id}>
          <Text size="sm" component="div">
            <IconPaperclip size={14} aria-hidden />{' '}
            {mayOpen ? (
              <a className="link" href={`/panel/api/document/${document.id}`} download>
                {document.name}
              </a>
            ) : (
              document.name
            )}{' '}
            ({fileSize(document.size)})
          </Text>
        </li>
      ))}
    </ul>
  );
}
