// Finds accounts with work (by notification, and by polling every second), claims their chunks, and prepares each chunk: messages with a
// revoked sender, an ended validity, or a number that was blacklisted or withdrew consent since acceptance are not sent.
import { setTimeout as pause } from 'node:timers/promises';
import { isPoison } from '../db/poison.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { AccountPaces } from '../queue/account-pace.ts';
import { smallChunk } from '../queue/chunk-size.ts';
import {
  accountsWithWork,
  type ClaimedChunk,
  claimChunks,
  type LostClaim,
  returnChunks,
  returnLost,
  setAsideChunk,
} from '../queue/claim.ts';
import { clearSuspicion, noteWork } from '../queue/dispatcher-lease.ts';
import type { LeaseKeeper } from '../queue/lease-keeper.ts';
import { ReadyAccounts } from '../queue/ready-accounts.ts';
import { monotonicMs } from '../time/clock.ts';
import type { ChunkRun } from './chunk-run.ts';
import { Marks } from './marks.ts';
import { type PrepareParts, prepareChunk } from './prepare.ts';
import type { Pump } from './pump.ts';

/** Messages per claim: of each of several accounts, of a single account, and of a single account without other dispatchers (44 → 41 µs a message). */
const messagesAtOnce = { several: 500, single: 1_000, alone: 1_500 };
const unsentMax = [4_000, 1_500] as const;
const lookEveryMs = [1_000, 3_000] as const;
/** While an old snapshot is held, polling reads all dead rows: it may take one part in so many of the time. */
const lookPart = 20;
const lookMostMs = 5_000;
/** Pause while the pump has enough to write. */
const fullMs = 200;
/** Pause while no carrier is bound; the first bind ends it. */
const unboundMs = 1_000;
// Pause until the lease is certainly valid.
const idleMs = 100;
const checkAgainMs = 5_000;
// A claim costs as much for one batch of single sends as for five, so it waits for more: with 32 callers a message costs 495 instead of
// 548 µs of CPU over all processes, at a rate that is 6 % higher.
const pauseParts = 3;
const pauseMostMs = 10;
/** A claim of so many messages is followed by the next one without a pause. */
const fullClaim = 250;

/** Pause after a claim: messages that arrive meanwhile are claimed together. */
export function pauseAfter(tookMs: number, messages: number): number {
  return messages > 0 && messages < fullClaim ? Math.min(pauseParts * tookMs, pauseMostMs) : 0;
}

type Lost = LostClaim & { checks: number; checkAtMs: number };
type ClaimerParts = PrepareParts & { pump: Pump; lease: LeaseKeeper };

export class Claimer {
  readonly #parts: ClaimerParts;
  readonly #paces = new AccountPaces();
  /** Chunks that are leased and not yet passed to the pump, per lane: they survive a failure of the database. */
  readonly #leased: [ClaimedChunk[], ClaimedChunk[]] = [[], []];
  /** The highest token of all answered claims, per lane. */
  readonly #newest = [0, 0];
  /** Claims without an answer, per lane: their leases are looked for at once, and once more because the database may execute a claim late. */
  readonly #lost: [Lost | null, Lost | null] = [null, null];
  /** The suspect chunk that each lane prepares, stored in our name. */
  readonly #noted: [number | null, number | null] = [null, null];
  /** The suspect chunk that is being stored. */
  readonly #noting: [number | null, number | null] = [null, null];
  readonly #ready: [ReadyAccounts, ReadyAccounts] = [new ReadyAccounts(), new ReadyAccounts()];
  /** The earliest time of the next claim of each lane. */
  readonly #nextAtMs = [0, 0];
  readonly #claims: Loop[] = [];
  readonly #looks: Loop[] = [];
  readonly #marks: Marks;
  #marking: Loop | undefined;

  constructor(parts: ClaimerParts) {
    this.#parts = parts;
    this.#marks = new Marks(parts);
  }

  start(): void {
    const { log } = this.#parts;
    const usual = { silenceMaxMs: 60_000 };
    for (const lane of [0, 1] as const) {
      this.#claims[lane] = startLoop(`claim lane ${lane}`, log, () => this.#round(lane), usual);
      // A loop of its own: while an old snapshot is held polling takes long, and one-time codes must not wait for it.
      this.#looks[lane] = startLoop(`look lane ${lane}`, log, () => this.#look(lane), usual);
    }
    this.#marking = startLoop('marks', log, () => this.#marks.move(), usual);
  }

  /** Gives back chunks that were leased and not yet passed to the pump. */
  async stop(): Promise<void> {
    const loops = [...this.#looks, ...this.#claims, this.#marking];
    await Promise.all(loops.map(one => one?.stop()));
    const unused = this.#leased.flatMap(line => line.splice(0));
    const marks = unused.map(({ chunkId, token }) => ({ chunkId: chunkId!, token, mark: 0 }));
    if (marks.length > 0) await returnChunks(this.#parts.db, marks).catch(() => {});
  }

  /** A notification: `lane:account`, separated by blanks. */
  hear(payload: string): void {
    for (const word of payload.split(' ')) {
      const [lane, account] = word.split(':').map(Number);
      if ((lane !== 0 && lane !== 1) || !account) continue;
      this.#ready[lane].hear(account);
      this.#claims[lane]?.wake();
    }
  }

  /**
   * Our leases were given to other dispatchers. If we were only cut off, we clear the suspicion of the chunks that we worked on:
   * otherwise two network failures would quarantine chunks that anybody can send.
   */
  abandon(wasIdle: boolean): void {
    const suspects = [...this.#noted, ...this.#noting].filter(one => one !== null);
    if (wasIdle && suspects.length > 0)
      clearSuspicion(this.#parts.db, [...new Set(suspects)]).catch(error =>
        this.#parts.log.warn({ chunks: suspects, error: error.message }, 'suspicion of chunks not cleared'),
      );
    for (const lane of [0, 1] as const) {
      this.#leased[lane].length = 0;
      this.#lost[lane] = null;
      this.#noted[lane] = null;
      this.#noting[lane] = null;
    }
  }

  lookAgain(): void {
    for (const loop of [...this.#looks, ...this.#claims]) loop.wake();
    this.#marking?.wake();
  }

  /** Called when the pump has little left, or a chunk is close to its mark. */
  need(): void {
    for (const lane of [0, 1] as const)
      if (this.#ready[lane].any && this.#demand(lane) !== null) this.#claims[lane]?.wake();
    if (this.#marks.wanted) this.#marking?.wake();
  }

  async #round(lane: 0 | 1): Promise<number> {
    const { db, pump, router, lease } = this.#parts;
    await this.#returnLost(lane);
    if (this.#leased[lane].length > 0) await this.#prepareAll(lane);
    if (this.#ready[lane].any) await this.#gathered(lane);
    if (!router.anyBound()) return unboundMs;
    if (!lease.mayWrite()) return idleMs;
    const demand = this.#demand(lane);
    if (demand === null) return fullMs;
    const ready = this.#ready[lane];
    const accounts = ready.due(demand);
    if (accounts.length === 0) return ready.pauseMs(lookEveryMs[lane], demand);
    const owner = lease.id;
    const who = accounts.length > 1 ? 'several' : lease.living > 1 ? 'single' : 'alone';
    const messages = messagesAtOnce[who];
    const limits = { messages, large: demand === 'all' ? messages : 0, room: this.#marks.room };
    // A chunk behind one that is being sent needs no mark yet.
    const underWay = pump.runs.filter(run => run.facts.lane === lane && !run.hurries);
    const busy = new Set(underWay.map(run => run.facts.accountId));
    const asked = accounts.map(one => ({ ...one, mark: busy.has(one.id) ? 0 : smallChunk }));
    const beganMs = monotonicMs();
    const claimed = await claimChunks(db, owner, lane, asked, limits).catch(error => {
      const { above, since } = this.#lost[lane] ?? { above: this.#newest[lane]!, since: [] };
      this.#lost[lane] = { above, since, checks: 2, checkAtMs: 0 };
      throw error;
    });
    const endedMs = monotonicMs();
    const brought = claimed.reduce((sum, one) => sum + (one.ids?.length ?? 0), 0);
    this.#nextAtMs[lane] = endedMs + pauseAfter(endedMs - beganMs, brought);
    ready.answered(accounts, claimed, demand);
    if (owner !== lease.id) return 0;
    for (const chunk of claimed) {
      if (chunk.chunkId === null) continue;
      this.#newest[lane] = Math.max(this.#newest[lane]!, chunk.token);
      this.#lost[lane]?.since.push(chunk.token);
      this.#leased[lane].push(chunk);
    }
    await this.#prepareAll(lane);
    return demand === 'all' || brought > 0 ? 0 : fullMs;
  }

  /** The orders that the pump has room for; null: none. */
  #demand(lane: 0 | 1): 'all' | 'small' | null {
    const { pump } = this.#parts;
    if (pump.unsent(lane, 'small') >= unsentMax[lane]) return null;
    return pump.unsent(lane, 'large') < unsentMax[lane] ? 'all' : 'small';
  }

  /** Waits for the next claim. A notification does not end the pause, because the pause lets messages gather. */
  async #gathered(lane: 0 | 1): Promise<void> {
    const waitMs = this.#nextAtMs[lane]! - monotonicMs();
    if (waitMs > 0) await pause(waitMs);
  }

  /** Prepares chunks one after another. A chunk that fails is first in the next round, unless it would fail for ever. */
  async #prepareAll(lane: 0 | 1): Promise<void> {
    const line = this.#leased[lane];
    for (let next = line[0]; next; next = line[0]) {
      await this.#noteIfSuspect(next, lane);
      const run = await this.#prepareAndTry(next, lane).catch(error => this.#setAside(next, error));
      if (line[0] !== next) return;
      line.shift();
      if (run) this.#parts.pump.add(run);
    }
    await this.#note(lane, null);
  }

  /** Stores which chunk of a dead dispatcher we work on: if we die too, that chunk is the suspect. */
  async #noteIfSuspect({ chunkId, facts }: ClaimedChunk, lane: 0 | 1): Promise<void> {
    const { deathAt } = this.#parts.lease;
    const isSuspect = deathAt !== null && facts?.some(one => one.sendAtMs <= deathAt.getTime());
    await this.#note(lane, isSuspect ? chunkId : null);
  }

  async #note(lane: 0 | 1, chunk: number | null): Promise<void> {
    if (this.#noted[lane] === chunk) return;
    this.#noting[lane] = chunk;
    await noteWork(this.#parts.db, this.#parts.lease.id, lane, chunk);
    this.#noted[lane] = chunk;
  }

  async #prepareAndTry(chunk: ClaimedChunk, lane: 0 | 1): Promise<ChunkRun> {
    const run = await prepareChunk(this.#parts, this.#paces, chunk, lane);
    if (this.#noted[lane] !== null) this.#parts.pump.tryOut(run);
    return run;
  }

  /** A chunk that no dispatcher can prepare is given back in halves. */
  async #setAside(chunk: ClaimedChunk, error: Error): Promise<void> {
    if (!isPoison(error)) throw error;
    const { db, log } = this.#parts;
    log.error(
      { chunk: chunk.chunkId, account: chunk.accountId, error: error.message },
      'chunk cannot be sent as it is',
    );
    await setAsideChunk(db, { chunkId: chunk.chunkId!, token: chunk.token });
  }

  async #returnLost(lane: 0 | 1): Promise<void> {
    const lost = this.#lost[lane];
    if (!lost || monotonicMs() < lost.checkAtMs) return;
    const { db, lease, log } = this.#parts;
    const chunks = await returnLost(db, lease.id, lane, lost);
    lost.checks--;
    lost.checkAtMs = monotonicMs() + checkAgainMs;
    if (lost.checks === 0) this.#lost[lane] = null;
    if (chunks > 0) log.warn({ lane, chunks }, 'leases whose claim was not answered were given back');
  }

  async #look(lane: 0 | 1): Promise<number> {
    const { db, router, lease } = this.#parts;
    if (!router.anyBound()) return unboundMs;
    if (!lease.mayWrite()) return idleMs;
    const beganMs = monotonicMs();
    const found = await accountsWithWork(db, lane);
    this.#ready[lane].found(found, beganMs);
    if (found.length > 0) this.#claims[lane]?.wake();
    const pauseMs = Math.min((monotonicMs() - beganMs) * lookPart, lookMostMs);
    return Math.max(lookEveryMs[lane], pauseMs);
  }
}
