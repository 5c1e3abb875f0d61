// Whether orders can be stored: the database answers in time, and it writes. A node is ready when the home does: a cell that is away keeps
// nobody but its own accounts waiting.
import { type Db, row, sql } from '../db/db.ts';

// `on` in a standby and where an administrator forbade writing.
const ping = sql<{ writes: boolean }>('health ping')`select current_setting('transaction_read_only') = 'off' as writes`;
const pingMaxMs = 2_000;

/** The home first. */
export type Places = () => [cell: number, db: Db][];

/** Of cells beside the home insiders are told one by one. */
export async function readiness(places: Places, isInsider: boolean): Promise<{ ready: boolean; cells?: object }> {
  const [[, homeDb], ...others] = places() as [[number, Db], ...[number, Db][]];
  const [ready, ...cells] = await Promise.all([homeDb, ...others.map(([, db]) => db)].map(writesInTime));
  if (!isInsider || others.length === 0) return { ready: ready! };
  return { ready: ready!, cells: Object.fromEntries(others.map(([cell], at) => [cell, cells[at]])) };
}

async function writesInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), pingMaxMs);
  });
  const answer = row(db, ping).then(
    found => found!.writes,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
