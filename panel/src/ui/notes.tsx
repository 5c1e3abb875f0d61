// Messages around data: empty, failed to load, notes.
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api.ts';
import { hourMinute } from '../format.ts';
import { isOutage } from '../outage.ts';
import { t } from '../text/language.ts';
import { Staff } from './glyph.tsx';

/** Stations without a route, the sentence, what to do. In a section of a page it is one quiet line (`.empty`). */
export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <svg viewBox="0 0 108 16" width="108" height="16" aria-hidden="true">
        <path d="M17 8h28M63 8h28" stroke="var(--idle-fill)" strokeWidth="1.6" strokeDasharray="1.6 5" />
        {[8, 54, 100].map(x => (
          <circle key={x} cx={x} cy="8" r="6.2" fill="none" stroke="var(--idle-fill)" strokeWidth="2" />
        ))}
      </svg>
      <p>{props.title}</p>
      {props.children && <div className="soft">{props.children}</div>}
      {props.action}
    </div>
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
