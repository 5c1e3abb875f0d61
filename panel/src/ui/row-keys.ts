// j and k move through the rows of a list, Enter opens the marked row. Single keys can be switched off (WCAG 2.1.4).
import { useEffect, useState } from 'react';
import { isTyping, shortcutsOn } from './shortcut-rules.ts';

export function useRowKeys<Row>(rows: Row[], onOpen?: (row: Row) => void): number {
  const [marked, setMarked] = useState(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!onOpen || !shortcutsOn() || isTyping(event)) return;
      if (event.key === 'j') setMarked(at => Math.min(rows.length - 1, at + 1));
      else if (event.key === 'k') setMarked(at => Math.max(0, at - 1));
      else if (event.key === 'Enter' && marked >= 0 && !isControl(event.target)) {
        const row = rows[marked];
        if (row) onOpen(row);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [rows, onOpen, marked]);
  return marked < rows.length ? marked : -1;
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, [role="dialog"]') !== null;
