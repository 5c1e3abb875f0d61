// The state of a view in its address: filters, page, tab, open drawer. Plain strings, so that a link can be read and edited by
// hand. Changing a filter resets the page.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Every key that an address of the console may carry. A link with another key does not compile. */
const searchKeys = [
  'ac',
  'adres',
  'anahtar',
  'ara',
  'bas',
  'baslik',
  'bit',
  'code',
  'dilim',
  'donem',
  'donus',
  'durum',
  'ekle',
  'esitleme',
  'giris',
  'grafik',
  'gun',
  'hesap',
  'ilgi',
  'imlec',
  'islem',
  'izin',
  'kanal',
  'kaynak',
  'kelime',
  'kim',
  'kod',
  'kullanici',
  'marka',
  'numara',
  'once',
  'operator',
  'sayfa',
  'sebep',
  'sekme',
  'siparis',
  'sorgu',
  'state',
  'taslak',
  'tek',
  'ticari',
  'tip',
  'tur',
] as const;
export type SearchKey = (typeof searchKeys)[number];
export type Search = { [Key in SearchKey]?: string };
export type SearchChange = { [Key in SearchKey]?: string | null };
export const cursorKey = 'imlec' as const;
/** For lists with page numbers. */
export const pageKey = 'sayfa' as const;
export const openKey = 'ac';
export const tabKey = 'sekme';

export function useSearchState(): [Search, (change: SearchChange, replace?: boolean) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchChange, replace = false) => {
      void navigate({ to: '.', search: old => merged(old, changes), replace, resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}

const pageKeys: SearchKey[] = [cursorKey, pageKey];

export function merged(old: Search, changes: SearchChange): Search {
  const next: Search = { ...old };
  const given = Object.entries(changes) as [SearchKey, string | null][];
  const filtersChange = given.some(([key]) => key !== openKey && !pageKeys.includes(key));
  if (filtersChange) for (const key of pageKeys) delete next[key];
  for (const [key, value] of given) {
    if (value === null || value === '') delete next[key];
    else next[key] = value;
  }
  return next;
}

/** What of an address the pages read: the known keys that have a value. */
export function validSearch(given: Record<string, unknown>): Search {
  const known = searchKeys.filter(key => typeof given[key] === 'string' && given[key] !== '');
  return Object.fromEntries(known.map(key => [key, given[key]])) as Search;
}

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const filled = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '');
  const text = new URLSearchParams(filled as [string, string][]).toString();
  return text ? `?${text}` : '';
}
