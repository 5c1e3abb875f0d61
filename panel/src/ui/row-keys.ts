// j and k move through the rows of a list, Enter opens the marked row, x selects it.
import { useState } from 'react';
import { useKeys } from './shortcut-rules.ts';

type Acts<Row> = {
  onOpen?: (row: Row) => void;
  onSelect?: (row: Row) => void;
  /** What a row opens stands beside the list, so moving opens. */
  follows?: boolean;
};

export function useRowKeys<Row>(rows: Row[], { onOpen, onSelect, follows }: Acts<Row>): number {
  const [marked, setMarked] = useState(-1);
  const row = rows[marked];
  const isUsed = onOpen !== undefined || onSelect !== undefined;
  const go = (to: number) => {
    const next = rows[to];
    if (!isUsed || !next) return;
    setMarked(to);
    if (follows) onOpen?.(next);
  };
  useKeys({
    j: () => go(Math.min(rows.length - 1, marked + 1)),
    k: () => go(Math.max(0, marked - 1)),
    x: () => row && onSelect?.(row),
    Enter: event => row && !isControl(event.target) && onOpen?.(row),
  });
  return marked < rows.length ? marked : -1;
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, [role="dialog"]') !== null;
