// Checks once a second whether leased chunks may still be written: their validity may have ended, their account may have been suspended
// (they wait), their sender revoked (they end), their carriers lost (another dispatcher may have some).

import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { type Lease, sendersAsOf } from '../queue/claim.ts';
import type { Recorder } from '../receipts/recorder.ts';
import { monotonicMs } from '../time/clock.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import { giveBack } from './give-back.ts';
import type { Router } from './links/router.ts';
import type { Pump } from './pump.ts';

const lookEveryMs = 1_000;
// A link that is lost for a shorter time keeps its chunks.
const unboundMaxMs = 5_000;

type RecheckParts = {
  db: Db;
  log: Log;
  pump: Pump;
  router: Router<Flight>;
  recorder: Recorder;
  onReturned(leases: Lease[]): void;
};

export function startRecheck(parts: RecheckParts): Loop {
  let boundAt = monotonicMs();
  return startLoop('recheck', parts.log, async () => {
    const { db, pump, router, recorder } = parts;
    const time = monotonicMs();
    if (router.anyBound()) boundAt = time;
    const held = pump.runs.filter(run => run.holds);
    if (held.length === 0) return lookEveryMs;
    for (const run of held)
      for (const order of run.facts.orders.values()) if (time > order.deadlineMs) pump.failUnsent(run, 18, order);
    if (time - boundAt > unboundMaxMs) for (const run of held) run.leaving = true;
    else await judge(parts, held);
    const leaving = pump.runs.filter(run => run.leaving);
    if (leaving.length === 0) return lookEveryMs;
    const returned = await giveBack(db, pump, recorder, leaving);
    parts.onReturned(returned.map(run => run.facts));
    return lookEveryMs;
  });
}

async function judge({ db, pump }: RecheckParts, held: ChunkRun[]): Promise<void> {
  const name = (one: { accountId: number; sender: string }) => `${one.accountId} ${one.sender}`;
  const all = held.flatMap(({ facts: { accountId, orders } }) =>
    Array.from(orders.values(), ({ sender }) => ({ accountId, sender })),
  );
  const pairs = new Map(all.map(one => [name(one), one]));
  const found = new Map((await sendersAsOf(db, [...pairs.values()])).map(one => [name(one), one]));
  for (const run of held)
    for (const order of run.facts.orders.values()) {
      const now = found.get(name({ accountId: run.facts.accountId, sender: order.sender }));
      if (now && !now.senderOk) pump.failUnsent(run, 4, order);
      else if (!now?.active) run.leaving = true;
    }
}
