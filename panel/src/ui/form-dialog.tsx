// A form in a dialog: the error above its fields, the cancel and submit buttons below.
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../text/language.ts';
import { Note } from './notes.tsx';

type Props = {
  opened: boolean;
  title: string;
  failure: string | null;
  onClose: () => void;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
} & (
  | { action: string; busy: boolean }
  /** Set if submitting needs a role (RoleButton). */
  | { button: ReactNode }
);

export function FormDialog(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form onSubmit={props.onSubmit} noValidate>
        <Stack gap="sm">
          {props.failure && <Note kind="bad">{props.failure}</Note>}
          {props.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              {t.common.cancel}
            </Button>
            {'button' in props ? (
              props.button
            ) : (
              <Button type="submit" loading={props.busy}>
                {props.action}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
