// Numbers that this account may not write to, and where each came from.
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number, phone } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SelectionBar } from '../../ui/select-rows.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { chosenAmong } from '../../ui/toggled.ts';
import { useList } from '../../ui/use-list.ts';
import { BlacklistAdd } from './blacklist-add.tsx';

type Line = OutputOf<'blacklist.list'>['rows'][number];

export default function BlacklistPage() {
  const [adding, setAdding] = useState(false);
  const [search, change] = useSearchState();
  const asked = search['ekle'];
  useEffect(() => {
    if (!asked) return;
    setAdding(true);
    change({ ekle: null }, true);
  }, [asked, change]);
  const { remove, isPending } = useBlacklistRemove();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useList('blacklist.list', {
    name: 'blacklist',
    label: t.blacklist.title,
    rows: data => data.rows,
    rowKey: row => row.number,
    columns: useMemo(() => blacklistColumns(value => void remove([value])), [remove]),
    search: { key: 'ara', field: 'search', label: t.blacklist.search },
    filters: [
      {
        key: 'kaynak',
        field: 'source',
        label: t.blacklist.source,
        kind: 'select',
        options: optionsOf(t.blacklistSources),
      },
      daysFilter(),
    ],
    exported: 'blacklist',
    pages: 'cursor',
    selection: { keys: selected, onChange: setSelected, nameOf: row => phone(row.number) },
    empty: <Empty title={t.blacklist.empty}>{t.blacklist.emptyBody}</Empty>,
  });
  const chosen = chosenAmong(selected, list.data?.rows.map(row => row.number) ?? []);
  const removeChosen = async () => {
    if (await remove(chosen)) setSelected(new Set());
  };
  const add = (
    <RoleButton need="sender" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t.blacklist.add}
    </RoleButton>
  );
  return (
    <Page title={t.blacklist.title} actions={add}>
      {list.data && list.data.total > 0 && (
        <div>
          <p className="answer-head">{t.blacklist.head(number(list.data.total))}</p>
          <p className="answer-rest">{t.blacklist.lead}</p>
        </div>
      )}
      <List of={list}>
        <SelectionBar count={chosen.length} onClear={() => setSelected(new Set())}>
          <RoleButton need="sender" size="xs" variant="default" loading={isPending} onClick={() => void removeChosen()}>
            {t.blacklist.removeMany(number(chosen.length))}
          </RoleButton>
        </SelectionBar>
      </List>
      <BlacklistAdd opened={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}

/** Asks why, since the reason is kept with the removal. */
export function useBlacklistRemove() {
  const change = useChange('blacklist.remove', {
    done: ({ removed }) => (removed === 1 ? t.blacklist.removed : t.blacklist.removedMany(number(removed))),
  });
  const { mutate } = change;
  const remove = useMemo(
    () => async (numbers: string[]) => {
      const [first = ''] = numbers;
      const question = {
        title:
          numbers.length === 1 ? t.blacklist.removeTitle(phone(first)) : t.blacklist.removeMany(number(numbers.length)),
        body: t.blacklist.removeBody,
        action: t.common.remove,
        danger: true,
        reason: t.blacklist.removeReason,
      };
      const reason = await ask(question);
      if (reason !== null) mutate({ numbers, reason });
      return reason !== null;
    },
    [mutate],
  );
  return { remove, isPending: change.isPending };
}

function blacklistColumns(remove: (number: string) => void): Column<Line>[] {
  return [
    { id: 'number', header: t.blacklist.number, cell: row => <PhoneNumber value={row.number} />, phone: 'title' },
    {
      id: 'added',
      header: t.blacklist.added,
      cell: row => <Time at={row.addedAt} />,
      sort: row => row.addedAt,
      phone: 'line',
    },
    {
      id: 'source',
      header: t.blacklist.source,
      cell: row => t.blacklistSources[row.source],
      sort: row => row.source,
      phone: 'line',
    },
    { id: 'note', header: t.blacklist.note, cell: row => row.note ?? '–', hideable: true },
    {
      id: 'remove',
      header: '',
      align: 'right',
      phone: 'state',
      cell: row => (
        <RoleButton
          need="sender"
          size="compact-xs"
          variant="default"
          aria-label={`${t.common.remove}: ${phone(row.number)}`}
          onClick={() => remove(row.number)}
        >
          {t.common.remove}
        </RoleButton>
      ),
    },
  ];
}
