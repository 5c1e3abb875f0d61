// How the installation is doing: one page of figures, the queue, failing webhooks, the registry.
import { turkeyMidnightMs } from '../../clock.ts';
import { askForSync } from '../../consent/sync/state.ts';
import { clocksDiffer, readDatabaseClock } from '../../db/database-clock.ts';
import { listCarriers } from '../../dispatch/links/carriers.ts';
import { closeHeld, type DispatchHold, holdDispatch, readHold, releaseDispatch } from '../../orders/dispatch-hold.ts';
import { type LaneRow, laneDepths, queueAccounts, scheduledOfAll } from '../../watching/queue-depth.ts';
import { reasonText } from '../../webhooks/endpoint-state.ts';
import { staffAuditEntry } from '../audit-entry.ts';
import { sentenceOf } from '../consent/consent.ts';
import { showTrouble } from '../consent/registry-trouble.ts';
import type { Handlers } from '../context.ts';
import { iso } from '../input.ts';
import { waitingApplications } from './application-list.ts';
import type { CarrierState } from './carriers-contract.ts';
import { accountSums, brandRows, failingWebhooks, registrySums, trafficOfAll, unmatchedReceipts } from './lists.ts';
import type { Hold, LaneDepth } from './watch-contract.ts';

const dayMs = 86_400_000;
const laneNames = ['transactional', 'campaign'] as const;

export const staffStatusHandlers = {
  async 'staff.status'(call) {
    const { db, now } = call;
    const midnight = new Date(turkeyMidnightMs(now));
    const carriers = await listCarriers(db);
    const failing = await failingWebhooks(db);
    const registry = await registrySums(db, new Date(now.getTime() - 7 * dayMs));
    const clock = await readDatabaseClock(db);
    const unmatched = await unmatchedReceipts(db);
    return {
      clock: { aheadMs: clock.aheadMs, differs: clocksDiffer(clock) },
      hold: showHold(await readHold(db)),
      accounts: await accountSums(db),
      today: await trafficOfAll(db, midnight),
      carriers: carriers.map(one => ({
        name: one.name,
        state: one.state as CarrierState,
        bound: one.links.filter(link => link.state === 'bound').length,
        binds: one.binds,
      })),
      queue: showLanes(await laneDepths(db)),
      webhooks: {
        failing: failing.filter(one => one.state === 'failing').length,
        paused: failing.filter(one => one.state === 'paused').length,
      },
      registry: {
        answeredAt: iso(registry.answeredAt),
        trouble: troubleOf(registry),
        waiting: registry.queued + registry.sent,
      },
      applicationsWaiting: await waitingApplications(db),
      unmatchedReceipts: { count: unmatched.count, since: iso(unmatched.since) },
    };
  },

  async 'staff.queue'(call) {
    const accounts = await queueAccounts(call.db);
    return {
      lanes: showLanes(await laneDepths(call.db)),
      accounts: accounts.map(one => ({ ...one, lane: laneNames[one.lane]! })),
      scheduled: await scheduledOfAll(call.db),
    };
  },

  async 'staff.webhooks'(call) {
    const endpoints = await failingWebhooks(call.db);
    return {
      endpoints: endpoints.map(({ answerStatus, ...one }) => ({
        ...one,
        reason: reasonText(one.reason, answerStatus),
        failingSince: iso(one.failingSince),
        nextProbeAt: iso(one.nextProbeAt),
      })),
    };
  },

  async 'staff.registry'(call) {
    const sums = await registrySums(call.db, new Date(call.now.getTime() - 7 * dayMs));
    const brands = await brandRows(call.db);
    return {
      answeredAt: iso(sums.answeredAt),
      trouble: troubleOf(sums),
      queued: sums.queued,
      sent: sums.sent,
      refused7Days: sums.refused,
      brands: brands.map(({ code, since, ...one }) => ({
        ...one,
        pulledAt: iso(one.pulledAt),
        pause: code === null || since === null ? null : { code, sentence: sentenceOf(code), since: iso(since) },
      })),
    };
  },

  async 'staff.registrySync'(call) {
    await askForSync(call.db);
    await staffAuditEntry(call, 'registry.sync', null);
    return {};
  },

  async 'staff.holdDispatch'(call) {
    const reason = call.input.reason;
    if (await holdDispatch(call.db, reason)) await staffAuditEntry(call, 'dispatch.hold', null, { reason });
    return {};
  },

  async 'staff.releaseDispatch'(call) {
    const hold = await readHold(call.db);
    if (!hold) return { closed: 0 };
    const closed = call.input.close ? await closeHeld(call.db, hold.since) : 0;
    await releaseDispatch(call.db);
    await staffAuditEntry(call, 'dispatch.release', null, { reason: hold.reason, closed });
    return { closed };
  },
} satisfies Partial<Handlers>;

function showHold(hold: DispatchHold | null): Hold | null {
  return hold && { ...hold, since: iso(hold.since) };
}

function showLanes(rows: LaneRow[]): LaneDepth[] {
  return laneNames.map((lane, i) => {
    const known = rows.find(one => one.lane === i);
    const { messages = 0, chunks = 0, leased = 0, quarantined = 0, oldestSeconds = 0 } = known ?? {};
    return { lane, messages, chunks, leased, quarantined, oldestSeconds };
  });
}

function troubleOf({ trouble, troubleAt }: { trouble: string | null; troubleAt: Date | null }) {
  return showTrouble(trouble !== null && troubleAt ? { code: trouble, since: troubleAt } : null);
}
