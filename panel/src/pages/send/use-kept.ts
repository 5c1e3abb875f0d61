// Saves the draft on the server a moment after the last change, and checks it if there are recipients. Counts, price
// and refusals come from the server; the page computes none of them.
import { useEffect } from 'react';
import { askBook } from '../../recipients/client.ts';
import { currentDraft, isStarted, keepDraft, takeOver, useDraft } from './draft.ts';
import { keepOnServer } from './keep.ts';

const pauseMs = 500;

export function useKept(isAllowed: boolean): void {
  const draft = useDraft();
  const count = draft.summary?.count ?? 0;
  const isWorth = isAllowed && isStarted(draft);
  const { key } = draft;
  useEffect(() => {
    if (!isWorth) return;
    if (currentDraft().keptKey === key && (count === 0 || currentDraft().previewKey === key)) return;
    keepDraft({ isChecking: count > 0, share: null, ...(count === 0 ? { preview: null, failure: null } : {}) });
    const timer = setTimeout(() => void keepOnServer(key), pauseMs);
    return () => clearTimeout(timer);
  }, [key, count, isWorth]);
}

/** Continues a draft of the server; false if it is gone. */
export async function openDraft(id: number): Promise<boolean> {
  keepDraft({ isReading: true, readShare: 0 });
  const opened = await askBook('open', { id }, readShare => keepDraft({ readShare }));
  keepDraft({ isReading: false });
  if (!opened.ok) return false;
  takeOver(id, opened.data);
  return true;
}
