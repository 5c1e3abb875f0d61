// Whether orders can be stored: the database answers in time, and it writes.
import { type Db, row, sql } from '../db/db.ts';

// `on` in a standby and where an administrator forbade writing.
const ping = sql<{ writes: boolean }>('health ping')`select current_setting('transaction_read_only') = 'off' as writes`;
const pingMaxMs = 2_000;

export async function writesInTime(db: Db): Promise<boolean> {
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
