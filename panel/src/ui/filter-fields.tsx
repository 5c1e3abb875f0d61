// The fields of a list's filters. Days are chosen as a span: one of three presets, or from and to.
import { Button, Group, NativeSelect, Popover, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { IconCalendar, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { date, toTurkeyTime, turkeyMoment } from '../format.ts';
import { t } from '../text/language.ts';
import { dayIn, fromKey, toKey } from './days.ts';
import type { Search, SearchChange, SearchKey } from './search-state.ts';
import { useKeys } from './shortcut-rules.ts';

export type Filter =
  | { key: SearchKey; label: string; kind: 'select'; options: { value: string; label: string }[] }
  | { key: SearchKey; label: string; kind: 'text' }
  | { key: SearchKey; label: string; kind: 'days' }
  /** Chosen by the tabs above the list. */
  | { key: SearchKey; label: string; kind: 'tab' };

type Change = (changes: SearchChange, replace?: boolean) => void;

export const daysFilter = () => ({ key: fromKey, label: t.common.date, kind: 'days' as const });

type Props = { filter: Filter; values: Search; onChange: Change };

export function FilterField({ filter, values, onChange }: Props) {
  if (filter.kind === 'tab') return null;
  if (filter.kind === 'days') return <DaysField values={values} onChange={onChange} />;
  if (filter.kind === 'text') {
    return <SearchField name={filter.key} label={filter.label} value={values[filter.key] ?? ''} onChange={onChange} />;
  }
  return (
    <NativeSelect
      aria-label={filter.label}
      value={values[filter.key] ?? ''}
      onChange={event => onChange({ [filter.key]: event.currentTarget.value || null })}
      data={[
        { value: '', label: `+ ${filter.label}` },
        ...filter.options.map(({ value, label }) => ({ value, label })),
      ]}
      className={`filter-chip ${values[filter.key] ? 'chosen' : ''}`}
    />
  );
}

const DayRange = lazy(() => import('./day-range.tsx'));
const typingPauseMs = 350;

export function SearchField(props: { name: string; label: string; value: string; onChange: Change; main?: boolean }) {
  const [text, setText] = useState(props.value);
  useEffect(() => setText(props.value), [props.value]);
  const commit = useDebouncedCallback(
    (value: string) => props.onChange({ [props.name]: value.trim() || null }, true),
    typingPauseMs,
  );
  // What is typed is in the address before anything that leads elsewhere: going back finds it again.
  useWindowEvent('click', () => commit.flush(), true);
  useWindowEvent('keydown', event => /^(Enter|Tab)$/.test(event.key) && commit.flush(), true);
  return (
    <TextInput
      aria-label={props.label}
      placeholder={props.label}
      data-list-search={props.main || undefined}
      type="search"
      leftSection={<IconSearch size={15} />}
      value={text}
      className={props.main ? 'search-main' : 'search-other'}
      onChange={event => {
        setText(event.currentTarget.value);
        commit(event.currentTarget.value);
      }}
    />
  );
}

const dayMs = 86_400_000;
const dayOf = (offset: number): string => toTurkeyTime(new Date(Date.now() + offset * dayMs)).slice(0, 10);

function DaysField({ values, onChange }: { values: Search; onChange: Change }) {
  const [opened, setOpened] = useState(false);
  const [from, to] = [dayIn(values, fromKey), dayIn(values, toKey)];
  const shown = (day: string | undefined) => (day ? date(turkeyMoment(day)) : '…');
  const spans: [label: string, days: number][] = [
    [t.common.today, 0],
    [t.common.lastWeek, -6],
    [t.common.lastMonth, -29],
  ];
  const choose = (days: number) => {
    onChange({ [fromKey]: dayOf(days), [toKey]: dayOf(0) });
    setOpened(false);
  };
  useKeys({ d: () => choose(0), w: () => choose(-6), m: () => choose(-29) });
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          className={`chip ${from || to ? 'chosen' : ''}`}
          leftSection={<IconCalendar size={15} stroke={1.7} />}
          onClick={() => setOpened(!opened)}
        >
          {from || to ? `${shown(from)} – ${shown(to)}` : t.common.date}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Group gap="sm">
            {spans.map(([label, days]) => (
              <Button key={label} size="xs" variant="default" onClick={() => choose(days)}>
                {label}
              </Button>
            ))}
          </Group>
          <Suspense fallback={<Skeleton height={330} w={254} />}>
            <DayRange
              from={from}
              to={to}
              onChange={(first, last) => onChange({ [fromKey]: first ?? null, [toKey]: last ?? null })}
            />
          </Suspense>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
