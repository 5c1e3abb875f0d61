// The checkboxes of rows and of the whole page, and the bar with the number of selected rows.
import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { number } from '../format.ts';
import { t } from '../text/language.ts';
import type { Selection } from './table-column.ts';
import { toggled } from './toggled.ts';

export function SelectRow<Row>(props: { row: Row; name: string; selection: Selection<Row> }) {
  const { keys, onChange, nameOf } = props.selection;
  return (
    <Checkbox
      size="xs"
      aria-label={t.table.selectRow(nameOf(props.row))}
      checked={keys.has(props.name)}
      onChange={event => onChange(toggled(keys, [props.name], event.currentTarget.checked))}
    />
  );
}

export function toggleRow<Row>({ keys, onChange }: Selection<Row>, name: string): void {
  onChange(toggled(keys, [name], !keys.has(name)));
}

export function SelectAll<Row>(props: { rows: Row[]; rowKey: (row: Row) => string; selection: Selection<Row> }) {
  const { keys, onChange } = props.selection;
  const names = props.rows.map(props.rowKey);
  const chosen = names.filter(name => keys.has(name)).length;
  return (
    <th scope="col" style={{ width: 32 }}>
      <Checkbox
        size="xs"
        aria-label={t.table.selectAll}
        checked={names.length > 0 && chosen === names.length}
        indeterminate={chosen > 0 && chosen < names.length}
        onChange={event => onChange(toggled(keys, names, event.currentTarget.checked))}
      />
    </th>
  );
}

export function SelectionBar(props: { count: number; onClear: () => void; children: ReactNode }) {
  if (props.count === 0) return null;
  return (
    <Group gap="sm" role="status" className="sticky-actions">
      <Text size="sm" fw="var(--fw-strong)">
        {t.table.selected(number(props.count))}
      </Text>
      {props.children}
      <Button variant="subtle" color="gray" size="xs" onClick={props.onClear}>
        {t.table.unselect}
      </Button>
    </Group>
  );
}
