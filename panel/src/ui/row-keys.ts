// How a row of a list is opened: by a click anywhere in it (a middle click in another tab, where it has an address) or, when it
// has the focus, by Enter or Space. The list has one tab stop, its marked row; j, k and the arrows move it, x selects.
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { base } from '../paths.ts';
import { useKeys } from './shortcut-rules.ts';

type Acts<Row> = {
  onOpen?: (row: Row) => void;
  rowPath?: (row: Row) => string;
  onSelect?: (row: Row) => void;
  /** What a row opens stands beside the list, so moving opens. */
  follows?: boolean;
};

/** For the element of a row, whatever it is. */
export type RowProps = {
  className: string;
  tabIndex?: number;
  ref?: (element: HTMLElement | null) => void;
  onClick?: (event: MouseEvent) => void;
  onAuxClick?: (event: MouseEvent) => void;
  onFocus?: (event: FocusEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};

export function useRowKeys<Row>(rows: Row[], acts: Acts<Row>): (row: Row, at: number) => RowProps {
  const { onOpen, rowPath, onSelect, follows } = acts;
  const [chosen, setMarked] = useState(-1);
  const marked = chosen < rows.length ? chosen : -1;
  const markedRow = useRef<HTMLElement>(null);
  // So that a screen reader reads it, and a drawer that closes gives the focus back to it.
  useEffect(() => {
    if (marked >= 0) markedRow.current?.focus();
  }, [marked]);
  const act = onOpen ?? onSelect;
  const go = (to: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (!act || !next) return;
    setMarked(rows.indexOf(next));
    if (follows) onOpen?.(next);
  };
  useKeys({
    j: () => go(marked + 1),
    k: () => go(marked - 1),
    x: () => marked >= 0 && onSelect?.(rows[marked]!),
  });
  if (!act) return () => ({ className: '' });

  return (row, at) => ({
    className: `${onOpen ? 'opens' : ''} ${at === marked ? 'marked' : ''}`,
    tabIndex: at === Math.max(0, marked) ? 0 : -1,
    ref: element => {
      if (at === marked) markedRow.current = element;
    },
    onClick: event => onOpen && openByClick(event, row, onOpen, rowPath),
    onAuxClick: event => onOpen && openByClick(event, row, onOpen, rowPath),
    onFocus: event => event.target === event.currentTarget && setMarked(at),
    onKeyDown: event => {
      // Not when a link or a button of the row has the focus.
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter' || event.key === ' ') act(row);
      else if (event.key === 'ArrowDown') go(at + 1);
      else if (event.key === 'ArrowUp') go(at - 1);
      else return;
      event.preventDefault();
    },
  });
}

function openByClick<Row>(event: MouseEvent, row: Row, onOpen: (row: Row) => void, path: Acts<Row>['rowPath']): void {
  const target = event.target as HTMLElement;
  if (target.closest('a, button, input, label') || window.getSelection()?.toString()) return;
  const elsewhere = event.button === 1 || event.ctrlKey || event.metaKey;
  if (elsewhere && path) window.open(`${base}${path(row)}`, '_blank', 'noopener');
  else if (event.button === 0) onOpen(row);
}
