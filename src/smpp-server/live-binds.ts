// Registers this process among those that serve SMPP. Every second it sends a heartbeat with the counts of its binds, and learns
// which of them must end and their limits. Other processes remove one that is silent (smpp_beat); it stops sending to customers
// well before that, so that a process that was frozen does not send what others have taken over.

import { arrayLiteral, type Db, row, rows, run, sql, transaction } from '../db/db.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import type { BindType } from '../smpp/pdus.ts';
import { monotonicMs } from '../time/clock.ts';
import type { BindLimits, CustomersBind } from './bind.ts';
import { nodeSilenceSeconds } from './binds.ts';

const beatMs = 1_000;
/** 60 % of the silence after which other processes remove this one. */
const sureMs = nodeSilenceSeconds * 600;

type BeatAnswer = Omit<BindLimits, 'share'> & { bindId: number; mustGo: boolean; bindsOfUser: number };

const joinSql = sql<{ id: number }>('smpp node join')`insert into smpp_nodes default values returning id`;
const leaveSql = sql('smpp node leave')`
  with binds as (delete from smpp_binds where node_id = $1),
    pending as (update smpp_outbox set node_id = null where node_id = $1)
  delete from smpp_nodes where id = $1`;
// Two binds of one user at the same time wait for one another on the user's row; the second counts the first.
const userSql = sql<{ most: number }>('smpp bind user')`
  update smpp_users set last_bind_at = now(), last_address = $2 where id = $1 and enabled returning binds_max as most`;
const bindSql = sql<{ id: number }>('smpp bind')`
  insert into smpp_binds (node_id, user_id, kind, address, secure) select $1, $2, $3, $4, $5
  where (select count(*) from smpp_binds b join smpp_nodes n on n.id = b.node_id
    where b.user_id = $2 and n.beat_at > now() - $6 * interval '1 second') < $7 returning id`;
const unbindSql = sql('smpp unbind')`delete from smpp_binds where id = $1`;
const beatSql = sql<BeatAnswer>('smpp beat')`
  select bind_id as "bindId", must_go as "mustGo", rate, window_max as "window", receipt_window as "receiptWindow",
    binds_of_user as "bindsOfUser" from smpp_beat($1, $2, $3, $4, $5, $6, $7, $8)`;

export class LiveBinds {
  readonly #db: Db;
  readonly #log: Log;
  readonly #binds = new Map<number, CustomersBind>();
  #nodeId = 0;
  #beatAt = Number.NEGATIVE_INFINITY;
  #loop: Loop | null = null;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  async start(): Promise<void> {
    await this.#join();
    this.#loop = startLoop('SMPP binds', this.#log, () => this.#beat());
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await run(this.#db, leaveSql, [this.#nodeId]).catch(() => {});
  }

  /** Null if the last confirmed heartbeat is so old that others may have taken over what we hold. */
  nodeId = (): number | null => (monotonicMs() - this.#beatAt < sureMs ? this.#nodeId : null);

  /** Reserves one of the user's binds, counted over all living processes; null when all are taken. */
  async place(userId: number, kind: BindType, address: string, secure: boolean): Promise<number | null> {
    return transaction(this.#db, async tx => {
      const user = await row(tx, userSql, [userId, address]);
      const given = [this.#nodeId, userId, kind, address, secure, nodeSilenceSeconds, user?.most ?? 0];
      return (await row(tx, bindSql, given))?.id ?? null;
    });
  }

  add(bind: CustomersBind): void {
    this.#binds.set(bind.id, bind);
    this.#loop?.wake();
  }

  remove(id: number): void {
    this.#binds.delete(id);
    // If this fails, a later heartbeat removes it.
    void run(this.#db, unbindSql, [id]).catch(() => {});
  }

  async #join(): Promise<void> {
    const askedAt = monotonicMs();
    this.#nodeId = (await row(this.#db, joinSql))!.id;
    this.#beatAt = askedAt;
  }

  async #beat(): Promise<number> {
    const askedAt = monotonicMs();
    const binds = [...this.#binds.values()];
    const answers = await rows(this.#db, beatSql, this.#columnsOf(binds));
    if (answers.length === 0) return this.#removed();
    this.#beatAt = askedAt;
    for (const one of answers) this.#apply(one);
    return beatMs;
  }

  #apply({ bindId, mustGo, bindsOfUser, ...limits }: BeatAnswer): void {
    const bind = this.#binds.get(bindId);
    if (!bind) return;
    if (mustGo) return bind.leave('ended by the operator or the owner');
    const own = [...this.#binds.values()].filter(one => one.userId === bind.userId).length;
    bind.limit({ ...limits, share: own / Math.max(own, bindsOfUser) });
  }

  /** We were silent for too long and others took over: every customer must bind again. */
  async #removed(): Promise<number> {
    this.#log.warn({ node: this.#nodeId }, 'this SMPP process was taken for dead: its binds end');
    for (const bind of [...this.#binds.values()]) bind.leave('taken for dead');
    await this.#join();
    return beatMs;
  }

  #columnsOf(binds: CustomersBind[]): unknown[] {
    const errors = binds.map(bind => bind.lastError);
    for (const bind of binds) bind.lastError = null;
    const column = (name: keyof CustomersBind['counts']) => arrayLiteral(binds.map(one => one.counts[name]));
    return [
      this.#nodeId,
      nodeSilenceSeconds,
      arrayLiteral(binds.map(one => one.id)),
      column('submits'),
      column('refusals'),
      column('receipts'),
      column('unanswered'),
      errors,
    ];
  }
}
