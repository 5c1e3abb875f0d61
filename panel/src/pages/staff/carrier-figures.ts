// Figures of a carrier from the totals of its links. Totals begin anew with each process, so a step back counts as 0.
import type { CarrierLine, Carriers } from '../../../../src/panel-api/staff/carriers-contract.ts';

type Counter = 'submitted' | 'throttled' | 'refused' | 'receipts';
/** `since`: when the oldest counter began. */
type Totals = Record<Counter, number> & { since: string | null };
/** Rates per second, from two answers of the server. */
export type Speed = { submitted: number; throttled: number };

export function totals(carrier: CarrierLine): Totals {
  const sum = (pick: (link: CarrierLine['links'][number]) => number) =>
    carrier.links.reduce((total, link) => total + pick(link), 0);
  return {
    submitted: sum(link => link.submitted),
    throttled: sum(link => link.throttled),
    refused: sum(link => link.refused),
    receipts: sum(link => link.receipts),
    since: carrier.links.flatMap(link => link.countingSince ?? []).sort()[0] ?? null,
  };
}

export function windowShare(carrier: CarrierLine): number | null {
  const size = carrier.windowSize * carrier.links.length;
  return size === 0 ? null : carrier.links.reduce((sum, link) => sum + link.windowUsed, 0) / size;
}

export function speedOf(now: Carriers, before: Carriers | undefined, name: string): Speed {
  const find = (data: Carriers | undefined) => data?.carriers.find(carrier => carrier.name === name);
  const [current, earlier] = [find(now), find(before)];
  const seconds = before ? (Date.parse(now.at) - Date.parse(before.at)) / 1000 : 0;
  if (!current || !earlier || seconds <= 0) return { submitted: 0, throttled: 0 };
  const [later, sooner] = [totals(current), totals(earlier)];
  const grown = (key: Counter) => Math.max(0, later[key] - sooner[key]) / seconds;
  return { submitted: grown('submitted'), throttled: grown('throttled') };
}
