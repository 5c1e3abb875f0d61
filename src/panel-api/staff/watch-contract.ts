// Contract of the panel: monitoring for staff: status, queue, failing webhooks, the registry, and the hold on sending.
import { type Static, Type } from '../../contract/type.ts';
import { registryTrouble } from '../consent/contract.ts';
import { text } from '../contract/fields.ts';
import { both, nothing, type Operations } from '../contract/shapes.ts';
import { carrierState } from './carriers-contract.ts';

/** Why sending is on hold. */
const hold = Type.Object({
  reason: Type.Enum(['operator', 'other-database', 'other-timeline', 'other-folder']),
  detail: Type.String(),
  since: Type.String(),
});
export type Hold = Static<typeof hold>;
const laneDepth = Type.Object({
  lane: Type.Enum(['transactional', 'campaign']),
  messages: Type.Number(),
  chunks: Type.Number(),
  leased: Type.Number(),
  quarantined: Type.Number(),
  /** Due and not claimed: since how long. */
  oldestSeconds: Type.Number(),
});
export type LaneDepth = Static<typeof laneDepth>;
const status = Type.Object({
  accounts: Type.Object({
    active: Type.Number(),
    suspended: Type.Number(),
  }),
  /** The running Turkish day, all customers, as their own reports count it. */
  today: Type.Object({
    total: Type.Number(),
    delivered: Type.Number(),
    /** If false, there were more orders today. */
    isComplete: Type.Boolean(),
  }),
  carriers: Type.Array(
    Type.Object({
      name: Type.String(),
      state: carrierState,
      bound: Type.Number(),
      binds: Type.Number(),
    }),
  ),
  queue: Type.Array(laneDepth),
  webhooks: Type.Object({
    failing: Type.Number(),
    paused: Type.Number(),
  }),
  registry: Type.Object({
    answeredAt: Type.Nullable(Type.String()),
    trouble: Type.Nullable(registryTrouble),
    waiting: Type.Number(),
  }),
  applicationsWaiting: Type.Number(),
  /** Kept receipts without a known message, and when the oldest of them arrived. */
  unmatchedReceipts: Type.Object({ count: Type.Number(), since: Type.Nullable(Type.String()) }),
  /** How far this host's clock is ahead of the database's (negative: behind); `differs`: by more than the warning limit. */
  clock: Type.Object({
    aheadMs: Type.Number(),
    differs: Type.Boolean(),
  }),
  hold: Type.Nullable(hold),
});
const queue = Type.Object({
  lanes: Type.Array(laneDepth),
  accounts: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      name: Type.String(),
      lane: Type.Enum(['transactional', 'campaign']),
      messages: Type.Number(),
      oldestSeconds: Type.Number(),
    }),
  ),
  scheduled: Type.Number(),
});
const failingWebhook = Type.Object({
  id: Type.Number(),
  accountId: Type.Number(),
  accountName: Type.String(),
  url: Type.String(),
  state: Type.Enum(['failing', 'paused']),
  reason: Type.Nullable(both),
  failures: Type.Number(),
  failingSince: Type.Nullable(Type.String()),
  nextProbeAt: Type.Nullable(Type.String()),
});
const registry = Type.Object({
  answeredAt: Type.Nullable(Type.String()),
  trouble: Type.Nullable(registryTrouble),
  queued: Type.Number(),
  sent: Type.Number(),
  refused7Days: Type.Number(),
  brands: Type.Array(
    Type.Object({
      accountId: Type.Number(),
      accountName: Type.String(),
      brand: Type.Number(),
      waiting: Type.Number(),
      pulledAt: Type.Nullable(Type.String()),
      pause: Type.Nullable(
        Type.Object({
          code: Type.String(),
          sentence: both,
          since: Type.String(),
        }),
      ),
    }),
  ),
});

/** Uncertain outcomes: messages whose answer was lost, and receipts that match no message. */
const doubts = Type.Object({
  doubts: Type.Array(
    Type.Object({
      messageId: Type.Number(),
      orderId: Type.Nullable(Type.Number()),
      accountId: Type.Number(),
      /** Sent by staff: `carrier test`. */
      isTest: Type.Boolean(),
      number: Type.String(),
      carrier: Type.Nullable(Type.String()),
      writtenAt: Type.String(),
      /** null: the outcome was decided; a receipt may still concern this copy. */
      decideAt: Type.Nullable(Type.String()),
      status: Type.Nullable(Type.Number()),
      hasReceipt: Type.Boolean(),
    }),
  ),
  receipts: Type.Array(
    Type.Object({
      id: Type.Number(),
      carrier: Type.Nullable(Type.String()),
      smscId: Type.String(),
      status: Type.Number(),
      number: Type.Nullable(Type.String()),
      receivedAt: Type.String(),
      /** Its id belongs to a message to another number. */
      mismatch: Type.Boolean(),
      hasDoubt: Type.Boolean(),
    }),
  ),
});

export const staffWatchOperations = {
  'staff.status': { input: nothing, output: status },
  'staff.queue': { input: nothing, output: queue },
  'staff.doubts': { input: nothing, output: doubts },
  'staff.webhooks': {
    input: nothing,
    output: Type.Object({
      endpoints: Type.Array(failingWebhook),
    }),
  },
  'staff.registry': { input: nothing, output: registry },
  'staff.registrySync': { input: nothing, output: nothing },
  'staff.holdDispatch': { input: Type.Object({ reason: text(200) }), output: nothing },
  /** `close`: messages accepted before the hold end as undelivered with their credit released, instead of being sent. */
  'staff.releaseDispatch': {
    input: Type.Object({ close: Type.Boolean() }),
    output: Type.Object({
      closed: Type.Number(),
    }),
  },
} satisfies Operations;
