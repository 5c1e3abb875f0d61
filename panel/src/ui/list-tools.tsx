// Above every list: search, filters (in a drawer with a count on a phone) and export. Their values are in the address. Esc
// outside a field clears the filters.
import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustments, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { ExportKind } from '../../../src/panel-api/contract/facts.ts';
import { t } from '../text/language.ts';
import { keysOf } from './days.ts';
import { ExportMenu } from './export-menu.tsx';
import { type Filter, FilterField, SearchField } from './filter-fields.tsx';
import { type SearchKey, useSearchState } from './search-state.ts';
import { isTyping } from './shortcut-rules.ts';

type Props = {
  search?: { key: SearchKey; label: string };
  filters: Filter[];
  exported?: { kind: ExportKind; filter: Record<string, unknown> };
  columns?: ReactNode;
  compact?: boolean;
};

export function ListTools(props: Props) {
  const phone = useMediaQuery('(max-width: 47.9em)', false, { getInitialValueInEffect: false });
  const narrow = phone || props.compact === true;
  const [search, change] = useSearchState();
  const [opened, setOpened] = useState(false);
  const drawn = props.filters.filter(filter => filter.kind !== 'tab');
  const active = drawn.filter(filter => keysOf(filter).some(key => search[key])).length;
  const filterKeys = props.filters.flatMap(keysOf);
  const clear = (keys: SearchKey[]) => change(Object.fromEntries(keys.map(key => [key, null])));
  useEscapeClears(() => {
    const used = [...filterKeys, ...(props.search ? [props.search.key] : [])].filter(key => search[key]);
    if (used.length > 0) clear(used);
  });
  const fields = drawn.map(filter => (
    <FilterField key={filter.key} filter={filter} values={search} onChange={change} />
  ));
  return (
    <Group gap="sm" className="list-tools">
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
      {narrow && drawn.length > 0 && (
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
      <span className="list-tools-end" />
      {!narrow && props.columns}
      {props.exported && <ExportMenu {...props.exported} narrow={narrow} />}
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.table.filters}
        position={phone ? 'bottom' : 'right'}
        size={phone ? 'auto' : undefined}
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
