// What a screen reader and the keyboard need when a filter, a page or another try changes the rows of a list: their number is
// announced, and the focus moves to the rows when the button that had it is gone.
import { type RefObject, useEffect, useRef } from 'react';
import { number } from '../format.ts';
import { t } from '../text/language.ts';
import { announce } from './announce.tsx';

/** `question`: what the list asked the server. `rows`: how many came, undefined while the answer is on its way. */
export function useSpokenRows(
  question: string,
  rows: number | undefined,
  failed: boolean,
): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const state = `${failed} ${question}`;
  // The first rows of a page are not announced: its heading is.
  const spoken = useRef(state);
  useEffect(() => {
    if (spoken.current === state || (rows === undefined && !failed)) return;
    spoken.current = state;
    if (failed || rows === undefined) return;
    announce(rows === 0 ? t.table.noneMatch : t.bell.rows(number(rows)));
    if (document.activeElement === document.body) list.current?.querySelector<HTMLElement>('.list-rows')?.focus();
  }, [state, rows, failed]);
  return list;
}
