// Which columns of a table are shown; stored in the browser.
import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { useState } from 'react';
import { preferenceKeys, readPreference, writePreference } from '../preferences.ts';
import { t } from '../text/language.ts';
import type { Column } from './table-column.ts';

export function useHiddenColumns<Row>(table: string, columns: Column<Row>[]): [string[], (ids: string[]) => void] {
  const key = preferenceKeys.columns + table;
  const atFirst = columns.filter(column => column.hideable === 'hidden-at-first').map(column => column.id);
  const [hidden, setHidden] = useState(() => readPreference(key)?.split(',').filter(Boolean) ?? atFirst);
  const change = (ids: string[]) => {
    setHidden(ids);
    writePreference(key, ids.join(','));
  };
  return [hidden, change];
}

export function ColumnChoice<Row>(props: {
  columns: Column<Row>[];
  hidden: string[];
  onChange: (ids: string[]) => void;
}) {
  const hideable = props.columns.filter(column => column.hideable);
  if (hideable.length === 0) return null;
  const toggle = (id: string, on: boolean) =>
    props.onChange(on ? props.hidden.filter(hidden => hidden !== id) : [...props.hidden, id]);
  return (
    <Popover position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant="subtle" color="gray" px={8} leftSection={<IconColumns size={16} stroke={1.7} />}>
          {t.table.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {hideable.map(column => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.header}
              checked={!props.hidden.includes(column.id)}
              onChange={event => toggle(column.id, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
