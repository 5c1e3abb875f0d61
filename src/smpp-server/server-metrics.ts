// The binds of customers in this process, which the metrics read when they are scraped (src/metrics/table/smpp-customers.ts).
import { gauge } from '../metrics/metrics.ts';
import type { CustomersBind } from './bind.ts';

export const openBinds = new Set<CustomersBind>();

gauge('peyk_smpp_binds', one => {
  for (const kind of ['transceiver', 'transmitter', 'receiver'])
    one.set({ kind }, [...openBinds].filter(bind => bind.kind === kind).length);
});
gauge('peyk_smpp_window_used', one => one.set(sum(bind => bind.counts.unanswered)));
gauge('peyk_smpp_window_size', one => one.set(sum(bind => bind.submitWindow)));

function sum(of: (bind: CustomersBind) => number): number {
  return [...openBinds].reduce((all, bind) => all + of(bind), 0);
}
