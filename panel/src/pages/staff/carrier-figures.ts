// Figures of a carrier from the totals of its links. Totals begin anew with each process, so a step back counts as 0.
import type { CarrierLine, Carriers } from '../../../../src/panel-api/contract-staff.ts';

export function totals(carrier: CarrierLine): {
  submitted: number;
  throttled: number;
  refused: number;
  receipts: number;
} {
  const sum = (pick: (link: CarrierLine['links'][number]) => number) =>
    carrier.links.reduce((total, link) => total + pick(link), 0);
  return {
    submitted: sum(link => link.submitted),
    throttled: sum(link => link.throttled),
    refused: sum(link => link.refused),
    receipts: sum(link => link.receipts),
  };
}

export function windowShare(carrier: CarrierLine): number | null {
  const size = carrier.windowSize * carrier.links.length;
  return size === 0 ? null : carrier.links.reduce((sum, link) => sum + link.windowUsed, 0) / size;
}

export function perSecond(now: Carriers, before: Carriers | undefined, name: string): number | null {
  const find = (data: Carriers | undefined) => data?.carriers.find(carrier => carrier.name === name);
  const [current, earlier] = [find(now), find(before)];
  if (!current || !earlier || !before) return null;
  const seconds = (new Date(now.at).getTime() - new Date(before.at).getTime()) / 1000;
  return seconds <= 0 ? null : Math.max(0, totals(current).submitted - totals(earlier).submitted) / seconds;
}
