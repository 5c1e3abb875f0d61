// The bundled simulator as the carrier `simulator`. It pretends to deliver, and credit is spent on that, so beside another carrier
// or with an external database it is paused unless it is requested by name: in PEYK_SIMULATORS, or with `carrier resume
// simulator`. The operator's choice (paused, resumed) outlives every start.
import { type Db, row, run, sql, transaction } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { besideOthers, carrierExists, putCarrier, simulatorName } from './carriers.ts';

/** A pause reason of the program's own, like `besideOthers`: the program ends only these pauses itself. */
export const notRunning = 'the simulator is not running';

export type SimulatorStart = {
  /** The port, if this start runs the simulator. */
  port: number | undefined;
  /** PEYK_SIMULATORS names it; otherwise it runs by default. */
  named: boolean;
  /** The database is the embedded one, so no other node runs the simulator. */
  ownData: boolean;
};

type WantedBy = 'setting' | 'operator' | null;
type Standing = { paused: boolean; reason: string | null; wantedBy: WantedBy; others: boolean; bound: boolean };

const standingSql = sql<Standing>('simulator standing')`
  select paused, pause_reason as reason, wanted_by as "wantedBy", exists (select 1 from carriers o where o.id <> c.id) as others,
    exists (select 1 from carrier_links l where l.carrier_id = c.id and l.state = 'bound' and l.at > now() - interval '15 seconds') as bound
  from carriers c where name = $1 for update`;
const wantedBySql = sql('simulator wanted by')`update carriers set wanted_by = $2 where name = $1`;
const standSql = sql('simulator stand')`
  update carriers set paused = $2::text is not null, pause_reason = $2, changed_at = clock_timestamp() where name = $1`;

/** At each start: stores the simulator's address and whether it may send. */
export function offerSimulator(db: Db, key: SecretKey, start: SimulatorStart): Promise<void> {
  return transaction(db, async tx => {
    if (start.port) {
      const place = { host: '127.0.0.1', port: String(start.port) };
      const login = { 'system-id': 'peyk', password: 'peyk', priority: '100' };
      const known = await carrierExists(tx, simulatorName);
      await putCarrier(tx, key, simulatorName, known ? place : { ...place, ...login });
    }
    const standing = await row(tx, standingSql, [simulatorName]);
    if (!standing) return;
    const wantedBy = wantedAfter(standing, start);
    const reason = pauseReason({ ...standing, wantedBy }, start);
    await run(tx, wantedBySql, [simulatorName, wantedBy]);
    if (reason !== standing.reason) await run(tx, standSql, [simulatorName, reason]);
  });
}

/** Another node of a shared database runs the simulator; this one then changes nothing. */
function runsElsewhere({ bound }: Standing, { port, ownData }: SimulatorStart): boolean {
  return !port && !ownData && bound;
}

/** A request of an operator stays; one of a setting lasts until the next start without it. */
function wantedAfter(standing: Standing, start: SimulatorStart): WantedBy {
  if (standing.wantedBy === 'operator' || runsElsewhere(standing, start)) return standing.wantedBy;
  return start.port && start.named ? 'setting' : null;
}

/** Why it is paused after this start; null if it may send. */
function pauseReason(standing: Standing, start: SimulatorStart): string | null {
  const { paused, reason, wantedBy, others } = standing;
  const byOperator = paused && reason !== notRunning && reason !== besideOthers;
  if (byOperator) return reason;
  // It stays paused when the other carriers are removed: their messages may still be waiting.
  if (!wantedBy && (others || reason === besideOthers)) return besideOthers;
  if (start.port) return null;
  // The listener at its address may be the simulator of another installation.
  return runsElsewhere(standing, start) ? reason : notRunning;
}
