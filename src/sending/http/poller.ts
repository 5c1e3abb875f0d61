// Polls carriers over HTTP that do not post receipts. The process that holds the first slot of a carrier asks for the state of
// its unreported messages, a batch of ids at a time, and begins again when it has asked for all.

import type { Poll } from '../../carriers/http/definition.ts';
import { type Db, rows, sql } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import { type Loop, startLoop } from '../../loops/loop.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { CarrierReports } from '../carrier-reports.ts';
import type { Link } from '../links/link.ts';
import { HttpLink } from './http-link.ts';
import { itemsOf, saidOf } from './receipt-items.ts';

// Submits are kept for ten days and most are reported, so one statement looks at many of them.
const openSql = sql<{ id: string; isOpen: boolean }>('submits open')`
  select s.id, m.status is not null as "isOpen" from (
    select x.smsc_id as id, x.message_id from submits x where x.carrier_id = $1 and x.smsc_id > $2 order by x.smsc_id limit $3) s
  left join lateral (select y.status from messages y where y.id = s.message_id and y.status = 110 limit 1) m on true order by s.id`;
const lookedAt = 2_000;
const lookEveryMs = 500;
/** The rest waits for the next round, so that other carriers are asked too. */
const requestsPerRound = 100;

/** `after`: ids up to this one were asked for. */
type Asking = { after: string; dueMs: number };

export function startPolling(db: Db, log: Log, links: () => Link<unknown>[], reports: CarrierReports): Loop {
  const asking = new WeakMap<Link<unknown>, Asking>();
  return startLoop('receipt polling', log, async () => {
    for (const link of links()) {
      const poll = link.carrier.definition?.poll;
      if (!(link instanceof HttpLink) || !poll || link.slot > 0 || !link.bound) continue;
      const one = asking.get(link) ?? { after: '', dueMs: 0 };
      asking.set(link, one);
      if (monotonicMs() >= one.dueMs) await round(db, link, one, poll, reports);
    }
    return lookEveryMs;
  });
}

async function round(db: Db, link: HttpLink<unknown>, one: Asking, poll: Poll, reports: CarrierReports): Promise<void> {
  one.dueMs = monotonicMs() + poll.everySeconds * 1_000;
  for (let requests = 0; requests < requestsPerRound; requests++) {
    const found = await rows(db, openSql, [link.carrier.id, one.after, lookedAt]);
    const ids = [...new Set(found.filter(row => row.isOpen).map(row => row.id))].slice(0, poll.batch);
    one.after = ids.length === poll.batch ? ids.at(-1)! : found.length < lookedAt ? '' : found.at(-1)!.id;
    if (ids.length > 0 && !(await askFor(link, poll, ids, reports))) return;
    if (one.after === '') return;
  }
}

async function askFor(link: HttpLink<unknown>, poll: Poll, ids: string[], reports: CarrierReports): Promise<boolean> {
  try {
    const answer = await link.ask(poll.request, { id: ids[0]!, ids: ids.join(',') }, ids);
    for (const item of itemsOf(poll, answer) ?? []) {
      const said = saidOf(poll, item, ids[0]!);
      // Most polled messages are in transit; this is not reported to staff.
      if (said.state !== 'ENROUTE') reports.record(link, said, said.number, () => {});
    }
    return true;
  } catch (error) {
    link.errors.note(`receipts not asked for: ${(error as Error).message}`);
    return false;
  }
}
