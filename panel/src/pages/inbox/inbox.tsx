// What people wrote back, message by message or as conversations. A row opens what was said with that number, and a box
// to reply.
import { Button, SegmentedControl } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number as figure, phoneDigits } from '../../format.ts';
import { preferenceKeys, writePreference } from '../../preferences.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { openKey, tabKey, useSearchState } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { useLive } from '../../ui/use-live.ts';
import { ConversationDrawer } from './conversation.tsx';

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
  return (
    <Page title={t.inbox.title} lead={owned && t.inbox.numbers(owned)} actions={picker}>
      {grouped ? <Conversations onOpen={onOpen} /> : <Messages onOpen={onOpen} hasNumbers={numbers.length > 0} />}
      <ConversationDrawer number={search[openKey] ?? null} onClose={() => change({ [openKey]: null })} />
    </Page>
  );
}

type Opener = { onOpen: (row: { number: string }) => void };

function Conversations({ onOpen }: Opener) {
  const list = useList('inbox.conversations', {
    name: 'conversations',
    label: t.inbox.byNumber,
    rows: data => data.rows,
    rowKey,
    columns: conversationColumns,
    refetchMs: refreshMs,
    onOpen,
    empty: <Empty title={t.inbox.empty} />,
  });
  return <List of={list} />;
}

function conversationColumns(): Column<OutputOf<'inbox.conversations'>['rows'][number]>[] {
  return [
    { id: 'number', header: t.inbox.number, cell: row => <PhoneNumber value={row.number} />, phone: 'title' },
    { id: 'text', header: t.inbox.lastText, cell: row => row.text, phone: 'line' },
    { id: 'count', header: t.inbox.count, cell: row => figure(row.count), phone: 'state' },
    { id: 'at', header: t.inbox.received, cell: row => <Time at={row.receivedAt} />, phone: 'line' },
  ];
}

function Messages({ onOpen, hasNumbers }: Opener & { hasNumbers: boolean }) {
  const list = useList('inbox.list', {
    name: 'inbox',
    label: t.inbox.title,
    rows: data => data.rows,
    rowKey,
    columns: useMemo(() => inboxColumns(onOpen), [onOpen]),
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
    onOpen,
    empty: hasNumbers ? (
      <Empty title={t.inbox.empty} />
    ) : (
      <Empty title={t.inbox.emptyNumbers}>{t.inbox.emptyNumbersBody}</Empty>
    ),
  });
  return <List of={list} />;
}

function inboxColumns(onOpen: Opener['onOpen']): Column<Line>[] {
  return [
    {
      id: 'at',
      header: t.inbox.received,
      cell: row => <Time at={row.receivedAt} />,
      sort: row => row.receivedAt,
      phone: 'line',
    },
    { id: 'number', header: t.inbox.number, cell: row => <PhoneNumber value={row.number} />, phone: 'title' },
    { id: 'to', header: t.inbox.to, cell: row => <span className="mono">{row.to}</span>, hideable: true },
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
    {
      id: 'reply',
      header: '',
      cell: row => (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowBackUp size={13} />}
          onClick={() => onOpen(row)}
        >
          {t.inbox.reply}
        </Button>
      ),
    },
  ];
}
