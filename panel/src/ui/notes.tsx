// Messages around data: empty, failed to load, notes.
import { Button, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api.ts';
import { hourMinute } from '../format.ts';
import { isOutage } from '../outage.ts';
import { t } from '../text/language.ts';
import { Staff } from './glyph.tsx';

export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={40} px="md" ta="center">
      <Text fw="var(--fw-strong)">{props.title}</Text>
      {props.children && (
        <Text size="sm" c="dimmed" maw={480} component="div">
          {props.children}
        </Text>
      )}
      {props.action && <div style={{ marginTop: 8 }}>{props.action}</div>}
    </Stack>
  );
}

const staffs = { info: 'busy', good: 'ok', warn: 'warn', bad: 'bad' } as const;

type NoteProps = { kind?: keyof typeof staffs; title?: ReactNode; children?: ReactNode; action?: ReactNode };

/** One sentence with at most one action, marked by a leaning bar. */
export function Note(props: NoteProps) {
  const kind = props.kind ?? 'info';
  return (
    <div className={`note note-${kind}`} role={kind === 'bad' ? 'alert' : 'note'}>
      <Staff kind={staffs[kind]} />
      <div className="note-words">
        {props.title && <b>{props.title} </b>}
        {props.children}
      </div>
      {props.action}
    </div>
  );
}

/** A failed load: the cause, the time of the data shown, and a retry button. An outage is retried automatically. */
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
