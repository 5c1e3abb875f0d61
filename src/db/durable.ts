// Work may be committed without waiting for the disk (synchronous_commit off for that transaction), so that its row locks
// are free while the log is written; whoever must answer for it then asks for one flush of the log, which makes everything
// committed before it durable. Flushes are shared: those who ask while one is under way travel together in the next.
import { type Db, run, sql } from './db.ts';

// A transaction must have written something to wait for the disk. This record is read by nobody.
const flushSql = sql('flush log')`select pg_logical_emit_message(true, 'peyk', '')`;

export function flusher(db: Db): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const flush = (): Promise<void> => {
    next = null;
    running = run(db, flushSql)
      .then(() => {})
      .finally(() => {
        running = null;
      });
    return running;
  };
  return () => {
    if (!running) return flush();
    // What runs may have begun before the caller's commit.
    next ??= running.then(flush, flush);
    return next;
  };
}
