// The draft on the server, a moment after the last change: stored, and where there are recipients judged. Counts, price and
// refusals come from there; the page computes none of them.
import { useEffect } from 'react';
import type { PanelError } from '../../../../src/panel-api/shapes.ts';
import { call, Fault } from '../../api.ts';
import { askBook } from '../../recipients/client.ts';
import { currentDraft, headOf, isStarted, keepDraft, takeOver, useDraft } from './draft.ts';

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
    const timer = setTimeout(() => void keep(key), pauseMs);
    return () => clearTimeout(timer);
  }, [key, count, isWorth]);
}

async function keep(key: string): Promise<void> {
  const isCurrent = () => currentDraft().key === key;
  const onShare = (share: number) => isCurrent() && keepDraft({ share });
  const { fileName } = currentDraft();
  const kept = await askBook('keep', { head: headOf(currentDraft()), fileName }, onShare);
  if (!kept || !isCurrent()) return;
  keepDraft({ share: null });
  if (!kept.ok) return await failed(key, kept.error);
  keepDraft({ id: kept.data.id, keptKey: key });
  const { preview } = kept.data;
  if (!preview) return keepDraft({ isChecking: false });
  if (!preview.ok) return await failed(key, preview.error);
  keepDraft({ preview: preview.data, previewKey: key, isChecking: false, failure: null });
}

async function failed(key: string, error: PanelError): Promise<void> {
  if (error.code !== 'signed-out') return keepDraft({ isChecking: false, failure: new Fault(error) });
  // Opens the dialog; what was to be kept is kept afterwards.
  try {
    await call('send.options', {});
  } catch (other) {
    return keepDraft({ isChecking: false, failure: other });
  }
  await keep(key);
}

/** Goes on with a draft of the server; false when it is gone. */
export async function openDraft(id: number): Promise<boolean> {
  keepDraft({ isReading: true, readShare: 0 });
  const opened = await askBook('open', { id }, readShare => keepDraft({ readShare }));
  keepDraft({ isReading: false });
  if (!opened.ok) return false;
  takeOver(id, opened.data);
  return true;
}
