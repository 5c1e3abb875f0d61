// Drafts that wait on the server: begun earlier, on another machine, or by a colleague.
import { Button, Group, Stack, Text } from '@mantine/core';
import { number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { openDraft } from './use-kept.ts';

export function DraftList() {
  const maySend = useMay('sender');
  const read = useRead('drafts.list', {}, { enabled: maySend });
  const remove = useChange('drafts.delete', { done: t.send.draftDeleted });
  const drafts = read.data?.drafts ?? [];
  if (drafts.length === 0) return read.error ? <ReadState of={read} /> : null;
  const resume = async (id: number) => {
    if (!(await openDraft(id))) showFailure(t.send.draftGone);
  };
  const discard = async (id: number) => {
    const question = { title: t.send.draftDelete, body: t.send.discardBody, action: t.send.draftDelete, danger: true };
    if ((await ask(question)) !== null) remove.mutate({ id });
  };
  return (
    <Card title={t.send.drafts}>
      <Stack gap="sm" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {drafts.map(one => (
          <Group key={one.id} component="li" justify="space-between" wrap="wrap" gap="sm">
            <div style={{ minWidth: 0, flex: '1 1 220px' }}>
              <Text size="sm" truncate>
                {one.excerpt || t.send.draftNoText}
              </Text>
              <Text size="sm" c="dimmed">
                {[one.fileName, one.rows > 0 ? t.send.draftRows(number(one.rows)) : null, one.who]
                  .filter(Boolean)
                  .join(' · ')}{' '}
                · <Time at={one.updatedAt} />
              </Text>
            </div>
            <Group gap="sm">
              <Button size="xs" variant="default" onClick={() => void resume(one.id)}>
                {t.send.draftResume}
              </Button>
              <Button size="xs" variant="subtle" color="gray" onClick={() => void discard(one.id)}>
                {t.send.draftDelete}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
