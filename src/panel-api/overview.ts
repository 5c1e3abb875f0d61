// The first page: what can be spent, what today brought, how delivery went, what is on its way, what needs attention.
import { lowBalanceSettings } from '../accounts/low-balance.ts';
import { readBalance } from '../balance/ledger.ts';
import { type TrafficHour, trafficHours } from '../reports/traffic.ts';
import { deliveryRate } from '../text/rate.ts';
import { endpointState, reasonText } from '../webhooks/endpoints.ts';
import type { AccountCall, Handlers } from './context.ts';
import type { Counters } from './contract-orders.ts';
import type { Attention, Overview, Period } from './contract-overview.ts';
import { oneOf } from './input.ts';
import { operatorOfBlock } from './operators.ts';
import { consentsRefusedSince } from './queries/consent-sums.ts';
import { operatorSums } from './queries/operator-sums.ts';
import { refusalGroups } from './queries/refusal-list.ts';
import { senderRows } from './queries/sender-list.ts';
import { RecentAnswers } from './recent-answers.ts';
import { tellRefusal } from './refusal-causes.ts';
import { runningOrders } from './running.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const turkeyOffsetMs = 3 * hourMs;
const periods: Record<Period, { ms: number; step: 'hour' | 'day' }> = {
  '24h': { ms: dayMs, step: 'hour' },
  '7d': { ms: 7 * dayMs, step: 'day' },
  '30d': { ms: 30 * dayMs, step: 'day' },
};
const keepMs = 5_000;
const keepOperatorsMs = 30_000;
// Where the account chose no figure: a warning with a tenth of the welcome credit left; larger accounts are judged by what
// they use in a day.
const lowBalance = 10;
const answers = new RecentAnswers();

export const overviewHandlers = {
  async 'overview.read'(call) {
    const period = oneOf(call.input, 'period', ['24h', '7d', '30d']);
    const { db, account, now } = call;
    const { ms, step } = periods[period];
    const begin = floorStep(now.getTime() - ms + stepMs(step), step);
    const midnight = floorStep(now.getTime(), 'day');
    const since = new Date(Math.min(begin, midnight));
    const hours = await answers.get(`hours ${account.id} ${period}`, keepMs, () =>
      trafficHours(db, account.id, since, now),
    );
    const operators = await answers.get(`operators ${account.id} ${period}`, keepOperatorsMs, () =>
      operatorsSince(call, new Date(begin)),
    );
    const { sms: balance } = (await readBalance(db, account.id))!;
    const today = sumUp(hours.filter(one => one.hour.getTime() >= midnight));
    const shown = hours.filter(one => one.hour.getTime() >= begin);
    const whole = sumUp(shown);
    return {
      balance,
      today,
      deliveryRate: deliveryRate(whole.delivered, whole.undelivered),
      series: seriesOf(shown, begin, now.getTime(), step),
      step,
      ...operators,
      running: await runningOrders(db, account.id, now),
      attention: await attentionOf(call, balance, dailyUse(hours, now)),
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

function sumUp(hours: TrafficHour[]): Counters {
  const sum = { total: 0, delivered: 0, undelivered: 0, filtered: 0 };
  for (const one of hours) {
    sum.total += one.total;
    sum.delivered += one.delivered;
    sum.undelivered += one.undelivered;
    sum.filtered += one.filtered;
  }
  // Whether a carrier has a waiting message already is counted for running orders only.
  return { ...sum, withCarrier: 0, queued: sum.total - sum.delivered - sum.undelivered - sum.filtered };
}

function seriesOf(hours: TrafficHour[], begin: number, end: number, step: 'hour' | 'day'): Overview['series'] {
  const byStep = new Map<number, TrafficHour[]>();
  for (const one of hours) {
    const at = floorStep(one.hour.getTime(), step);
    byStep.set(at, [...(byStep.get(at) ?? []), one]);
  }
  const series: Overview['series'] = [];
  for (let at = begin; at <= end; at += stepMs(step)) {
    const { delivered, undelivered, filtered, queued } = sumUp(byStep.get(at) ?? []);
    series.push({ at: new Date(at).toISOString(), delivered, undelivered, filtered, waiting: queued });
  }
  return series;
}

async function operatorsSince(call: AccountCall, since: Date): Promise<Pick<Overview, 'operators' | 'operatorsBasis'>> {
  const sums = new Map<Overview['operators'][number]['operator'], { delivered: number; undelivered: number }>();
  for (const one of await operatorSums(call.db, call.account.id, since)) {
    const operator = operatorOfBlock(one.block);
    const sum = sums.get(operator) ?? { delivered: 0, undelivered: 0 };
    sums.set(operator, { delivered: sum.delivered + one.delivered, undelivered: sum.undelivered + one.undelivered });
  }
  const operators = [...sums].map(([operator, sum]) => ({ operator, ...sum }));
  const basis = operators.reduce((total, one) => total + one.delivered + one.undelivered, 0);
  return {
    operators: operators.sort((a, b) => b.delivered + b.undelivered - a.delivered - a.undelivered),
    operatorsBasis: basis,
  };
}

function dailyUse(hours: TrafficHour[], now: Date): number {
  const since = now.getTime() - dayMs;
  return hours.filter(one => one.hour.getTime() >= since).reduce((sum, one) => sum + one.credits, 0);
}

/** Only what somebody should do something about; empty most of the time. */
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
        ...tellRefusal(one.code, one.cause, one.addresses?.[0] ?? null).sentence,
      })),
    });
  const webhook = await endpointState(db, account.id);
  if (webhook && webhook.url !== '' && webhook.state !== 'healthy') {
    const waiting = webhook.waiting + webhook.pending;
    found.push({ kind: 'webhook', state: webhook.state, reason: reasonText(webhook.reason), waiting });
  }
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
