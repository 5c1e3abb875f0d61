// The bundled simulator as the carrier `simulator`. It only plays deliveries, and credit is spent on them, so beside another
// carrier or over somebody's own database it carries nothing unless it was asked for by name: in PEYK_SIMULATORS, or with
// `carrier resume simulator`. What the operator chose (paused, resumed) outlives every start.
import { type Db, row, run, sql, transaction } from '../db/db.ts';
import type { SecretKey } from '../secrets.ts';
import { besideOthers, carrierExists, putCarrier, simulatorName } from './carriers.ts';

/** Like `besideOthers` a pause of the program's own: only these are taken back by the program. */
const notRunning = 'the simulator is not running';

export type SimulatorStart = {
  /** Where it listens when this start runs it. */
  port: number | undefined;
  /** The setting names it, as opposed to its being there by default. */
  named: boolean;
  /** Nobody else can be running it: the data is ours. */
  ownData: boolean;
};

type Standing = { paused: boolean; reason: string | null; wanted: boolean; others: boolean };

// Whose wish counts: an operator's stays; that of a setting lasts as long as the program that was started with it.
const wishSql = sql<Standing>('simulator wish')`
  update carriers c set wanted_by = case when c.wanted_by = 'operator' then c.wanted_by when $2 then 'setting' end where name = $1
  returning paused, pause_reason as reason, wanted_by is not null as wanted,
    exists (select 1 from carriers o where o.id <> c.id) as others`;
const standSql = sql('simulator stand')`
  update carriers set paused = $2::text is not null, pause_reason = $2, changed_at = clock_timestamp() where name = $1`;

/** At each start: tells dispatchers where the simulator is, and whether it may carry. */
export function offerSimulator(db: Db, key: SecretKey, start: SimulatorStart): Promise<void> {
  return transaction(db, async tx => {
    if (start.port) {
      const place = { host: '127.0.0.1', port: String(start.port) };
      const login = { 'system-id': 'peyk', password: 'peyk', priority: '100' };
      const known = await carrierExists(tx, simulatorName);
      await putCarrier(tx, key, simulatorName, known ? place : { ...place, ...login });
    }
    const standing = await row(tx, wishSql, [simulatorName, start.port !== undefined && start.named]);
    if (!standing) return;
    const reason = restReason(standing, start);
    if (reason !== standing.reason) await run(tx, standSql, [simulatorName, reason]);
  });
}

/** Why it rests after this start; null = it carries. */
function restReason({ paused, reason, wanted, others }: Standing, { port, ownData }: SimulatorStart): string | null {
  const byOperator = paused && reason !== notRunning && reason !== besideOthers;
  if (byOperator) return reason;
  // Once set aside it stays so when the others are removed: their messages may still be waiting.
  if (!wanted && (others || reason === besideOthers)) return besideOthers;
  if (port) return null;
  // Over somebody's own database another node may be running it.
  return ownData ? notRunning : reason;
}
