// A look at an uploaded document. The server gives documents as attachments only, so the bytes are fetched and shown
// from memory: a picture as a picture, a PDF in a frame of its own (the policy allows frames of blobs and nothing else).
// A browser without a PDF viewer offers the file instead.
import { SegmentedControl, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { UploadedDocument } from '../../../../src/panel-api/contract/shapes.ts';
import { t } from '../../text/language.ts';
import { documentWords } from '../../ui/document-links.tsx';
import { Note } from '../../ui/notes.tsx';

export function DocumentView({ documents }: { documents: UploadedDocument[] }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = documents.find(one => String(one.id) === wanted) ?? documents[0];
  const { address, isLost } = useContent(chosen?.id);
  if (!chosen) return null;
  return (
    <Stack gap="sm">
      {documents.length > 1 && (
        <SegmentedControl
          aria-label={t.applications.document}
          value={String(chosen.id)}
          onChange={setWanted}
          data={documents.map(one => ({ value: String(one.id), label: documentWords(one) ?? one.name }))}
        />
      )}
      {isLost && <Note kind="bad">{t.load.failed}</Note>}
      {address && chosen.type === 'application/pdf' && (
        <iframe src={address} title={`${t.applications.preview}: ${chosen.name}`} className="document-frame" />
      )}
      {address && chosen.type !== 'application/pdf' && (
        <img src={address} alt={`${t.applications.preview}: ${chosen.name}`} className="document-picture" />
      )}
    </Stack>
  );
}

function useContent(id: number | undefined): { address: string | null; isLost: boolean } {
  const [shown, setShown] = useState<{ address: string | null; isLost: boolean }>({ address: null, isLost: false });
  useEffect(() => {
    if (id === undefined) return;
    let made: string | null = null;
    let stale = false;
    setShown({ address: null, isLost: false });
    fetch(`/panel/api/document/${id}`)
      .then(async answer => {
        if (!answer.ok) throw new Error(String(answer.status));
        const blob = await answer.blob();
        if (stale) return;
        made = URL.createObjectURL(blob);
        setShown({ address: made, isLost: false });
      })
      .catch(() => !stale && setShown({ address: null, isLost: true }));
    return () => {
      stale = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [id]);
  return shown;
}
