// The "12 new" button: rows that arrived while the list was scrolled or filtered.
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { number } from '../format.ts';
import { t } from '../text/language.ts';

export function FreshRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div aria-live="polite" className="fresh-rows">
      {count > 0 && (
        <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={onShow}>
          {t.table.fresh(number(count))}
        </Button>
      )}
    </div>
  );
}
