// The state of a view in its address: filters, page, tab, open drawer. Plain strings, so that a link can be read and edited by
// hand. Changing a filter resets the page.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Record<string, string>;
export const cursorKey = 'imlec';
/** For lists with page numbers. */
export const pageKey = 'sayfa';
export const openKey = 'ac';
export const tabKey = 'sekme';

export function useSearchState(): [Search, (change: Record<string, string | null>, replace?: boolean) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Record<string, string | null>, replace = false) => {
      void navigate({ to: '.', search: ((old: Search) => merged(old, changes)) as never, replace, resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}

const pageKeys = [cursorKey, pageKey];

export function merged(old: Search, changes: Record<string, string | null>): Search {
  const next: Search = { ...old };
  const filtersChange = Object.keys(changes).some(key => key !== openKey && !pageKeys.includes(key));
  if (filtersChange) for (const key of pageKeys) delete next[key];
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') delete next[key];
    else next[key] = value;
  }
  return next;
}

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const filled = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const text = new URLSearchParams(filled as [string, string][]).toString();
  return text ? `?${text}` : '';
}
