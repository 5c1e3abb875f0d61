// What people wrote back. A reply is a new SMS with the number filled in.
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { phoneDigits } from '../format.ts';
import { paths } from '../paths.ts';
import { preferenceKeys, writePreference } from '../preferences.ts';
import { tableData, useRead } from '../queries.ts';
import { t } from '../text/language.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../ui/filter-fields.tsx';
import { FreshRows } from '../ui/fresh-rows.tsx';
import { useHeldRows } from '../ui/held-rows.ts';
import { ListTools, Pager, useList } from '../ui/list-tools.tsx';
import { Empty } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Time } from '../ui/time.tsx';
import { Tone } from '../ui/tone.tsx';
import { useLive } from '../ui/use-live.ts';

type Line = OutputOf<'inbox.list'>['rows'][number];
const keys = ['ara', 'numara', 'kelime', 'bas', 'bit'];
const refreshMs = 20_000;

const rowKey = (row: { id: number }): string => String(row.id);

export default function InboxPage() {
  const list = useList(keys);
  const filter = {
    text: list.value('ara'),
    number: list.value('numara'),
    keyword: list.value('kelime'),
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const read = useRead('inbox.list', { ...filter, cursor: list.cursor }, { refetchMs: refreshMs });
  const latest = useLive().data?.inboxLatest;
  useEffect(() => {
    if (latest) writePreference(preferenceKeys.seenInbox, String(latest));
  }, [latest]);
  const held = useHeldRows(
    { rows: read.data?.rows, hasMore: Boolean(read.data?.next), isOfScope: !read.isPlaceholderData },
    JSON.stringify([filter, list.cursor]),
    list.filtered,
    rowKey,
  );
  const columns = useMemo(inboxColumns, []);
  const numbers = read.data?.numbers ?? [];
  const owned = numbers.map(one => (one.keyword ? `${one.number} (${one.keyword})` : one.number)).join(', ');
  return (
    <Page title={t.inbox.title} lead={owned && t.inbox.numbers(owned)}>
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
        footer={<Pager next={read.data?.next} />}
      />
    </Page>
  );
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
          component={Link}
          to={paths.send()}
          search={{ numara: phoneDigits(row.number) } as never}
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowBackUp size={13} />}
        >
          {t.inbox.reply}
        </Button>
      ),
    },
  ];
}
