// The sentences around data: nothing here yet, nothing matches, could not be loaded, something to know.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api.ts';
import { hourMinute } from '../format.ts';
import { isOutage } from '../outage.ts';
import { t } from '../text/language.ts';

export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={40} px="md" ta="center">
      <Text fw={600}>{props.title}</Text>
      {props.children && (
        <Text size="sm" c="dimmed" maw={480} component="div">
          {props.children}
        </Text>
      )}
      {props.action && <div style={{ marginTop: 8 }}>{props.action}</div>}
    </Stack>
  );
}

const noteLooks = {
  info: { color: 'blue', icon: IconInfoCircle },
  good: { color: 'teal', icon: IconCircleCheck },
  warn: { color: 'orange', icon: IconAlertTriangle },
  bad: { color: 'red', icon: IconAlertTriangle },
} as const;

type NoteProps = { kind?: keyof typeof noteLooks; title?: ReactNode; children?: ReactNode; action?: ReactNode };

export function Note(props: NoteProps) {
  const kind = props.kind ?? 'info';
  const { color, icon: Icon } = noteLooks[kind];
  return (
    <Alert
      className={`note note-${kind}`}
      color={color}
      variant="light"
      icon={<Icon size={18} />}
      role={kind === 'bad' ? 'alert' : 'note'}
    >
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 240px' }}>
          {props.title && <b>{props.title}</b>}
          <div>{props.children}</div>
        </div>
        {props.action}
      </Group>
    </Alert>
  );
}

/** Failed to load: says why, since when the shown data stand, and offers another try; an outage is retried by itself. */
export function LoadError(props: { error: unknown; since?: number; retry: () => void }) {
  return (
    <Note
      kind="bad"
      title={t.load.failed}
      action={
        <Button variant="default" size="xs" leftSection={<IconRefresh size={14} />} onClick={props.retry}>
          {t.load.retry}
        </Button>
      }
    >
      {sentenceOf(props.error)} {props.since ? t.load.shownSince(hourMinute(new Date(props.since))) : ''}{' '}
      {isOutage(props.error) ? t.load.byItself : ''}
    </Note>
  );
}
