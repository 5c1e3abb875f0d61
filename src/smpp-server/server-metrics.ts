// What this process counts of customers over SMPP. Counted here, since a submit costs less than what a counter with labels does, and
// told when somebody asks (src/metrics/table/smpp-customers.ts).
import { gauge, total } from '../metrics/metrics.ts';
import type { BindType } from '../smpp/pdus.ts';
import { statusName } from '../smpp/status.ts';

type Outcome = 'taken' | 'put off' | 'refused' | 'lost';
export type OpenBind = { kind: BindType; unanswered: number; window: number };

// What has not happened yet is told as 0.
const submits = new Map<number, number>([[0, 0]]);
const refused = new Map<string, number>([['smpp-wrong-password', 0]]);
const deliveries = new Map<Outcome, number>([['taken', 0]]);
const open = new Set<{ state(): OpenBind }>();

export const smppCounts = {
  submitted: (status: number) => add(submits, status),
  bindRefused: (cause: string) => add(refused, cause),
  delivered: (outcome: Outcome) => add(deliveries, outcome),
  opened: (bind: { state(): OpenBind }) => open.add(bind),
  closed: (bind: { state(): OpenBind }) => open.delete(bind),
};

total('peyk_smpp_submits_total', () => [...submits].map(([one, count]) => [{ status: statusName(one) }, count]));
total('peyk_smpp_binds_refused_total', () => [...refused].map(([cause, count]) => [{ cause }, count]));
total('peyk_smpp_deliveries_total', () => [...deliveries].map(([outcome, count]) => [{ outcome }, count]));
gauge('peyk_smpp_binds', one => {
  for (const kind of ['transceiver', 'transmitter', 'receiver'])
    one.set({ kind }, states().filter(bind => bind.kind === kind).length);
});
gauge('peyk_smpp_window_used', one => one.set(sum(states().map(bind => bind.unanswered))));
gauge('peyk_smpp_window_size', one => one.set(sum(states().map(bind => bind.window))));

function states(): OpenBind[] {
  return [...open].map(bind => bind.state());
}

function sum(counts: number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

function add<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
