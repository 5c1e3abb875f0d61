// Result of the applicant's identity check, and the staff's own check.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Outcome } from '../senders/identity-step.tsx';

export function ApplicationIdentity({ application }: { application: OutputOf<'staff.application'> }) {
  const note = useChange('staff.noteIdentity', { done: t.common.saved });
  const record = async (confirmed: boolean) => {
    const action = confirmed ? t.identity.confirm : t.identity.refuse;
    const given = await ask({ title: action, body: t.identity.noteBody, action, reason: t.identity.note });
    if (given !== null) note.mutate({ id: application.id, confirmed, note: given });
  };
  return (
    <Stack gap="sm">
      <Text size="sm" fw="var(--fw-strong)">
        {t.identity.title}
      </Text>
      {application.identity.length === 0 && <Text size="sm">{t.identity.none}</Text>}
      {application.identity.map(check => (
        <Outcome key={check.id} check={check} />
      ))}
      {application.state === 'applied' && (
        <Group>
          <Button size="xs" variant="default" loading={note.isPending} onClick={() => void record(true)}>
            {t.identity.confirm}
          </Button>
          <Button size="xs" variant="default" loading={note.isPending} onClick={() => void record(false)}>
            {t.identity.refuse}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
