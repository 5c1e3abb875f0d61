// Counts what this process does for customers over SMPP, in maps, because a counter with labels would cost more than a submit.
// The metrics read them when they are scraped (src/metrics/table/smpp-customers.ts).
import { gauge, total } from '../metrics/metrics.ts';
import type { BindType } from '../smpp/pdus.ts';
import { statusName } from '../smpp/status.ts';

type Outcome = 'taken' | 'put off' | 'refused' | 'lost';
type OpenBind = { kind: BindType; submitWindow: number; counts: { unanswered: number } };

// Names that are shown with 0 before they happen.
const submits = new Map<number, number>([[0, 0]]);
const refused = new Map<string, number>([['smpp-wrong-password', 0]]);
const deliveries = new Map<Outcome, number>([['taken', 0]]);
const open = new Set<OpenBind>();

export const smppCounts = {
  submitted: (status: number) => add(submits, status),
  bindRefused: (cause: string) => add(refused, cause),
  delivered: (outcome: Outcome) => add(deliveries, outcome),
  opened: (bind: OpenBind) => open.add(bind),
  closed: (bind: OpenBind) => open.delete(bind),
};

total('peyk_smpp_submits_total', () => [...submits].map(([one, count]) => [{ status: statusName(one) }, count]));
total('peyk_smpp_binds_refused_total', () => [...refused].map(([cause, count]) => [{ cause }, count]));
total('peyk_smpp_deliveries_total', () => [...deliveries].map(([outcome, count]) => [{ outcome }, count]));
gauge('peyk_smpp_binds', one => {
  for (const kind of ['transceiver', 'transmitter', 'receiver'])
    one.set({ kind }, [...open].filter(bind => bind.kind === kind).length);
});
gauge('peyk_smpp_window_used', one => one.set(sum(bind => bind.counts.unanswered)));
gauge('peyk_smpp_window_size', one => one.set(sum(bind => bind.submitWindow)));

function sum(of: (bind: OpenBind) => number): number {
  return [...open].reduce((all, bind) => all + of(bind), 0);
}

function add<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
