// Whether orders can be stored: the database answers in time and accepts writes. A node is ready when its home is: a
// cell that is down only affects its own accounts.

import { hasBinds } from '../cells/share-carriers.ts';
import { type Db, row, type Sql, sql } from '../db/db.ts';
import { inTime } from '../loops/in-time.ts';

// `on` in a standby, and where an administrator made the server read-only.
const ping = sql<{ writes: boolean }>('health ping')`select current_setting('transaction_read_only') = 'off' as writes`;
const pingMaxMs = 2_000;

// A cell must also be able to send what it accepts.
const cellPing: Sql<{ writes: boolean }> = {
  name: 'health cell ping',
  text: `select current_setting('transaction_read_only') = 'off' and ${hasBinds} as writes`,
};

/** The home first; null for a cell that is not served. */
export type Places = () => [cell: number, db: Db | null][];

/** Insiders see each cell separately. */
export async function readiness(places: Places, isInsider: boolean): Promise<{ ready: boolean; cells?: object }> {
  const [[, homeDb], ...others] = places() as [[number, Db], ...[number, Db | null][]];
  const [ready, ...cells] = await Promise.all([
    writesInTime(homeDb, ping),
    ...others.map(([, db]) => db !== null && writesInTime(db, cellPing)),
  ]);
  if (!isInsider || others.length === 0) return { ready: ready! };
  return { ready: ready!, cells: Object.fromEntries(others.map(([cell], at) => [cell, cells[at]])) };
}

async function writesInTime(db: Db, question: Sql<{ writes: boolean }>): Promise<boolean> {
  const found = await inTime(row(db, question), pingMaxMs).catch(() => undefined);
  return found !== 'late' && found?.writes === true;
}
