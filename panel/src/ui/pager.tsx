// Page after page: forward by the cursor of the server, back by the browser's own button, and to the first page.
import { Button, Group } from '@mantine/core';
import { t } from '../text/language.ts';
import { cursorKey, type SearchKey, useSearchState } from './search-state.ts';

export function Pager({ next, name = cursorKey }: { next: string | null | undefined; name?: SearchKey }) {
  const [search, change] = useSearchState();
  if (!next && !search[name]) return null;
  return (
    <Group gap="sm">
      {search[name] && (
        <Button variant="default" size="xs" onClick={() => change({ [name]: null })}>
          {t.table.firstPage}
        </Button>
      )}
      {next && (
        <Button variant="default" size="xs" onClick={() => change({ [name]: next })}>
          {t.table.nextPage}
        </Button>
      )}
    </Group>
  );
}
