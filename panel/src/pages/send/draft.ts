// The message being made. Kept outside React for the life of the page, so that neither another page, the other language
// nor a new sign-in loses it, and on the server (use-kept.ts), so that neither a reload nor another machine does. The key
// belongs to the exact content: what the server said counts only for the key it was asked about.
import { useSyncExternalStore } from 'react';
import type { ConsentList } from '../../../../src/panel-api/consent/contract.ts';
import type { DraftHead, QuietHours } from '../../../../src/panel-api/send/contract.ts';
import { randomKey } from '../../api.ts';
import { askBook } from '../../recipients/client.ts';
import type { ListPreview, Opened, Summary } from '../../recipients/messages.ts';

export type Draft = {
  tab: 'type' | 'file';
  typed: string;
  fileName: string | null;
  summary: Summary | null;
  isReading: boolean;
  /** How much of the file has been read, while it is read. */
  readShare: number;
  sender: string;
  text: string;
  fallbacks: Record<string, string>;
  later: boolean;
  /** Turkey time YYYY-MM-DD HH:mm:ss. */
  sendAt: string | null;
  commercial: boolean;
  list: ConsentList;
  /** Recipients an hour; null: all at once. */
  perHour: number | null;
  /** Hours of the day in which nothing is begun. */
  quiet: QuietHours | null;
  /** The draft on the server. */
  id: number | null;
  /** The content that the server has. */
  keptKey: string | null;
  /** The server's dry run, of the content that `previewKey` names. */
  preview: (ListPreview & { version: number }) | null;
  previewKey: string | null;
  isChecking: boolean;
  /** How much of the list has left for the server, while it leaves. */
  share: number | null;
  failure: unknown;
  /** Send was pressed during the check: the content goes as soon as it is checked, unless it is edited before. */
  isWanted: boolean;
  key: string;
};

const contentKeys: (keyof Draft)[] = [
  'summary',
  'sender',
  'text',
  'fallbacks',
  'later',
  'sendAt',
  'commercial',
  'list',
  'perHour',
  'quiet',
];

const fresh = (): Draft => ({
  tab: 'type',
  typed: '',
  fileName: null,
  summary: null,
  isReading: false,
  readShare: 0,
  sender: '',
  text: '',
  fallbacks: {},
  later: false,
  sendAt: null,
  commercial: false,
  list: 'BIREYSEL',
  perHour: null,
  quiet: null,
  id: null,
  keptKey: null,
  preview: null,
  previewKey: null,
  isChecking: false,
  share: null,
  failure: null,
  isWanted: false,
  key: randomKey(),
});

let draft = fresh();
const listeners = new Set<() => void>();

export function keepDraft(change: Partial<Draft>): void {
  const edits = contentKeys.some(key => key in change && change[key] !== draft[key]);
  const isOther = edits || change.typed !== undefined;
  draft = { ...draft, ...(isOther && { isWanted: false }), ...change, ...(edits && { key: randomKey() }) };
  for (const listener of listeners) listener();
  if (change.typed !== undefined && !('summary' in change)) void readTyped(change.typed);
}

export const currentDraft = (): Draft => draft;

export function useDraft(): Draft {
  return useSyncExternalStore(listen, currentDraft);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function clearDraft(): Promise<void> {
  draft = fresh();
  for (const listener of listeners) listener();
  await askBook('clear', {});
}

async function readTyped(text: string): Promise<void> {
  const summary = await askBook('text', { text });
  // A press of Send after the last change stays valid: the rows are that text.
  const { isWanted } = draft;
  if (draft.typed === text) keepDraft({ summary, tab: 'type', fileName: null, isWanted });
}

/** Replaces the present content with a draft of the server. */
export function takeOver(id: number, { head, summary, fileName, typed }: Opened): void {
  const key = randomKey();
  const sendAt = head.sendAt ? `${head.sendAt.slice(0, 16).replace('T', ' ')}:00` : null;
  draft = {
    ...fresh(),
    ...{ id, key, keptKey: key, summary, fileName, typed, sendAt, later: sendAt !== null },
    ...{ sender: head.sender, text: head.text, fallbacks: head.fallbacks ?? {} },
    ...{ commercial: head.commercial, list: head.list ?? 'BIREYSEL' },
    ...{ perHour: head.perHour ?? null, quiet: head.quiet ?? null },
    tab: fileName ? 'file' : 'type',
  };
  for (const listener of listeners) listener();
}

/** The server's last answer, if it is about the present content. */
export function freshPreview(given: Draft): Draft['preview'] {
  return given.previewKey === given.key ? given.preview : null;
}

export function isStarted(given: Draft): boolean {
  return given.text !== '' || (given.summary?.count ?? 0) > 0;
}

export function headOf(given: Draft): DraftHead {
  return {
    sender: given.sender,
    text: given.text,
    fallbacks: given.fallbacks,
    sendAt: given.later && given.sendAt ? given.sendAt.slice(0, 16) : null,
    commercial: given.commercial,
    list: given.commercial ? given.list : null,
    perHour: given.perHour,
    quiet: given.quiet,
  };
}
