// Sending is held: why, since when, and the two ways to let it go on.
import { Button, Group } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import type { Hold } from '../../../../src/panel-api/staff/watch-contract.ts';
import { number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Note } from '../../ui/notes.tsx';
import { Time } from '../../ui/time.tsx';

export function HoldNote({ hold }: { hold: Hold }) {
  const release = useChange('staff.releaseDispatch', {
    done: ({ closed }) => (closed > 0 ? t.hold.closed(number(closed)) : t.hold.released),
  });
  const letGo = async (close: boolean) => {
    const body = close ? t.hold.closeBody : t.hold.releaseBody;
    const action = close ? t.hold.close : t.hold.release;
    if ((await ask({ title: action, body, action, danger: true })) !== null) release.mutate({ close });
  };
  return (
    <Note
      kind="bad"
      title={t.hold.title}
      action={
        <Group gap="sm">
          <Button size="xs" variant="default" loading={release.isPending} onClick={() => void letGo(true)}>
            {t.hold.close}
          </Button>
          <Button size="xs" color="red" loading={release.isPending} onClick={() => void letGo(false)}>
            {t.hold.release}
          </Button>
        </Group>
      }
    >
      {t.hold.reasons[hold.reason]}
      {hold.detail && ` (${hold.detail})`} · <Time at={hold.since} />
    </Note>
  );
}

export function HoldButton() {
  const hold = useChange('staff.holdDispatch', { done: t.hold.held });
  const begin = async () => {
    const question = {
      title: t.hold.hold,
      body: t.hold.holdBody,
      action: t.hold.hold,
      danger: true,
      reason: t.hold.reason,
    };
    const reason = await ask(question);
    if (reason !== null) hold.mutate({ reason });
  };
  return (
    <Button
      variant="default"
      color="red"
      leftSection={<IconPlayerStop size={16} />}
      loading={hold.isPending}
      onClick={() => void begin()}
    >
      {t.hold.hold}
    </Button>
  );
}
