// The dialog for new terms or a new privacy notice: accept (acknowledge) or sign out. Until then the server refuses changes in
// the panel.
import { Button, Group, Modal, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useChange, useRead } from '../queries.ts';
import { t } from '../text/language.ts';
import { LegalBody, versionsShown } from './legal-text.tsx';
import { LoadError } from './notes.tsx';

export default function AcceptTexts() {
  const mine = useRead('legal.mine', {}, { keep: false });
  const accept = useChange('legal.accept', { done: t.legal.thanks });
  const signOut = useChange('session.signOut', { onDone: () => window.location.assign('/panel/giris') });
  const retry = () => void mine.refetch();
  const pending = mine.data?.pending ?? [];
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      title={t.legal.newTitle}
    >
      <Stack gap="md">
        <Text size="sm">{t.legal.newBody}</Text>
        {mine.error ? <LoadError error={mine.error} retry={retry} /> : null}
        <ScrollArea.Autosize mah="50vh" type="auto" viewportProps={{ tabIndex: 0 }}>
          <Stack gap="lg">
            {pending.map(text => (
              <section key={text.kind}>
                <Title order={3} mb="xs">
                  {t.legal.versionOf(t.legal.kinds[text.kind], text.version)}
                </Title>
                <LegalBody text={text} />
              </section>
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Group justify="flex-end">
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate({})}>
            {t.shell.signOut}
          </Button>
          <Button
            loading={accept.isPending}
            disabled={pending.length === 0}
            onClick={() => accept.mutate(versionsShown(pending), { onError: retry })}
          >
            {pending.some(text => text.kind === 'terms') ? t.legal.accept : t.legal.acknowledge}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
