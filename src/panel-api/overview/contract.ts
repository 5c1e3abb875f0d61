// Contract of the panel: the first page, the first steps, the poll, search.

import { type Static, Type } from '../../contract/type.ts';
import { id, text } from '../contract/fields.ts';
import { both, nothing, type Operations } from '../contract/shapes.ts';
import { exportLine } from '../exports/contract.ts';
import { counters, operator, orderLine, orderState } from '../orders/contract.ts';

const period = Type.Enum(['today', '7d', '30d']);
export type Period = Static<typeof period>;
const runningOrder = Type.Object({
  ...orderLine.properties,
  /** Final messages per second, and seconds left at that pace; null once carriers have all messages and reports are pending. */
  perSecond: Type.Nullable(Type.Number()),
  secondsLeft: Type.Nullable(Type.Number()),
});
export type RunningOrder = Static<typeof runningOrder>;
const attention = Type.Union([
  Type.Object({
    kind: Type.Literal('api-refusals'),
    count: Type.Number(),
    causes: Type.Array(
      Type.Object({
        cause: Type.String(),
        tr: Type.String(),
        en: Type.String(),
        count: Type.Number(),
      }),
    ),
  }),
  Type.Object({
    kind: Type.Literal('webhook'),
    state: Type.Enum(['failing', 'paused']),
    reason: Type.Nullable(both),
    waiting: Type.Number(),
  }),
  Type.Object({
    kind: Type.Literal('consent-refusals'),
    count: Type.Number(),
  }),
  Type.Object({
    kind: Type.Literal('low-balance'),
    sms: Type.Number(),
  }),
  Type.Object({
    kind: Type.Literal('sender-rejected'),
    name: Type.String(),
    reason: Type.Nullable(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('suspended'),
  }),
]);
export type Attention = Static<typeof attention>;
const sums = Type.Object({
  total: Type.Number(),
  delivered: Type.Number(),
  undelivered: Type.Number(),
  filtered: Type.Number(),
  credits: Type.Number(),
});
const overview = Type.Object({
  balance: Type.Number(),
  today: counters,
  /** delivered ÷ (delivered + undelivered), null without any; filtered messages do not count. */
  deliveryRate: Type.Nullable(Type.Number()),
  sums,
  /** For the period before: as long, up to the same time of day. */
  before: sums,
  series: Type.Array(
    Type.Object({
      at: Type.String(),
      delivered: Type.Number(),
      undelivered: Type.Number(),
      filtered: Type.Number(),
      waiting: Type.Number(),
      credits: Type.Number(),
      /** For the same step one period earlier. */
      before: sums,
    }),
  ),
  step: Type.Enum(['hour', 'day']),
  operators: Type.Array(
    Type.Object({
      operator: operator,
      delivered: Type.Number(),
      undelivered: Type.Number(),
      rateBefore: Type.Nullable(Type.Number()),
    }),
  ),
  /** false while earlier hours are still being counted: the sums are then too low. */
  isComplete: Type.Boolean(),
  running: Type.Array(runningOrder),
  attention: Type.Array(attention),
});
export type Overview = Static<typeof overview>;
const noticeKind = Type.Enum([
  'subscription.approved',
  'subscription.rejected',
  'sender.approved',
  'sender.rejected',
  'documents.asked',
  'account.suspended',
  'account.active',
]);
/** A decision about the account. `name`: of the sender ID. */
const noticeLine = Type.Object({
  id: Type.Number(),
  kind: noticeKind,
  name: Type.Nullable(Type.String()),
  reason: Type.Nullable(Type.String()),
  at: Type.String(),
  isNew: Type.Boolean(),
});
export type NoticeLine = Static<typeof noticeLine>;
/** The panel's only poll: small and cheap. */
const live = Type.Object({
  now: Type.String(),
  version: Type.String(),
  balance: Type.Number(),
  /** Credits, on average over the last seven days. */
  usedPerDay: Type.Number(),
  running: Type.Array(runningOrder),
  scheduled: Type.Number(),
  /** Id of the newest inbound message; 0 if there is none. */
  inboxLatest: Type.Number(),
  /** Of the last 24 hours. */
  apiRefusals: Type.Number(),
  webhookState: Type.Enum(['none', 'healthy', 'failing', 'paused']),
  /** Why it fails, with the HTTP status if there is one, and how many events are pending. */
  webhookReason: Type.Nullable(both),
  webhookWaiting: Type.Number(),
  /** The limit that the balance is below; null otherwise. */
  lowBalance: Type.Nullable(Type.Number()),
  /** Of the last 30 days, newest first, at most 10. */
  notices: Type.Array(noticeLine),
  /** Large downloads, newest first. */
  exports: Type.Array(exportLine),
  /** Only for staff. */
  staff: Type.Nullable(
    Type.Object({
      carriersDown: Type.Number(),
      /** Their names, and how many messages wait for a carrier. */
      downNames: Type.Array(Type.String()),
      waiting: Type.Number(),
      applicationsWaiting: Type.Number(),
      oldestWaitingSeconds: Type.Number(),
      held: Type.Boolean(),
      /** Cells that do not answer: staff lists and sums are without theirs. */
      cellsSilent: Type.Array(Type.Number()),
    }),
  ),
});
export type Live = Static<typeof live>;
const searchHit = Type.Union([
  Type.Object({
    kind: Type.Literal('order'),
    id: Type.Number(),
    sender: Type.String(),
    submitAt: Type.String(),
    state: orderState,
  }),
  Type.Object({
    kind: Type.Literal('number'),
    number: Type.String(),
    digits: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('sender'),
    name: Type.String(),
    state: Type.String(),
  }),
]);
export type SearchHit = Static<typeof searchHit>;
/** The specification's seven steps, in order. */
const onboardingStep = Type.Object({
  key: Type.Enum(['account', 'subscription', 'sender', 'api', 'key', 'balance', 'first-sms']),
  state: Type.Enum(['done', 'your-turn', 'waiting']),
  /** When it was done, or since when it is pending. */
  at: Type.Nullable(Type.String()),
  note: Type.Nullable(both),
});
export type OnboardingStep = Static<typeof onboardingStep>;

export const overviewOperations = {
  'overview.read': { input: Type.Object({ period }), output: overview },
  'onboarding.read': {
    input: nothing,
    output: Type.Object({
      steps: Type.Array(onboardingStep),
    }),
  },
  live: { input: nothing, output: live },
  search: {
    input: Type.Object({ text: text(200) }),
    output: Type.Object({
      hits: Type.Array(searchHit),
    }),
  },
  /** The reader's own mark, up to this notice of `live`; so suspended accounts may set it, too. */
  'notices.seen': { input: Type.Object({ upTo: id() }), output: nothing },
} satisfies Operations;
