// What is no longer needed goes, in small steps that hold no lock for long: finished orders after the retention period
// (their ledger entries stay), used-up idempotency keys, receipts nobody claimed in 72 hours, submits in doubt, submissions never reported.
import { type Queryable, row, run, sql } from '../db/db.ts';
import { before, dayMs, inPieces, type Left, type RetentionStep, removeOlder } from '../db/retention.ts';

const removeSql = sql<{ removed: number }>('retention orders')`select remove_orders_1($1, 1000, $2) as removed`;

// Each looks at a bounded piece. Rows with ids that grow with time: at the oldest thousand (of
// settled receipts, which come by the flush, at ten thousand).
const steps: RetentionStep[] = [
  {
    statement: sql('retention keys')`delete from idempotency_keys where ctid = any (array(
      select k.ctid from idempotency_keys k where k.created_at < $1
        and not exists (select 1 from account_fences f where f.account_id = k.account_id) order by k.created_at limit 1000))`,
    olderMs: dayMs,
    piece: 1_000,
  },
  {
    statement: sql('retention receipts')`delete from receipts where id = any (array(
      select x.id from (select id, received_at from receipts order by id limit 1000) x where x.received_at < $1))`,
    olderMs: 3 * dayMs,
    piece: 1_000,
  },
  {
    statement: sql('retention doubts')`delete from doubts where (message_id, account_id) in (
      select message_id, account_id from doubts d where d.written_at < $1
        and not exists (select 1 from account_fences f where f.account_id = d.account_id) limit 1000)`,
    olderMs: 3 * dayMs,
    piece: 1_000,
  },
  {
    statement: sql('retention settled receipts')`delete from settled_receipts where id = any (array(
      select x.id from (select id, at from settled_receipts order by id limit 10000) x where x.at < $1))`,
    olderMs: dayMs / 4,
    piece: 10_000,
  },
];

// Submissions have neither: an index by time would be paid for by every message. So the table is walked, a piece in each
// round (at most 10,000 rows), and begun again at its end: ten million rows in six hours, and they may wait ten days.
const pieceBlocks = 100;
const submissionsMs = 10 * dayMs;
const blocksSql = sql<{ blocks: number }>('retention blocks')`
  select pg_relation_size('submissions') / current_setting('block_size')::bigint as blocks`;
const submissionsSql = sql('retention submissions')`delete from submissions where ctid = any (array(
  select s.ctid from submissions s where s.ctid >= $2::tid and s.ctid < $3::tid and s.submitted_at < $1
    and not exists (select 1 from account_fences f where f.account_id = s.account_id)))`;

export class OrderRetention {
  readonly #db: Queryable;
  readonly #ordersMs: number;
  readonly #lastsMs: number;
  #block = 0;

  /** `lastsMs`: after which an order is closed at the latest. */
  constructor(db: Queryable, retentionDays: number, lastsMs: number) {
    this.#db = db;
    this.#lastsMs = lastsMs;
    this.#ordersMs = retentionDays * dayMs;
  }

  async round(): Promise<Left> {
    const left = await removeOlder(this.#db, steps);
    await this.#submissions();
    return (await inPieces(1, () => this.#orders())) ?? left;
  }

  /** Messages of orders that are gone, or orders: any number of either is worth another look. */
  async #orders(): Promise<number> {
    return (await row(this.#db, removeSql, [before(this.#ordersMs), `${this.#lastsMs} ms`]))!.removed;
  }

  async #submissions(): Promise<void> {
    const { blocks } = (await row(this.#db, blocksSql))!;
    if (this.#block >= blocks) this.#block = 0;
    const [from, to] = [this.#block, this.#block + pieceBlocks].map(block => `(${block},0)`);
    await run(this.#db, submissionsSql, [before(submissionsMs), from, to]);
    this.#block += pieceBlocks;
  }
}
