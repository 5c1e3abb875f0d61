// Carriers of all cells: the home has their settings, the other cells have copies, and the binds are divided among all
// cells. The sum never exceeds what the carrier grants: a bind that one cell gives up goes to another when its link has
// ended, and a cell that does not answer keeps its share.
import {
  copyCarrier,
  dropOtherCopies,
  readSharedCarriers,
  type SharedCarrier,
  setCarrierShare,
} from '../carriers/carrier-copies.ts';
import { listCarriers, pauseCarrier } from '../carriers/carriers.ts';
import { type Db, rows, run, runOf, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { home } from './directory.ts';

type Share = { carrierId: number; cell: number; binds: number };

const sharesSql = sql<Share>('carrier shares')`
  select carrier_id as "carrierId", cell::int, binds::int from carrier_shares`;
// Not for a cell that was removed since the round began: nobody would take those binds back.
const recordSql = sql('carrier share record')`
  with standing as (select id from cells where id = $2::smallint and removed_at is null for share)
  insert into carrier_shares (carrier_id, cell, binds) select $1::integer, id, $3::integer from standing
  on conflict (carrier_id, cell) do update set binds = excluded.binds`;
const goneSql = sql('carrier shares gone')`delete from carrier_shares where carrier_id <> all ($1)`;

/** Its binds become free for the other cells. */
export const forgetShares = runOf<[cell: number]>('carrier shares of cell')`
  delete from carrier_shares where cell = $1`;

/** Divides `binds` as evenly as possible; the first ones get the remainder. */
export function divide(binds: number, among: number[]): Map<number, number> {
  const each = Math.floor(binds / among.length);
  const more = binds % among.length;
  return new Map(among.map((cell, at) => [cell, each + (at < more ? 1 : 0)]));
}

/** Whether a cell has a bind of any carrier. True if every carrier is paused, because an operator chose that. */
export const hasBinds = `(not exists (select 1 from carriers where not paused)
  or exists (select 1 from carriers where not paused and coalesce(share, binds) > 0))`;

/** Carriers with fewer binds than cells: messages of some cells wait, unless another carrier sends them. */
export async function carriersWithTooFewBinds(homeDb: Db, cells: number): Promise<string[]> {
  const found = (await listCarriers(homeDb)).filter(one => !one.paused && one.binds < cells);
  return found.map(one => `carrier ${one.name} has ${one.binds} binds for ${cells} cells: some cells cannot use it`);
}

/** `carriers`: the cell's copies; null while it does not answer. */
type Standing = { cell: number; db: Db; carriers: SharedCarrier[] | null };

/** One round. After some rounds the shares are stable. The home is the first of the cells. */
export async function shareCarriers(cells: [number, Db][], log: Log): Promise<void> {
  const homeDb = cells[0]![1];
  const standings = await Promise.all(
    cells.map(async ([cell, db]): Promise<Standing> => {
      const carriers = await readSharedCarriers(db).catch(() => null);
      return { cell, db, carriers };
    }),
  );
  const ofHome = standings[0]!.carriers;
  if (!ofHome) return;
  const shares = await rows(homeDb, sharesSql);
  for (const carrier of ofHome) {
    const own = shares.filter(one => one.carrierId === carrier.id);
    await shareCarrier(homeDb, carrier, standings, own, log);
  }
  const kept = ofHome.map(one => one.id);
  for (const { cell, db, carriers } of standings)
    if (cell !== home && carriers?.some(one => !kept.includes(one.id))) await dropOtherCopies(db, kept);
  await run(homeDb, goneSql, [kept]);
}

async function shareCarrier(homeDb: Db, carrier: SharedCarrier, standings: Standing[], shares: Share[], log: Log) {
  const targets = divide(
    carrier.binds,
    standings.map(one => one.cell),
  );
  const last = new Map(shares.map(one => [one.cell, one.binds]));
  // `copy`: the carrier's row in this cell; `share`: the binds that the cell may use. Before a carrier is shared, the
  // home has all.
  const places = standings.map(one => ({
    ...one,
    copy: one.carriers?.find(copy => copy.id === carrier.id),
    target: targets.get(one.cell)!,
    share: last.get(one.cell) ?? (one.cell === home ? carrier.binds : 0),
  }));
  const answering = places.filter(one => one.carriers !== null);

  // A dispatcher pauses a carrier that refuses our account in the copy of its cell; the pause then applies to all
  // cells.
  const pausing = answering.find(
    one => one.cell !== home && one.copy?.paused && !carrier.paused && one.copy.copied === carrier.version,
  );
  if (pausing) {
    const reason = pausing.copy!.pauseReason;
    log.warn({ carrier: carrier.name, cell: pausing.cell, reason }, 'carrier paused in a cell, and so in all');
    return pauseCarrier(homeDb, carrier.name, true, reason);
  }

  // A bind that a cell gives up is free once its link has ended, in the next round at the earliest.
  const held = places.reduce((sum, one) => sum + Math.max(one.share, one.copy?.bound ?? 0), 0);
  const ofRemovedCells = shares.filter(one => !targets.has(one.cell)).reduce((sum, one) => sum + one.binds, 0);
  let free = Math.max(0, carrier.binds - held - ofRemovedCells);
  for (const { cell, db, copy, target, share } of answering) {
    const next = Math.min(target, share + free);
    free -= Math.max(0, next - share);
    const record = () => run(homeDb, recordSql, [carrier.id, cell, next]);
    if (next > share) await record();
    if (cell === home) await setCarrierShare(db, carrier.id, next);
    else if (copy?.share !== next || copy.copied !== carrier.version) await copyCarrier(homeDb, db, carrier, next);
    if (next < share) await record();
  }
}
