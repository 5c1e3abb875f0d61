// Received messages as a list or as conversations; beside it the messages with the chosen number and a reply box.
import { SegmentedControl } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number as figure, phone, phoneDigits } from '../../format.ts';
import { preferenceKeys, writePreference } from '../../preferences.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panes, useWide } from '../../ui/panes.tsx';
import { openKey, tabKey, useSearchState } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { useLive } from '../../ui/use-live.ts';
import { Conversation } from './conversation.tsx';

type Line = OutputOf<'inbox.list'>['rows'][number];
const refreshMs = 20_000;

const rowKey = (row: { id: number }): string => String(row.id);

export default function InboxPage() {
  const [search, change] = useSearchState();
  const grouped = search[tabKey] === 'konusma';
  const numbers = useRead('inbox.list', {}).data?.numbers ?? [];
  const owned = numbers.map(one => (one.keyword ? `${one.number} (${one.keyword})` : one.number)).join(', ');
  const latest = useLive().data?.inboxLatest;
  useEffect(() => {
    if (latest) writePreference(preferenceKeys.seenInbox, String(latest));
  }, [latest]);
  const onOpen = useCallback((row: { number: string }) => change({ [openKey]: phoneDigits(row.number) }), [change]);
  const picker = (
    <SegmentedControl
      size="sm"
      aria-label={t.inbox.view}
      value={grouped ? 'konusma' : 'mesaj'}
      onChange={value => change({ [tabKey]: value === 'konusma' ? value : null })}
      data={[
        { value: 'mesaj', label: t.inbox.byMessage },
        { value: 'konusma', label: t.inbox.byNumber },
      ]}
    />
  );
  const wide = useWide('75em');
  const [first, setFirst] = useState<string | null>(null);
  const asked = search[openKey] ?? null;
  const shown = asked ?? (wide ? first : null);
  const pane = { wide, shown, onOpen, onFirst: setFirst };
  return (
    <Page title={t.inbox.title} actions={picker}>
      <Panes
        wide={wide}
        narrowList
        title={shown === null ? t.inbox.view : t.inbox.talk(phone(shown))}
        opened={asked !== null}
        onClose={() => change({ [openKey]: null })}
        side={
          shown === null ? <p className="soft">{t.inbox.noneChosen}</p> : <Conversation key={shown} number={shown} />
        }
      >
        {owned && <div className="soft">{t.inbox.numbers(owned)}</div>}
        {grouped ? <Conversations {...pane} /> : <Messages {...pane} hasNumbers={numbers.length > 0} />}
      </Panes>
    </Page>
  );
}

type Pane = {
  wide: boolean;
  shown: string | null;
  onOpen: (row: { number: string }) => void;
  onFirst: (number: string | null) => void;
};

/** On a wide screen the newest is shown until another is chosen. */
function usePane<Row extends { number: string }>(rows: Row[] | undefined, { onFirst }: Pane): void {
  const newest = rows?.[0] ? phoneDigits(rows[0].number) : null;
  useEffect(() => onFirst(newest), [newest, onFirst]);
}

const besides = <Row extends { number: string }>({ wide, shown, onOpen }: Pane) => ({
  onOpen,
  ...(wide && { compact: true, isCurrent: (row: Row) => phoneDigits(row.number) === shown }),
});

function Conversations(pane: Pane) {
  const list = useList('inbox.conversations', {
    name: 'conversations',
    label: t.inbox.byNumber,
    rows: data => data.rows,
    rowKey,
    columns: conversationColumns,
    refetchMs: refreshMs,
    ...besides(pane),
    empty: <Empty title={t.inbox.empty} />,
  });
  usePane(list.data?.rows, pane);
  return <List of={list} />;
}

function numberColumn<Row extends { number: string }>(): Column<Row> {
  return {
    id: 'number',
    header: t.inbox.number,
    cell: row => <span className="nowrap strong">{phone(row.number)}</span>,
    phone: 'title',
  };
}

function conversationColumns(): Column<OutputOf<'inbox.conversations'>['rows'][number]>[] {
  return [
    numberColumn(),
    { id: 'text', header: t.inbox.lastText, cell: row => row.text, phone: 'line' },
    { id: 'count', header: t.inbox.count, cell: row => figure(row.count), phone: 'state' },
    { id: 'at', header: t.inbox.received, cell: row => <Time at={row.receivedAt} />, phone: 'line' },
  ];
}

function Messages({ hasNumbers, ...pane }: Pane & { hasNumbers: boolean }) {
  const list = useList('inbox.list', {
    name: 'inbox',
    label: t.inbox.title,
    rows: data => data.rows,
    rowKey,
    columns: inboxColumns,
    search: { key: 'ara', field: 'text', label: t.inbox.searchText },
    filters: [
      { key: 'numara', field: 'number', label: t.inbox.number, kind: 'text' },
      { key: 'kelime', field: 'keyword', label: t.inbox.keyword, kind: 'text' },
      daysFilter(),
    ],
    exported: 'inbox',
    pages: 'cursor',
    refetchMs: refreshMs,
    held: true,
    ...besides(pane),
    empty: hasNumbers ? (
      <Empty title={t.inbox.empty} />
    ) : (
      <Empty title={t.inbox.emptyNumbers}>{t.inbox.emptyNumbersBody}</Empty>
    ),
  });
  usePane(list.data?.rows, pane);
  return <List of={list} />;
}

function inboxColumns(): Column<Line>[] {
  return [
    {
      id: 'at',
      header: t.inbox.received,
      cell: row => <Time at={row.receivedAt} />,
      sort: row => row.receivedAt,
      phone: 'line',
    },
    numberColumn(),
    { id: 'to', header: t.inbox.to, cell: row => <span className="nowrap">{phone(row.to)}</span>, hideable: true },
    {
      id: 'keyword',
      header: t.inbox.keyword,
      cell: row => <span className="mono">{row.keyword || '–'}</span>,
      sort: row => row.keyword,
      hideable: true,
    },
    { id: 'text', header: t.inbox.text, cell: row => row.text, phone: 'line' },
    {
      id: 'effect',
      header: t.inbox.effect,
      cell: row =>
        row.effect && <Tone tone="violet">{row.effect === 'blacklisted' ? t.inbox.blacklisted : row.effect}</Tone>,
      phone: 'state',
    },
  ];
}
