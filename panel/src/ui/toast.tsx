// Short messages about the result of an action.
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { t } from '../text/language.ts';

const shownMs = 5_000;

export function showSuccess(message: string): void {
  const closeButtonProps = { 'aria-label': t.common.close };
  void show({ message, color: 'cini', icon: <IconCheck size={16} />, autoClose: shownMs, closeButtonProps });
}

export function showFailure(message: string): void {
  const closeButtonProps = { 'aria-label': t.common.close };
  void show({
    message,
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: false,
    closeButtonProps,
  });
}

type Shown = Parameters<typeof import('@mantine/notifications')['notifications']['show']>[0];

/** Loads the code with the first message. */
async function show(what: Shown): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.show(what);
}
