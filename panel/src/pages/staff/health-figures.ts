// Points of the live charts of the health page: rates from two answers, delays as reported.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { timeOfDay } from '../../format.ts';

export type Health = OutputOf<'staff.health'>;
type Point = Record<string, string | number> & { x: string };

const names = ['requests', 'submitted', 'receipts', 'settled'] as const;

/** Rates between this answer and the one before; none after a restart or from another node, whose counters start at 0. */
export function ratePoint(health: Health, atMs: number, before: Health | undefined): Point {
  const seconds = before ? (Date.parse(health.at) - Date.parse(before.at)) / 1_000 : 0;
  const rate = (name: (typeof names)[number]) => {
    const grown = before ? health.counts[name] - before.counts[name] : 0;
    return seconds > 0 && grown > 0 ? Math.round((grown / seconds) * 10) / 10 : 0;
  };
  return { x: timeOfDay(new Date(atMs)), ...Object.fromEntries(names.map(name => [name, rate(name)])) };
}

/** Seconds that the oldest of each lane has waited. */
export function agePoint(health: Health, atMs: number): Point {
  const ages = health.lanes.map(one => [one.lane, one.oldestSeconds]);
  return { x: timeOfDay(new Date(atMs)), ...Object.fromEntries(ages) };
}

/** In ms, by role. */
export function delayPoint(health: Health, atMs: number): Point {
  const delays = health.processes.map(one => [one.role, Math.round(one.delaySeconds * 10_000) / 10]);
  return { x: timeOfDay(new Date(atMs)), ...Object.fromEntries(delays) };
}
