// Above every list: search, filters (in a drawer with a count on a phone), export of the filtered set. All of it lives
// in the address. Esc outside a field clears the filters.
import { ActionIcon, Button, Drawer, Group, Menu, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustments, IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ExportKind } from '../../../src/panel-api/facts.ts';
import { sentenceOf } from '../api.ts';
import { queryClient } from '../queries.ts';
import { t } from '../text/language.ts';
import { type Filter, FilterField, keysOf, SearchField } from './filter-fields.tsx';
import { cursorKey, openKey, useSearchState } from './search-state.ts';
import { isTyping } from './shortcut-rules.ts';
import { takeExport } from './take-export.ts';
import { showFailure, showSuccess } from './toast.tsx';

type Props = {
  search?: { key: string; label: string };
  filters: Filter[];
  exported?: { kind: ExportKind; filter: Record<string, unknown> };
};

/** What the address holds of a list: filter values, cursor, open row, and how to change them. */
export function useList(keys: string[]) {
  const [search, change] = useSearchState();
  const value = (key: string): string | undefined => search[key] || undefined;
  const filtered = keys.some(key => value(key) !== undefined);
  const clear = () => change(Object.fromEntries(keys.map(key => [key, null])));
  return { value, filtered, clear, change, cursor: value(cursorKey), open: value(openKey) };
}

export function ListTools(props: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [search, change] = useSearchState();
  const [opened, setOpened] = useState(false);
  const active = props.filters.filter(filter => keysOf(filter).some(key => search[key])).length;
  const filterKeys = props.filters.flatMap(keysOf);
  const clear = (keys: string[]) => change(Object.fromEntries(keys.map(key => [key, null])));
  useEscapeClears(() => {
    const used = [...filterKeys, props.search?.key ?? ''].filter(key => search[key]);
    if (used.length > 0) clear(used);
  });
  const fields = props.filters.map(filter => (
    <FilterField key={filter.key} filter={filter} values={search} onChange={change} />
  ));
  return (
    <Group gap="xs" align="flex-end">
      {props.search && (
        <SearchField
          main
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
          px={8}
          leftSection={<IconX size={14} />}
          onClick={() => clear(filterKeys)}
        >
          {t.table.clear}
        </Button>
      )}
      {props.exported && <ExportMenu {...props.exported} narrow={narrow} />}
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.table.filters}
        position="bottom"
        size="auto"
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <Stack gap="sm">
          {fields}
          {active > 0 && (
            <Button variant="default" onClick={() => clear(filterKeys)}>
              {t.table.clear}
            </Button>
          )}
        </Stack>
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

function ExportMenu(props: { kind: ExportKind; filter: Record<string, unknown>; narrow: boolean }) {
  const [busy, setBusy] = useState(false);
  const take = async (format: 'csv' | 'xlsx') => {
    setBusy(true);
    try {
      const started = await takeExport(props.kind, format, props.filter);
      if (started === 'queued') {
        showSuccess(t.bell.exportQueued);
        void queryClient.invalidateQueries({ queryKey: ['live'] });
      }
    } catch (error) {
      showFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {/* Beside search and filters there is no room for the word on a phone. */}
        {props.narrow ? (
          <ActionIcon variant="default" size={44} aria-label={t.table.export} loading={busy}>
            <IconDownload size={18} />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={busy}>
            {t.table.export}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.table.exportNote}</Menu.Label>
        <Menu.Item onClick={() => void take('csv')}>{t.table.csv}</Menu.Item>
        <Menu.Item onClick={() => void take('xlsx')}>{t.table.xlsx}</Menu.Item>
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
