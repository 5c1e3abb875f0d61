// The menu of a chart: its figures as a table, and as a file.
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { t } from '../text/language.ts';
import { downloadText, toCsv } from './download.ts';

type Props = {
  title: string;
  table: () => (string | number)[][];
  asTable: boolean;
  onTable: () => void;
};

export function ChartMenu({ title, table, asTable, onTable }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t.charts.menu}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onTable}>{asTable ? t.table.asChart : t.table.asTable}</Menu.Item>
        <Menu.Item onClick={() => downloadText(`${title}.csv`, toCsv(table()))}>{t.table.downloadCsv}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
