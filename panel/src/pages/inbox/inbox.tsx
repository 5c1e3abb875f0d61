// What people wrote back, message by message or as conversations. A row opens what was said with that number, and a box
// to reply.
import { Button, SegmentedControl } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number as figure, phoneDigits } from '../../format.ts';
import { preferenceKeys, writePreference } from '../../preferences.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../../ui/filter-fields.tsx';
import { FreshRows } from '../../ui/fresh-rows.tsx';
import { useHeldRows } from '../../ui/held-rows.ts';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { openKey, tabKey } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useLive } from '../../ui/use-live.ts';
import { ConversationDrawer } from './conversation.tsx';

type Line = OutputOf<'inbox.list'>['rows'][number];
const keys = ['ara', 'numara', 'kelime', 'bas', 'bit'];
const refreshMs = 20_000;

const rowKey = (row: { id: number }): string => String(row.id);

export default function InboxPage() {
  const list = useList(keys);
  const grouped = list.value(tabKey) === 'konusma';
  const open = list.value(openKey);
  const numbers = useRead('inbox.list', {}).data?.numbers ?? [];
  const owned = numbers.map(one => (one.keyword ? `${one.number} (${one.keyword})` : one.number)).join(', ');
  const latest = useLive().data?.inboxLatest;
  useEffect(() => {
    if (latest) writePreference(preferenceKeys.seenInbox, String(latest));
  }, [latest]);
  const { change } = list;
  const onOpen = useCallback((row: { number: string }) => change({ [openKey]: phoneDigits(row.number) }), [change]);
  const picker = (
    <SegmentedControl
      size="sm"
      aria-label={t.inbox.view}
      value={grouped ? 'konusma' : 'mesaj'}
      onChange={value => list.change({ [tabKey]: value === 'konusma' ? value : null })}
      data={[
        { value: 'mesaj', label: t.inbox.byMessage },
        { value: 'konusma', label: t.inbox.byNumber },
      ]}
    />
  );
  return (
    <Page title={t.inbox.title} lead={owned && t.inbox.numbers(owned)} actions={picker}>
      {grouped ? <Conversations onOpen={onOpen} /> : <Messages onOpen={onOpen} />}
      <ConversationDrawer number={open ?? null} onClose={() => list.change({ [openKey]: null })} />
    </Page>
  );
}

type Opener = { onOpen: (row: { number: string }) => void };

function Conversations({ onOpen }: Opener) {
  const read = useRead('inbox.conversations', {}, { refetchMs: refreshMs });
  const columns = useMemo(conversationColumns, []);
  return (
    <DataTable
      name="conversations"
      label={t.inbox.byNumber}
      columns={columns}
      data={tableData(read, data => data.rows)}
      rowKey={rowKey}
      onOpen={onOpen}
      empty={<Empty title={t.inbox.empty} />}
    />
  );
}

function conversationColumns(): Column<OutputOf<'inbox.conversations'>['rows'][number]>[] {
  return [
    { id: 'number', header: t.inbox.number, cell: row => <PhoneNumber value={row.number} />, phone: 'title' },
    { id: 'text', header: t.inbox.lastText, cell: row => row.text, phone: 'line' },
    { id: 'count', header: t.inbox.count, cell: row => figure(row.count), phone: 'state' },
    { id: 'at', header: t.inbox.received, cell: row => <Time at={row.receivedAt} />, phone: 'line' },
  ];
}

function Messages({ onOpen }: Opener) {
  const list = useList(keys);
  const filter = {
    text: list.value('ara'),
    number: list.value('numara'),
    keyword: list.value('kelime'),
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const read = useRead('inbox.list', { ...filter, cursor: list.cursor }, { refetchMs: refreshMs });
  const held = useHeldRows(
    { rows: read.data?.rows, hasMore: Boolean(read.data?.next), isOfScope: !read.isPlaceholderData },
    JSON.stringify([filter, list.cursor]),
    list.filtered,
    rowKey,
  );
  const columns = useMemo(() => inboxColumns(onOpen), [onOpen]);
  const numbers = read.data?.numbers ?? [];
  return (
    <>
      <ListTools
        search={{ key: 'ara', label: t.inbox.searchText }}
        filters={[
          { key: 'numara', label: t.inbox.number, kind: 'text' },
          { key: 'kelime', label: t.inbox.keyword, kind: 'text' },
          daysFilter(),
        ]}
        exported={{ kind: 'inbox', filter }}
      />
      <FreshRows count={held.fresh} onShow={held.show} />
      <DataTable
        name="inbox"
        label={t.inbox.title}
        columns={columns}
        data={{ ...tableData(read, data => data.rows), rows: held.rows }}
        rowKey={rowKey}
        filtered={list.filtered}
        onClear={list.clear}
        empty={
          numbers.length === 0 ? (
            <Empty title={t.inbox.emptyNumbers}>{t.inbox.emptyNumbersBody}</Empty>
          ) : (
            <Empty title={t.inbox.empty} />
          )
        }
        onOpen={onOpen}
        footer={<Pager next={read.data?.next} />}
      />
    </>
  );
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
