// A look at an uploaded picture. The server gives documents as attachments only, so the bytes are fetched and shown
// from memory; PDF is opened by its link.
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { UploadedDocument } from '../../../../src/panel-api/contract.ts';
import { t } from '../../text/language.ts';

export function DocumentView({ documents }: { documents: UploadedDocument[] }) {
  const pictures = documents.filter(document => document.type.startsWith('image/'));
  const [chosen, setChosen] = useState(String(pictures[0]?.id ?? ''));
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!chosen) return;
    let made: string | null = null;
    let stale = false;
    void fetch(`/panel/api/document/${chosen}`)
      .then(answer => answer.blob())
      .then(blob => {
        if (stale) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      });
    return () => {
      stale = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [chosen]);
  if (pictures.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        PDF
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {pictures.length > 1 && (
        <SegmentedControl
          aria-label={t.applications.document}
          value={chosen}
          onChange={setChosen}
          data={pictures.map(one => ({ value: String(one.id), label: one.name }))}
        />
      )}
      {address && (
        <img
          src={address}
          alt={t.applications.preview}
          style={{ maxWidth: '100%', border: '1px solid var(--peyk-border)' }}
        />
      )}
    </Stack>
  );
}
