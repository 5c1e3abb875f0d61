// The server's dry run of the draft, asked for again a moment after the last change. Counts, price and refusals come
// from there; the page computes none of them.
import { useEffect } from 'react';
import { call, Fault } from '../../api.ts';
import { askBook } from '../../recipients/client.ts';
import { currentDraft, headOf, keepDraft, useDraft } from './draft.ts';

const pauseMs = 500;

export function usePreview(perOrder: number | undefined): void {
  const draft = useDraft();
  const count = draft.summary?.count ?? 0;
  const { key } = draft;
  useEffect(() => {
    if (!perOrder) return;
    if (count === 0) {
      keepDraft({ preview: null, isChecking: false, failure: null });
      return;
    }
    keepDraft({ isChecking: true, share: null });
    const timer = setTimeout(() => void refresh(key, perOrder), pauseMs);
    return () => clearTimeout(timer);
  }, [key, count, perOrder]);
}

async function refresh(key: string, perOrder: number): Promise<void> {
  const isCurrent = () => currentDraft().key === key;
  const onShare = (share: number) => isCurrent() && keepDraft({ share });
  const answer = await askBook('prepare', { draft: headOf(currentDraft()), perOrder }, onShare);
  if (!isCurrent()) return;
  keepDraft({ share: null });
  if (answer.ok) keepDraft({ preview: answer.data, isChecking: false, failure: null });
  else if (answer.error.code === 'signed-out') {
    // Opens the dialog; the dry run is made again afterwards.
    await call('send.options', {});
    await refresh(key, perOrder);
  } else keepDraft({ isChecking: false, failure: new Fault(answer.error) });
}
