// Shown instead of rows: the list is empty, or nothing matches the filters, with a button that clears them.
import { Button, Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text/language.ts';
import { Empty } from './notes.tsx';

export function NoRows(props: { empty: ReactNode; filtered?: boolean; onClear?: () => void }) {
  if (!props.filtered) return props.empty;
  return (
    <Empty
      title={t.table.noneMatch}
      action={
        <Button variant="default" rightSection={<Kbd aria-hidden>Esc</Kbd>} onClick={props.onClear}>
          {t.table.clear}
        </Button>
      }
    />
  );
}
