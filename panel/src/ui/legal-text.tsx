// Terms of use and privacy notice as paragraphs of plain text; the operator's text is never markup.
import { Anchor, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { LegalText } from '../../../src/panel-api/session/legal-contract.ts';
import { inOurs, t } from '../text/language.ts';

export function LegalBody({ text }: { text: LegalText }) {
  const paragraphs = inOurs(text)
    .split(/\n\s*\n/)
    .map(one => one.trim())
    .filter(Boolean);
  return (
    <Stack gap="sm">
      {paragraphs.map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes, so a place in it is a name
        <Text key={at} size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {paragraph}
        </Text>
      ))}
    </Stack>
  );
}

/** One link per text; it opens on top of the form, so nothing typed is lost. */
export function LegalLinks({ texts }: { texts: LegalText[] }) {
  const [open, setOpen] = useState<LegalText | null>(null);
  return (
    <Group gap="md">
      {texts.map(text => (
        <Anchor
          key={text.kind}
          component="button"
          type="button"
          size="sm"
          underline="always"
          onClick={() => setOpen(text)}
        >
          {t.legal.read(t.legal.kinds[text.kind])}
        </Anchor>
      ))}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        size="lg"
        title={open ? t.legal.versionOf(t.legal.kinds[open.kind], open.version) : ''}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        {open && <LegalBody text={open} />}
      </Modal>
    </Group>
  );
}

/** The versions of the shown texts, as input for the server. */
export function versionsOf(texts: LegalText[]): { terms: number; privacy: number } {
  const of = (kind: LegalText['kind']) => texts.find(one => one.kind === kind)?.version ?? 0;
  return { terms: of('terms'), privacy: of('privacy') };
}

/** Only of the texts that the person was shown. */
export function versionsShown(texts: LegalText[]): { terms?: number; privacy?: number } {
  return Object.fromEntries(texts.map(one => [one.kind, one.version]));
}
