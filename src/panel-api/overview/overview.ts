// The first page: available credit, today's traffic, delivery, orders in progress, and what needs attention.
import { lowBalanceSettings } from '../../accounts/low-balance.ts';
import { readBalance } from '../../balance/ledger.ts';
import { addTraffic, type Counted, noTraffic } from '../../reports/sums.ts';
import { type TrafficRow, traffic } from '../../reports/traffic.ts';
import { deliveryRate } from '../../text/rate.ts';
import { turkeyOffset, turkeyOffsetMs } from '../../time/clock.ts';
import { endpointStates, webhookSummary } from '../../webhooks/endpoint-state.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { consentsRefusedSince } from '../consent/consent-sums.ts';
import { describeRefusal } from '../developers/refusal-causes.ts';
import { refusalGroups } from '../developers/refusal-list.ts';

import type { Counters, Operator } from '../orders/contract.ts';
import { RecentAnswers } from '../queries/recent-answers.ts';
import { senderRows } from '../senders/sender-list.ts';
import type { Attention, Overview, Period } from './contract.ts';
import { runningOrders } from './running.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Each period begins at a midnight in Turkey and ends now; the period before is as long and ends at the same time of day. */
const periods: Record<Period, { days: number; step: 'hour' | 'day' }> = {
  today: { days: 1, step: 'hour' },
  '7d': { days: 7, step: 'day' },
  '30d': { days: 30, step: 'day' },
};
const keepMs = 5_000;
// Default for accounts without a limit of their own: a tenth of the welcome credit; larger accounts compare with their use of a
// day.
const lowBalance = 10;
const answers = new RecentAnswers();

export const overviewHandlers = {
  async 'overview.read'(call) {
    const period = call.input.period;
    const { db, account, now } = call;
    const { days, step } = periods[period];
    const midnight = floorStep(now.getTime(), 'day');
    const begin = midnight - (days - 1) * dayMs;
    const sent = await answers.get(db, `traffic ${account.id} ${period}`, keepMs, () =>
      sentSince(call, begin, days * dayMs),
    );
    const { sms: balance } = (await readBalance(db, account.id))!;
    const shown = sent.hours.filter(one => one.hourMs >= begin);
    const whole = sumUp(shown);
    return {
      balance,
      today: countersOf(sent.hours.filter(one => one.hourMs >= midnight)),
      deliveryRate: deliveryRate(whole.delivered, whole.undelivered),
      sums: sumsOf(whole),
      before: sumsOf(sumUp(sent.before)),
      series: seriesOf(shown, sent.before, begin, now.getTime(), step, days * dayMs),
      step,
      operators: sent.operators,
      isComplete: sent.isComplete,
      running: await runningOrders(db, account.id, now),
      attention: await attentionOf(call, balance, dailyUse([...sent.before, ...sent.hours], now)),
    };
  },
} satisfies Partial<Handlers>;

function stepMs(step: 'hour' | 'day'): number {
  return step === 'hour' ? hourMs : dayMs;
}

/** Days begin at midnight in Turkey. */
function floorStep(timeMs: number, step: 'hour' | 'day'): number {
  const shift = step === 'day' ? turkeyOffsetMs : 0;
  return timeMs - ((timeMs + shift) % stepMs(step));
}

type Hour = Counted & { hourMs: number };
type Sent = { hours: Hour[]; before: Hour[]; operators: Overview['operators']; isComplete: boolean };

/** By the hour in which an order was to leave: cancelled and future orders do not count. */
async function sentSince({ db, account, now }: AccountCall, begin: number, lengthMs: number): Promise<Sent> {
  const range = { from: new Date(begin - lengthMs), to: now };
  const { cuts, isComplete } = await traffic(db, account.id, range, now, [
    { grain: 'hour', by: null },
    { grain: 'hour', by: 'operator' },
  ]);
  const [hours, byOperator] = cuts.map(rows => rows.map(asHour)) as [Hour[], (Hour & TrafficRow)[]];
  const isBefore = (one: Hour) => one.hourMs + lengthMs <= now.getTime() && one.hourMs < begin;
  return {
    hours: hours.filter(one => one.hourMs >= begin),
    before: hours.filter(isBefore),
    operators: operatorsOf(
      byOperator.filter(one => one.hourMs >= begin),
      byOperator.filter(isBefore),
    ),
    isComplete,
  };
}

/** '2026-11-15 14' is an hour of Turkey. */
const asHour = (row: TrafficRow) => ({
  ...row,
  hourMs: Date.parse(`${row.at.replace(' ', 'T')}:00:00${turkeyOffset}`),
});

const sumUp = (hours: Counted[]): Counted => hours.reduce(addTraffic, noTraffic);

function countersOf(hours: Counted[]): Counters {
  const { total, delivered, undelivered, filtered } = sumUp(hours);
  // Whether a carrier already has a pending message is counted for running orders only.
  return {
    total,
    delivered,
    undelivered,
    filtered,
    withCarrier: 0,
    queued: total - delivered - undelivered - filtered,
  };
}

function sumsOf({ total, delivered, undelivered, filtered, credits }: Counted): Overview['sums'] {
  return { total, delivered, undelivered, filtered, credits };
}

function seriesOf(hours: Hour[], before: Hour[], begin: number, end: number, step: 'hour' | 'day', lengthMs: number) {
  const now = byStepOf(hours, step);
  const then = byStepOf(before, step);
  const series: Overview['series'] = [];
  for (let at = begin; at <= end; at += stepMs(step)) {
    const counted = now.get(at) ?? [];
    const { delivered, undelivered, filtered, queued } = countersOf(counted);
    const { credits } = sumUp(counted);
    const was = sumUp(then.get(at - lengthMs) ?? []);
    const outcome = { delivered, undelivered, filtered, waiting: queued, credits };
    series.push({ at: new Date(at).toISOString(), ...outcome, before: sumsOf(was) });
  }
  return series;
}

function byStepOf(hours: Hour[], step: 'hour' | 'day'): Map<number, Hour[]> {
  const byStep = new Map<number, Hour[]>();
  for (const one of hours) {
    const at = floorStep(one.hourMs, step);
    const known = byStep.get(at);
    if (known) known.push(one);
    else byStep.set(at, [one]);
  }
  return byStep;
}

/** Of messages that ended at a carrier. */
function operatorsOf(rows: TrafficRow[], before: TrafficRow[]): Overview['operators'] {
  const then = byKey(before);
  return [...byKey(rows)]
    .filter(([, sum]) => sum.delivered + sum.undelivered > 0)
    .map(([key, { delivered, undelivered }]) => {
      const was = then.get(key) ?? noTraffic;
      const rateBefore = deliveryRate(was.delivered, was.undelivered);
      return { operator: key as Operator, delivered, undelivered, rateBefore };
    })
    .sort((a, b) => b.delivered + b.undelivered - a.delivered - a.undelivered);
}

function byKey(rows: TrafficRow[]): Map<string, Counted> {
  const sums = new Map<string, Counted>();
  for (const one of rows) sums.set(one.key, addTraffic(sums.get(one.key) ?? noTraffic, one));
  return sums;
}

function dailyUse(hours: Hour[], now: Date): number {
  const since = now.getTime() - dayMs;
  return hours.filter(one => one.hourMs >= since).reduce((sum, one) => sum + one.credits, 0);
}

/** Only problems that need an action; usually empty. */
async function attentionOf(call: AccountCall, balance: number, usedToday: number): Promise<Attention[]> {
  const { db, account, now } = call;
  const dayAgo = new Date(now.getTime() - dayMs);
  const found: Attention[] = [];
  if (account.status === 'suspended') found.push({ kind: 'suspended' });
  const causes = await refusalGroups(db, account.id, dayAgo);
  if (causes.length > 0)
    found.push({
      kind: 'api-refusals',
      count: causes.reduce((sum, one) => sum + one.count, 0),
      causes: causes.slice(0, 5).map(one => ({
        cause: one.cause,
        count: one.count,
        ...describeRefusal(one.code, one.cause, one.addresses?.[0] ?? null).sentence,
      })),
    });
  const { state, reason, waiting } = webhookSummary(await endpointStates(db, account.id));
  if (state === 'failing' || state === 'paused') found.push({ kind: 'webhook', state, reason, waiting });
  const refused = await consentsRefusedSince(db, account.id, dayAgo);
  if (refused > 0) found.push({ kind: 'consent-refusals', count: refused });
  const chosen = (await lowBalanceSettings(db, account.id)).lowBalance;
  if (chosen === null ? balance <= Math.max(lowBalance, usedToday / 2) : balance < chosen)
    found.push({ kind: 'low-balance', sms: balance });
  const weekAgo = now.getTime() - 7 * dayMs;
  for (const one of await senderRows(db, account.id))
    if (one.state === 'rejected' && (one.decidedAt?.getTime() ?? 0) > weekAgo)
      found.push({ kind: 'sender-rejected', name: one.name, reason: one.reason });
  return found;
}
