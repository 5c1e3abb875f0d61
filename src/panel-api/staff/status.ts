// The state of the installation on one page: key numbers, the queue, failing webhooks, the registry.

import { askForSync } from '../../consent/sync/state.ts';
import { clocksDiffer, readDatabaseClock } from '../../db/database-clock.ts';
import { type LaneRow, laneDepths, queueAccounts, scheduledOfAll } from '../../metrics/stored/queue-depth.ts';
import { closeHeld, type DispatchHold, holdDispatch, readHold, releaseDispatch } from '../../queue/dispatch-hold.ts';
import { type SentByAll, sentByAll } from '../../reports/sent-by-all.ts';
import { turkeyMidnightMs } from '../../time/clock.ts';
import { reasonText } from '../../webhooks/endpoint-state.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import { askEach, everywhere, listEverywhere, requireNoneSilent } from '../call/cells.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { sentenceOf } from '../consent/consent.ts';
import { showTrouble } from '../consent/registry-trouble.ts';
import { iso } from '../contract/input.ts';
import { waitingApplications } from './application-list.ts';
import { carrierStates } from './carrier-states.ts';
import { accountSums, brandRows, failingWebhooks, registrySums, unmatchedReceipts } from './lists.ts';
import type { Hold, LaneDepth } from './watch-contract.ts';

const dayMs = 86_400_000;
const laneNames = ['transactional', 'campaign'] as const;

export const staffStatusHandlers = {
  async 'staff.status'(call) {
    const { db, now } = call;
    const midnight = new Date(turkeyMidnightMs(now));
    const failing = await listEverywhere(call, failingWebhooks);
    const registry = await registryOfAll(call);
    const clock = await readDatabaseClock(db);
    const unmatched = await everywhere(call, unmatchedReceipts);
    return {
      clock: { aheadMs: clock.aheadMs, differs: clocksDiffer(clock) },
      hold: showHold((await everywhere(call, readHold)).find(one => one !== null) ?? null),
      accounts: await accountSums(db),
      today: total(await everywhere(call, one => sentByAll(one, midnight))),
      carriers: await carrierStates(call),
      queue: showLanes(await listEverywhere(call, laneDepths)),
      webhooks: {
        failing: failing.filter(one => one.state === 'failing').length,
        paused: failing.filter(one => one.state === 'paused').length,
      },
      registry: {
        answeredAt: iso(registry.answeredAt),
        trouble: troubleOf(registry),
        waiting: registry.queued + registry.sent,
      },
      applicationsWaiting: (await everywhere(call, waitingApplications)).reduce((sum, one) => sum + one, 0),
      unmatchedReceipts: {
        count: unmatched.reduce((sum, one) => sum + one.count, 0),
        since: iso(earliest(unmatched.map(one => one.since))),
      },
    };
  },

  async 'staff.queue'(call) {
    const accounts = await listEverywhere(call, queueAccounts);
    const scheduled = await everywhere(call, scheduledOfAll);
    return {
      lanes: showLanes(await listEverywhere(call, laneDepths)),
      accounts: accounts.map(one => ({ ...one, lane: laneNames[one.lane]! })),
      scheduled: scheduled.reduce((sum, one) => sum + one, 0),
    };
  },

  async 'staff.webhooks'(call) {
    const endpoints = await listEverywhere(call, failingWebhooks);
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
    const sums = await registryOfAll(call);
    const brands = await listEverywhere(call, brandRows);
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
    const { silent } = await askEach(call, askForSync);
    await staffAuditEntry(call, 'registry.sync', null);
    requireNoneSilent(silent);
    return {};
  },

  async 'staff.holdDispatch'(call) {
    const reason = call.input.reason;
    const { answers, silent } = await askEach(call, db => holdDispatch(db, reason));
    if (answers.includes(true)) await staffAuditEntry(call, 'dispatch.hold', null, { reason });
    requireNoneSilent(silent);
    return {};
  },

  async 'staff.releaseDispatch'(call) {
    const { answers, silent } = await askEach(call, async db => {
      const hold = await readHold(db);
      if (!hold) return null;
      const closed = call.input.close ? await closeHeld(db, hold.since) : 0;
      await releaseDispatch(db);
      return { reason: hold.reason, closed };
    });
    const held = answers.filter(one => one !== null);
    const closed = held.reduce((sum, one) => sum + one.closed, 0);
    if (held[0]) await staffAuditEntry(call, 'dispatch.release', null, { reason: held[0].reason, closed });
    requireNoneSilent(silent);
    return { closed };
  },
} satisfies Partial<Handlers>;

function showHold(hold: DispatchHold | null): Hold | null {
  return hold && { ...hold, since: iso(hold.since) };
}

function showLanes(rows: LaneRow[]): LaneDepth[] {
  return laneNames.map((lane, i) => {
    const known = rows.filter(one => one.lane === i);
    const sum = (name: 'messages' | 'chunks' | 'leased' | 'quarantined') =>
      known.reduce((all, one) => all + one[name], 0);
    return {
      lane,
      messages: sum('messages'),
      chunks: sum('chunks'),
      leased: sum('leased'),
      quarantined: sum('quarantined'),
      oldestSeconds: Math.max(0, ...known.map(one => one.oldestSeconds)),
    };
  });
}

function troubleOf({ trouble, troubleAt }: { trouble: string | null; troubleAt: Date | null }) {
  return showTrouble(trouble !== null && troubleAt ? { code: trouble, since: troubleAt } : null);
}

function total(days: SentByAll[]): SentByAll {
  return {
    total: days.reduce((sum, one) => sum + one.total, 0),
    delivered: days.reduce((sum, one) => sum + one.delivered, 0),
    isComplete: days.every(one => one.isComplete),
  };
}

function earliest(times: (Date | null)[]): Date | null {
  const known = times.filter(one => one !== null).map(one => one.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}

/** The home's state with the pending records of all cells; each cell has its own connection to the registry. */
async function registryOfAll(call: UserCall) {
  const all = await everywhere(call, db => registrySums(db, new Date(call.now.getTime() - 7 * dayMs)));
  const troubled = all.find(one => one.trouble !== null) ?? all[0]!;
  const sum = (name: 'queued' | 'sent' | 'refused') => all.reduce((so, one) => so + one[name], 0);
  return { ...troubled, queued: sum('queued'), sent: sum('sent'), refused: sum('refused') };
}
