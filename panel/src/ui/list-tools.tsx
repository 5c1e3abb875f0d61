// Above every list: search, filters (in a drawer with a count on a phone), export of the filtered set. All of it lives
// in the address. Esc outside a field clears the filters.
import { Button, Drawer, Group, Menu, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { IconAdjustments, IconDownload, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ExportKind } from '../../../src/panel-api/contract.ts';
import { exportAddress } from '../api.ts';
import { languageCode, t } from '../text/language.ts';
import { cursorKey, openKey, tabKey, useSearchState } from './search-state.ts';
import { isTyping } from './shortcut-rules.ts';

export type Filter =
  | { key: string; label: string; kind: 'select'; options: { value: string; label: string }[] }
  | { key: string; label: string; kind: 'text' | 'date' };

type Props = {
  search?: { key: string; label: string };
  filters: Filter[];
  exported?: { kind: ExportKind; filter: Record<string, unknown> };
  children?: ReactNode;
};

const typingPauseMs = 350;
const notFilters = [cursorKey, openKey, tabKey];

/** What the address holds of a list: filter values, cursor, open row, and how to change them. */
export function useList(keys: string[]) {
  const [search, change] = useSearchState();
  const value = (key: string): string | undefined => search[key] || undefined;
  const filtered = keys.some(key => value(key) !== undefined);
  const clear = () => change(Object.fromEntries(keys.map(key => [key, null])));
  return { value, filtered, clear, change, cursor: value(cursorKey), open: value(openKey) };
}

/** Days of the filter fields as instants: the whole day in Turkey. */
export const dayStart = (day: string | undefined): string | undefined =>
  day ? new Date(`${day}T00:00:00+03:00`).toISOString() : undefined;
export const dayEnd = (day: string | undefined): string | undefined =>
  day ? new Date(`${day}T23:59:59.999+03:00`).toISOString() : undefined;

export function ListTools(props: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [search, change] = useSearchState();
  const [opened, setOpened] = useState(false);
  const active = props.filters.filter(filter => search[filter.key]).length;
  useEscapeClears(() => {
    const keys = Object.keys(search).filter(key => !notFilters.includes(key));
    if (keys.length > 0) change(Object.fromEntries(keys.map(key => [key, null])));
  });
  const fields = props.filters.map(filter => (
    <FilterField
      key={filter.key}
      filter={filter}
      value={search[filter.key] ?? ''}
      onChange={value => change({ [filter.key]: value })}
    />
  ));
  return (
    <Group gap="xs" align="flex-end">
      {props.search && (
        <SearchField
          name={props.search.key}
          label={props.search.label}
          value={search[props.search.key] ?? ''}
          onChange={change}
        />
      )}
      {!narrow && fields}
      {narrow && props.filters.length > 0 && (
        <Button variant="default" leftSection={<IconAdjustments size={16} />} onClick={() => setOpened(true)}>
          {active > 0 ? t.table.filtersOn(active) : t.table.filters}
        </Button>
      )}
      {active > 0 && !narrow && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => change(Object.fromEntries(props.filters.map(filter => [filter.key, null])))}
        >
          {t.table.clear}
        </Button>
      )}
      {props.exported && <ExportMenu {...props.exported} />}
      {props.children}
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.table.filters}
        position="bottom"
        size="auto"
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <Stack gap="sm">{fields}</Stack>
      </Drawer>
    </Group>
  );
}

function useEscapeClears(clear: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isTyping(event) && !document.querySelector('[role="dialog"]')) clear();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

function SearchField(props: {
  name: string;
  label: string;
  value: string;
  onChange: (change: Record<string, string>, replace?: boolean) => void;
}) {
  const [text, setText] = useState(props.value);
  useEffect(() => setText(props.value), [props.value]);
  const commit = useDebouncedCallback(
    (value: string) => props.onChange({ [props.name]: value.trim() }, true),
    typingPauseMs,
  );
  return (
    <TextInput
      aria-label={props.label}
      placeholder={props.label}
      data-list-search
      type="search"
      leftSection={<IconSearch size={15} />}
      value={text}
      style={{ flex: '1 1 200px', maxWidth: 320 }}
      onChange={event => {
        setText(event.currentTarget.value);
        commit(event.currentTarget.value);
      }}
    />
  );
}

function FilterField(props: { filter: Filter; value: string; onChange: (value: string | null) => void }) {
  const { filter } = props;
  if (filter.kind === 'select') {
    return (
      <NativeSelect
        aria-label={filter.label}
        value={props.value}
        onChange={event => props.onChange(event.currentTarget.value || null)}
        data={[{ value: '', label: `${filter.label}: ${t.common.all}` }, ...filter.options]}
      />
    );
  }
  if (filter.kind === 'date') {
    return (
      <TextInput
        type="date"
        aria-label={filter.label}
        title={filter.label}
        value={props.value}
        w={{ base: '100%', sm: 150 }}
        onChange={event => props.onChange(event.currentTarget.value || null)}
      />
    );
  }
  return (
    <SearchField
      name={filter.key}
      label={filter.label}
      value={props.value}
      onChange={change => props.onChange(change[filter.key] || null)}
    />
  );
}

export function ExportMenu(props: { kind: ExportKind; filter: Record<string, unknown> }) {
  const filter = { ...props.filter, language: languageCode() };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          {t.table.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.table.exportNote}</Menu.Label>
        <Menu.Item component="a" href={exportAddress(props.kind, 'csv', filter)} download>
          {t.table.csv}
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(props.kind, 'xlsx', filter)} download>
          {t.table.xlsx}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Keyset paging: forward by cursor, back by the browser's own button, and a way to the top. */
export function Pager(props: { next: string | null | undefined }) {
  const [search, change] = useSearchState();
  if (!props.next && !search[cursorKey]) return null;
  return (
    <Group gap="xs">
      {search[cursorKey] && (
        <Button variant="default" size="xs" onClick={() => change({ [cursorKey]: null })}>
          {t.table.firstPage}
        </Button>
      )}
      {props.next && (
        <Button variant="default" size="xs" onClick={() => change({ [cursorKey]: props.next ?? null })}>
          {t.table.nextPage}
        </Button>
      )}
    </Group>
  );
}
