// Links to uploaded documents. The server sends them to owners of the account and to staff; others see their names.
import { Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { UploadedDocument } from '../../../src/panel-api/contract/shapes.ts';
import { documentName } from '../../../src/panel-api/senders/documents-needed.ts';
import { fileSize } from '../format.ts';
import { useMay, useMe } from '../session.tsx';
import { inOurs } from '../text/language.ts';

/** Which of the required documents it is; null if the applicant did not choose. */
export function documentWords({ kind }: UploadedDocument): string | null {
  const name = documentName(kind);
  return name && inOurs(name);
}

export function DocumentLinks({ documents }: { documents: UploadedDocument[] }) {
  const isOwner = useMay('owner');
  const mayOpen = useMe().user.staff || isOwner;
  if (documents.length === 0) return null;
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {documents.map(document => (
        <li key={document.id}>
          <Text size="sm" component="div">
            <IconPaperclip size={14} aria-hidden /> {documentWords(document) && `${documentWords(document)}: `}
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
