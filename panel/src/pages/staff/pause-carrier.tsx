// Pausing a carrier says what will happen first and keeps the reason.
import { Button, type ButtonProps } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { CarrierLine } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';

type Props = { carrier: Pick<CarrierLine, 'name' | 'paused'>; size?: ButtonProps['size']; shortcut?: string };

export function PauseCarrier({ carrier, size, shortcut }: Props) {
  const change = useChange('staff.pauseCarrier', { done: carrier.paused ? t.carriers.resumed : t.carriers.paused });
  const pause = async () => {
    const question = {
      title: t.carriers.pauseTitle(carrier.name),
      body: t.carriers.pauseBody,
      action: t.carriers.pause,
      danger: true,
      reason: t.common.reason,
    };
    const reason = await ask(question);
    if (reason !== null) change.mutate({ name: carrier.name, paused: true, reason });
  };
  const press = () => (carrier.paused ? change.mutate({ name: carrier.name, paused: false }) : void pause());
  const Icon = carrier.paused ? IconPlayerPlay : IconPlayerPause;
  const word = carrier.paused ? t.carriers.resume : t.carriers.pause;
  return (
    <Button
      size={size}
      variant="default"
      leftSection={size ? undefined : <Icon size={16} aria-hidden />}
      loading={change.isPending}
      aria-label={shortcut && `${word}: ${carrier.name}`}
      aria-keyshortcuts={shortcut}
      onClick={press}
    >
      {word}
    </Button>
  );
}
