// Where this person is signed in, and the way to end it there.
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';

type Line = OutputOf<'profile.sessions'>['sessions'][number];

export function SessionsCard() {
  const { mutate: close } = useChange('profile.revokeSession', { done: () => t.profile.closed(1) });
  const others = useChange('profile.revokeOthers', { done: ({ closed }) => t.profile.closed(closed) });
  const list = useList('profile.sessions', {
    name: 'sessions',
    label: t.profile.sessions,
    rows: data => data.sessions,
    rowKey: row => String(row.id),
    columns: useMemo(() => sessionColumns(close), [close]),
    empty: null,
  });
  const closeAll = (
    <Button variant="default" size="xs" loading={others.isPending} onClick={() => others.mutate({})}>
      {t.profile.closeOthers}
    </Button>
  );
  return (
    <Card title={t.profile.sessions} actions={closeAll}>
      <List of={list} />
    </Card>
  );
}

function sessionColumns(close: (input: { id: number }) => void): Column<Line>[] {
  return [
    {
      id: 'agent',
      header: t.profile.agent,
      cell: row => (
        <span className="clip" style={{ maxWidth: 320 }}>
          {browserName(row.agent)}
        </span>
      ),
      phone: 'title',
    },
    { id: 'address', header: t.audit.address, cell: row => <span className="mono">{row.address}</span>, phone: 'line' },
    { id: 'seen', header: t.profile.seen, cell: row => <Time at={row.seenAt} />, phone: 'line' },
    {
      id: 'close',
      header: '',
      align: 'right',
      phone: 'state',
      cell: row =>
        row.isCurrent ? (
          <Tone tone="blue">{t.profile.thisOne}</Tone>
        ) : (
          <Button size="compact-xs" variant="default" onClick={() => close({ id: row.id })}>
            {t.profile.closeOne}
          </Button>
        ),
    },
  ];
}

/** "Chrome 140 · Windows" from the long line browsers send; the whole of it where nothing is recognised. */
function browserName(agent: string): string {
  const browser =
    /(Edg|OPR|Firefox|HeadlessChrome|Chrome)\/(\d+)/.exec(agent) ?? /(Version)\/(\d+).*Safari/.exec(agent);
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0];
  if (!browser) return agent;
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari', HeadlessChrome: 'Chrome' };
  return `${names[browser[1] ?? ''] ?? browser[1]} ${browser[2]}${system ? ` · ${system}` : ''}`;
}
