// Missing documents of an application, and a note that asks the customer for them.
import { Button, Group, Stack } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useChange } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Note } from '../../ui/notes.tsx';
import { Time } from '../../ui/time.tsx';

export function ApplicationDocuments({ application }: { application: OutputOf<'staff.application'> }) {
  const request = useChange('staff.askDocuments', { done: t.documents.askDone });
  const { asked, missing, id } = application;
  const open = async () => {
    const note = await ask({
      title: t.documents.askTitle,
      body: missing.length > 0 ? t.documents.lacking(missing.map(inOurs).join(', ')) : t.documents.askBody,
      action: t.documents.ask,
      reason: t.documents.askNote,
    });
    if (note !== null) request.mutate({ id, note });
  };
  return (
    <Stack gap="sm">
      {missing.length > 0 && <Note kind="warn">{t.documents.lacking(missing.map(inOurs).join(', '))}</Note>}
      {asked && (
        <Note title={asked.answeredAt ? t.documents.answered : t.documents.asked}>
          {asked.note} · <Time at={asked.answeredAt ?? asked.at} />
        </Note>
      )}
      {application.state === 'applied' && (
        <Group>
          <Button variant="default" loading={request.isPending} onClick={() => void open()}>
            {t.documents.ask}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
