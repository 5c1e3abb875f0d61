// Carriers for all cells: settings are the home's, the other cells get copies, and the binds are divided among all of them. Never more in all
// than the carrier grants: what one cell gives up another gets only when the links of the first are seen to be gone, and a cell that
// does not answer keeps what it was last given.

import {
  copyCarrier,
  dropOtherCopies,
  readSharedCarriers,
  type SharedCarrier,
  setCarrierShare,
} from '../carriers/carrier-copies.ts';
import { listCarriers, pauseCarrier } from '../carriers/carriers.ts';
import { type Db, rows, run, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { home } from './directory.ts';

type Share = { carrierId: number; cell: number; binds: number };

const sharesSql = sql<Share>('carrier shares')`
  select carrier_id as "carrierId", cell::int, binds::int from carrier_shares`;
// A round that began before a cell was taken out would give it binds again, which nobody ever gave back.
const recordSql = sql('carrier share record')`
  with standing as (select id from cells where id = $2::smallint and removed_at is null for share)
  insert into carrier_shares (carrier_id, cell, binds) select $1::integer, id, $3::integer from standing
  on conflict (carrier_id, cell) do update set binds = excluded.binds`;
const goneSql = sql('carrier shares gone')`delete from carrier_shares where carrier_id <> all ($1)`;

const forgetSql = sql('carrier shares of cell')`delete from carrier_shares where cell = $1`;

/** What was held for it is for the others. */
export async function forgetShares(homeDb: Db, cell: number): Promise<void> {
  await run(homeDb, forgetSql, [cell]);
}

/** `binds` divided as evenly as it goes; the first of them get what is left over. */
export function divide(binds: number, among: number[]): Map<number, number> {
  const each = Math.floor(binds / among.length);
  const more = binds % among.length;
  return new Map(among.map((cell, at) => [cell, each + (at < more ? 1 : 0)]));
}

/** Of a cell: whether what it accepts can go anywhere. Where every carrier is paused somebody wanted it so. */
export const hasBinds = `(not exists (select 1 from carriers where not paused)
  or exists (select 1 from carriers where not paused and coalesce(share, binds) > 0))`;

/** Some cells get none of their binds: what those accept waits, unless another carrier sends it. */
export async function carriersWithTooFewBinds(homeDb: Db, cells: number): Promise<string[]> {
  const found = (await listCarriers(homeDb)).filter(one => !one.paused && one.binds < cells);
  return found.map(one => `carrier ${one.name} has ${one.binds} binds for ${cells} cells: some cells cannot use it`);
}

/** A cell, and its carriers as they are there; null while it does not answer. */
type Standing = { cell: number; db: Db; carriers: SharedCarrier[] | null };

/** Once: what can be done now. Again and again it comes to rest. The home is the first of the cells. */
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
    await new Sharing(homeDb, carrier, standings, own, log).settle();
  }
  const kept = ofHome.map(one => one.id);
  for (const { cell, db, carriers } of standings)
    if (cell !== home && carriers?.some(one => !kept.includes(one.id))) await dropOtherCopies(db, kept);
  await run(homeDb, goneSql, [kept]);
}

/** One carrier in all cells. */
class Sharing {
  readonly #homeDb: Db;
  readonly #carrier: SharedCarrier;
  readonly #standings: Standing[];
  readonly #targets: Map<number, number>;
  readonly #current: Map<number, number>;
  /** By cells that were taken out and may not have let go yet. */
  readonly #heldByLeft: number;
  readonly #log: Log;

  constructor(homeDb: Db, carrier: SharedCarrier, standings: Standing[], shares: Share[], log: Log) {
    this.#homeDb = homeDb;
    this.#carrier = carrier;
    this.#standings = standings;
    this.#log = log;
    const cells = standings.map(one => one.cell);
    this.#targets = divide(carrier.binds, cells);
    const last = new Map(shares.map(one => [one.cell, one.binds]));
    this.#heldByLeft = shares.reduce((sum, one) => sum + (cells.includes(one.cell) ? 0 : one.binds), 0);
    // Before it was ever shared all of them were the home's.
    this.#current = new Map(cells.map(cell => [cell, last.get(cell) ?? (cell === home ? carrier.binds : 0)]));
  }

  async settle(): Promise<void> {
    if (await this.#pausedElsewhere()) return;
    if (await this.#shrink()) return;
    const grown = await this.#grow();
    for (const one of this.#reachable()) {
      const copy = this.#rowIn(one);
      const isCopy = copy?.copied === this.#carrier.version && copy.share === this.#current.get(one.cell);
      if (one.cell !== home && (!isCopy || grown.has(one.cell))) await this.#write(one);
    }
  }

  /** A dispatcher that has trouble with our account at the carrier pauses it where it is; that counts for all. */
  async #pausedElsewhere(): Promise<boolean> {
    const { version, paused, name } = this.#carrier;
    const pausing = this.#reachable().find(one => {
      const copy = one.cell === home ? undefined : this.#rowIn(one);
      return copy?.paused && !paused && copy.copied === version;
    });
    if (!pausing) return false;
    const reason = this.#rowIn(pausing)!.pauseReason;
    this.#log.warn({ carrier: name, cell: pausing.cell, reason }, 'carrier paused in a cell, and so in all');
    await pauseCarrier(this.#homeDb, name, true, reason);
    return true;
  }

  /** Whether anybody has to give something up: then the rest waits for the next round. */
  async #shrink(): Promise<boolean> {
    let any = false;
    for (const one of this.#reachable()) {
      const target = this.#targets.get(one.cell)!;
      const isHomeNew = one.cell === home && this.#carrier.share === null;
      if (target >= this.#current.get(one.cell)! && !isHomeNew) continue;
      this.#current.set(one.cell, Math.min(target, this.#current.get(one.cell)!));
      await this.#write(one);
      await this.#record(one.cell);
      any = true;
    }
    return any;
  }

  async #grow(): Promise<Set<number>> {
    const grown = new Set<number>();
    let held = this.#heldByLeft;
    for (const one of this.#standings) {
      const bound = one.carriers ? (this.#rowIn(one)?.bound ?? 0) : 0;
      held += Math.max(this.#current.get(one.cell)!, bound);
    }
    for (const one of this.#reachable()) {
      const current = this.#current.get(one.cell)!;
      const more = Math.min(this.#targets.get(one.cell)! - current, this.#carrier.binds - held);
      if (more <= 0) continue;
      held += more;
      this.#current.set(one.cell, current + more);
      await this.#record(one.cell);
      if (one.cell === home) await this.#write(one);
      grown.add(one.cell);
    }
    return grown;
  }

  async #write({ cell, db }: Standing): Promise<void> {
    const share = this.#current.get(cell)!;
    if (cell === home) await setCarrierShare(db, this.#carrier.id, share);
    else await copyCarrier(this.#homeDb, db, this.#carrier, share);
  }

  async #record(cell: number): Promise<void> {
    await run(this.#homeDb, recordSql, [this.#carrier.id, cell, this.#current.get(cell)]);
  }

  #reachable(): Standing[] {
    return this.#standings.filter(one => one.carriers !== null);
  }

  #rowIn({ carriers }: Standing): SharedCarrier | undefined {
    return carriers?.find(one => one.id === this.#carrier.id);
  }
}
