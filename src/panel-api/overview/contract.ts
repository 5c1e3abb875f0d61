// Shapes of the panel's contract: the first page, the first steps, the one poll, search. Types only.
import type { Both } from '../contract.ts';
import type { ExportLine } from '../exports/contract.ts';
import type { Counters, Operator, OrderLine, OrderState } from '../orders/contract.ts';

export type Period = '24h' | '7d' | '30d';
export type Overview = {
  balance: number;
  today: Counters;
  /** delivered ÷ (delivered + undelivered), null without any; filtered ones count in neither. */
  deliveryRate: number | null;
  series: { at: string; delivered: number; undelivered: number; filtered: number; waiting: number }[];
  step: 'hour' | 'day';
  operators: { operator: Operator; delivered: number; undelivered: number }[];
  /** false while earlier hours are still being counted: the figures are then too low. */
  isComplete: boolean;
  running: RunningOrder[];
  attention: Attention[];
};
export type RunningOrder = OrderLine & {
  /** Final messages per second, and seconds left at that pace; null once carriers have all of it and reports are awaited. */
  perSecond: number | null;
  secondsLeft: number | null;
};
export type Attention =
  | { kind: 'api-refusals'; count: number; causes: { cause: string; tr: string; en: string; count: number }[] }
  | { kind: 'webhook'; state: 'failing' | 'paused'; reason: Both | null; waiting: number }
  | { kind: 'consent-refusals'; count: number }
  | { kind: 'low-balance'; sms: number }
  | { kind: 'sender-rejected'; name: string; reason: string | null }
  | { kind: 'suspended' };
/** What was decided about the account. `name`: of the sender ID. */
export type NoticeLine = {
  id: number;
  kind: NoticeKind;
  name: string | null;
  reason: string | null;
  at: string;
  isNew: boolean;
};
export type NoticeKind =
  | 'subscription.approved'
  | 'subscription.rejected'
  | 'sender.approved'
  | 'sender.rejected'
  | 'documents.asked'
  | 'account.suspended'
  | 'account.active';
/** The one poll: small and cheap. */
export type Live = {
  now: string;
  version: string;
  balance: number;
  running: RunningOrder[];
  scheduled: number;
  /** Id of the newest inbound message; 0 when there is none. */
  inboxLatest: number;
  /** Of the last 24 hours. */
  apiRefusals: number;
  webhookState: 'none' | 'healthy' | 'failing' | 'paused';
  /** Why it fails, with the HTTP code where there is one, and what has not reached it. */
  webhookReason: Both | null;
  webhookWaiting: number;
  /** The figure that the balance is below, null while it is not. */
  lowBalance: number | null;
  /** Of the last 30 days, the newest first, at most 10. */
  notices: NoticeLine[];
  /** Large downloads, the newest first. */
  exports: ExportLine[];
  /** Only for staff. */
  staff: {
    carriersDown: number /** Their names, and how many messages wait for a carrier. */;
    downNames: string[];
    waiting: number;
    applicationsWaiting: number;
    oldestWaitingSeconds: number;
    held: boolean;
  } | null;
};
export type SearchHit =
  | { kind: 'order'; id: number; sender: string; submitAt: string; state: OrderState }
  | { kind: 'number'; number: string; digits: string }
  | { kind: 'sender'; name: string; state: string };

/** The specification's seven steps, in order. */
export type OnboardingStep = {
  key: 'account' | 'subscription' | 'sender' | 'api' | 'key' | 'balance' | 'first-sms';
  state: 'done' | 'your-turn' | 'waiting';
  /** When it was done, or since when it waits. */
  at: string | null;
  note: Both | null;
};
