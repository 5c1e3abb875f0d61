// Polls carriers over HTTP that do not post receipts. The process that holds the first slot of a carrier asks for the state of
// its unreported messages, a batch of ids at a time, and begins again when it has asked for all.

import type { Poll } from '../../carriers/http/definition.ts';
import { type Db, rows, sql } from '../../db/db.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import type { Log } from '../../log.ts';
import { type Loop, startLoop } from '../../loops/loop.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { CarrierReports } from '../carrier-reports.ts';
import type { Link } from '../links/link.ts';
import { clientOf } from './http-link.ts';
import { itemsOf, saidOf } from './receipt-items.ts';
import { makeRequest } from './request.ts';
import { secretValues } from './template.ts';
import { Token } from './token.ts';

// Submits are kept for ten days and most are reported, so one statement looks at many of them.
const openSql = sql<{ id: string; isOpen: boolean }>('submits open')`
  select s.id, m.status is not null as "isOpen" from (
    select x.smsc_id as id, x.message_id from submits x where x.carrier_id = $1 and x.smsc_id > $2 order by x.smsc_id limit $3) s
  left join lateral (select y.status from messages y where y.id = s.message_id and y.status = 110 limit 1) m on true order by s.id`;
const lookedAt = 2_000;
const lookEveryMs = 500;
/** The rest waits for the next round, so that other carriers are asked too. */
const requestsPerRound = 100;

type Asking = { link: Link<unknown>; client: HttpClient; token: Token; after: string; dueMs: number };

export function startPolling(db: Db, log: Log, links: () => Link<unknown>[], reports: CarrierReports): Loop {
  const asking = new Map<Link<unknown>, Asking>();
  return startLoop('receipt polling', log, async () => {
    const polled = links().filter(link => link.slot === 0 && link.bound && link.carrier.definition?.poll);
    for (const [link, { client }] of asking) {
      if (polled.includes(link)) continue;
      client.close();
      asking.delete(link);
    }
    for (const link of polled) {
      const one = asking.get(link) ?? begin(link);
      asking.set(link, one);
      if (monotonicMs() < one.dueMs) continue;
      const poll = link.carrier.definition!.poll!;
      await round(db, one, poll, reports);
    }
    return lookEveryMs;
  });
}

function begin(link: Link<unknown>): Asking {
  const client = clientOf(link.carrier, 1);
  return { link, client, token: new Token(link.carrier, client), after: '', dueMs: 0 };
}

async function round(db: Db, one: Asking, poll: Poll, reports: CarrierReports): Promise<void> {
  one.dueMs = monotonicMs() + poll.everySeconds * 1_000;
  for (let requests = 0; requests < requestsPerRound; requests++) {
    const found = await rows(db, openSql, [one.link.carrier.id, one.after, lookedAt]);
    const ids = [...new Set(found.filter(row => row.isOpen).map(row => row.id))].slice(0, poll.batch);
    one.after = ids.length === poll.batch ? ids.at(-1)! : found.length < lookedAt ? '' : found.at(-1)!.id;
    if (ids.length > 0 && !(await askFor(one, poll, ids, reports))) return;
    if (one.after === '') return;
  }
}

async function askFor(
  { link, client, token }: Asking,
  poll: Poll,
  ids: string[],
  reports: CarrierReports,
): Promise<boolean> {
  try {
    const { carrier } = link;
    const access = await token.ask();
    const values = { ...secretValues(carrier), id: ids[0]!, ids: ids.join(','), token: access };
    const request = makeRequest(poll.request, carrier.definition!.auth, values, { ids });
    const { failure, status, body } = await client.ask(request);
    if (failure) throw new Error(failure.text);
    if (status === 401) token.forget();
    if (status >= 300) throw new Error(`HTTP ${status}`);
    for (const item of itemsOf(poll, body.toString()) ?? []) {
      const said = saidOf(poll, item, ids[0]!);
      // Most polled messages are in transit; this is not reported to staff.
      if (said.state !== 'ENROUTE') reports.record(link, said, said.number, () => {});
    }
    return true;
  } catch (error) {
    link.noteError(`receipts not asked for: ${(error as Error).message}`);
    return false;
  }
}
