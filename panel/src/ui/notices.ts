// The entries of the bell, in their order: needs attention, finished, running.
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';

type Live = OutputOf<'live'>;
export type Notice = { key: string; isNew: boolean } & (
  | { kind: 'low-balance'; sms: number; threshold: number }
  | { kind: 'word'; word: Live['notices'][number] }
  | { kind: 'webhook'; reason: Live['webhookReason']; waiting: number }
  | { kind: 'export'; file: Live['exports'][number] }
  | { kind: 'running'; count: number }
);

export function noticesOf(live: Live): Notice[] {
  const notices: Notice[] = [];
  if (live.lowBalance !== null)
    notices.push({
      key: 'low-balance',
      kind: 'low-balance',
      sms: live.balance,
      threshold: live.lowBalance,
      isNew: true,
    });
  if (live.webhookState === 'failing' || live.webhookState === 'paused')
    notices.push({
      key: 'webhook',
      kind: 'webhook',
      reason: live.webhookReason,
      waiting: live.webhookWaiting,
      isNew: true,
    });
  for (const word of live.notices) notices.push({ key: `word ${word.id}`, kind: 'word', word, isNew: word.isNew });
  for (const file of live.exports) {
    const isOver = file.state === 'ready' || file.state === 'failed';
    notices.push({ key: `export ${file.id}`, kind: 'export', file, isNew: isOver && !file.isFetched });
  }
  if (live.running.length > 0)
    notices.push({ key: 'running', kind: 'running', count: live.running.length, isNew: false });
  return notices;
}
