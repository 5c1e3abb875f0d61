// The filtered list as a file: at once, or through the bell if it is large.
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExportKind } from '../../../src/panel-api/contract/facts.ts';
import { sentenceOf } from '../api.ts';
import { queryClient } from '../queries.ts';
import { t } from '../text/language.ts';
import { takeExport } from './take-export.ts';
import { showFailure, showSuccess } from './toast.tsx';

export function ExportMenu(props: { kind: ExportKind; filter: Record<string, unknown>; narrow: boolean }) {
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
          <ActionIcon variant="default" size={30} aria-label={t.table.export} aria-keyshortcuts="e" loading={busy}>
            <IconDownload size={18} />
          </ActionIcon>
        ) : (
          <Button variant="default" aria-keyshortcuts="e" leftSection={<IconDownload size={16} />} loading={busy}>
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
