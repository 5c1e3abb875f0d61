// Finds work and prepares it: which accounts have any (told by notification, looked up every second), which chunks to
// lease, and what to do with each before its messages may be written: revoked sender, validity over, blacklist and consent
// changed since acceptance, unanswered submits of a predecessor.
import { setTimeout as pause } from 'node:timers/promises';
import { isPoison } from '../db/poison.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { AccountPaces } from '../queue/account-pace.ts';
import { smallChunk } from '../queue/chunk-size.ts';
import {
  accountsWithWork,
  type ClaimedChunk,
  claimChunks,
  returnChunks,
  returnForgotten,
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

/** Of each of several accounts; of a single one; and of one where nobody else dispatches: a claim of three chunks costs as much (44 → 41 µs a message). */
const messagesAtOnce = { several: 500, single: 1_000, alone: 1_500 };
const unsentMax = [4_000, 1_500] as const;
const lookEveryMs = [1_000, 3_000] as const;
/** While an old snapshot is held, a look walks over all that was ever there: one part in so many of the time goes into it. */
const lookPart = 20;
const lookMostMs = 5_000;
/** The pump has enough to write. */
const fullMs = 200;
// Nobody to send through, or not allowed to.
const idleMs = 100;
// Single sends come a batch every millisecond or two, and a claim costs as much for one batch as for five: with 32 callers it took 20
// messages, each for 548 µs of CPU over all processes; 495 with this pause, at a rate that is 6 % higher.
const pauseParts = 3;
const pauseMostMs = 10;
/** From here on a claim is worth its price. */
const amply = 250;

/** How long to wait after a claim that took so long and brought so many: what comes meanwhile is claimed together. */
export function pauseAfter(tookMs: number, messages: number): number {
  return messages > 0 && messages < amply ? Math.min(pauseParts * tookMs, pauseMostMs) : 0;
}

type ClaimerParts = PrepareParts & { pump: Pump; lease: LeaseKeeper };

export class Claimer {
  readonly #parts: ClaimerParts;
  readonly #paces = new AccountPaces();
  /** Leased and not yet handed to the pump, per lane: kept when the database fails in between. */
  readonly #leased: [ClaimedChunk[], ClaimedChunk[]] = [[], []];
  /** Chunks we know to be ours, per lane, until their end is stored. */
  readonly #known: [Set<number>, Set<number>] = [new Set(), new Set()];
  /** The answer to a claim was lost: we may hold leases that we do not know of. */
  readonly #doubt = [false, false];
  /** The suspect that each lane works on. */
  readonly #noted: [number | null, number | null] = [null, null];
  /** The one that is being noted. */
  readonly #noting: [number | null, number | null] = [null, null];
  readonly #ready: [ReadyAccounts, ReadyAccounts] = [new ReadyAccounts(), new ReadyAccounts()];
  /** Not before is the next claim of each lane. */
  readonly #nextAtMs = [0, 0];
  readonly #claims: Loop[] = [];
  readonly #looks: Loop[] = [];
  readonly #marks: Marks;
  #marking: Loop | undefined;

  constructor(parts: ClaimerParts) {
    this.#parts = parts;
    this.#marks = new Marks(parts.db, parts.pump, parts.router);
  }

  start(): void {
    const { log } = this.#parts;
    const usual = { silenceMaxMs: 60_000 };
    for (const lane of [0, 1] as const) {
      this.#claims[lane] = startLoop(`claim lane ${lane}`, log, () => this.#round(lane), usual);
      // Beside the claims: while an old snapshot is held a look takes long, and a one-time code must not wait for it.
      this.#looks[lane] = startLoop(`look lane ${lane}`, log, () => this.#look(lane), usual);
    }
    this.#marking = startLoop('marks', log, () => this.#marks.move(), usual);
  }

  /** What was leased and not yet handed to the pump goes back untouched. */
  async stop(): Promise<void> {
    const loops = [...this.#looks, ...this.#claims, this.#marking];
    await Promise.all(loops.map(one => one?.stop()));
    const unused = this.#leased.flatMap(line => line.splice(0));
    const marks = unused.map(({ chunkId, token }) => ({ chunkId: chunkId!, token, mark: 0 }));
    if (marks.length > 0) await returnChunks(this.#parts.db, marks).catch(() => {});
  }

  /** A notification: `lane:account` words. */
  hear(payload: string): void {
    for (const word of payload.split(' ')) {
      const [lane, account] = word.split(':').map(Number);
      if ((lane !== 0 && lane !== 1) || !account) continue;
      this.#ready[lane].hear(account);
      this.#claims[lane]?.wake();
    }
  }

  /**
   * Everything we held was given to others. Who was only silent, for a network or a database that was, lives: what it worked on
   * was blamed for nothing. Otherwise two silences set aside what everybody could send.
   */
  abandon(wasIdle: boolean): void {
    const blamed = [...this.#noted, ...this.#noting].filter(one => one !== null);
    if (wasIdle && blamed.length > 0)
      clearSuspicion(this.#parts.db, [...new Set(blamed)]).catch(error =>
        this.#parts.log.warn({ chunks: blamed, error: error.message }, 'blame of chunks not taken back'),
      );
    for (const lane of [0, 1] as const) {
      this.#leased[lane].length = 0;
      this.#known[lane].clear();
      this.#doubt[lane] = false;
      this.#noted[lane] = null;
      this.#noting[lane] = null;
    }
  }

  /** The leases of these chunks have ended. */
  ended(chunks: number[]): void {
    for (const chunk of chunks) if (!this.#known[0].delete(chunk)) this.#known[1].delete(chunk);
  }

  lookAgain(): void {
    for (const loop of [...this.#looks, ...this.#claims]) loop.wake();
    this.#marking?.wake();
  }

  /** The pump has little left, or a chunk is close to its mark. */
  need(): void {
    for (const lane of [0, 1] as const)
      if (this.#ready[lane].any && this.#wishes(lane) !== null) this.#claims[lane]?.wake();
    if (this.#marks.wanted) this.#marking?.wake();
  }

  async #round(lane: 0 | 1): Promise<number> {
    const { db, pump, router, lease } = this.#parts;
    if (this.#doubt[lane]) await this.#returnForgotten(lane);
    if (this.#leased[lane].length > 0) await this.#prepareAll(lane);
    if (this.#ready[lane].any) await this.#gathered(lane);
    if (!router.anyBound() || !lease.mayWrite()) return idleMs;
    const wishes = this.#wishes(lane);
    if (wishes === null) return fullMs;
    const ready = this.#ready[lane];
    const accounts = ready.due(wishes);
    if (accounts.length === 0) return ready.pauseMs(lookEveryMs[lane], wishes);
    const owner = lease.id;
    const who = accounts.length > 1 ? 'several' : lease.living > 1 ? 'single' : 'alone';
    const messages = messagesAtOnce[who];
    const limits = { messages, large: wishes === 'all' ? messages : 0, room: this.#marks.room };
    // Behind a chunk that is under way a fresh one needs no mark yet.
    const underWay = pump.runs.filter(run => run.facts.lane === lane && !run.hurries);
    const busy = new Set(underWay.map(run => run.facts.accountId));
    const asked = accounts.map(one => ({ ...one, mark: busy.has(one.id) ? 0 : smallChunk }));
    const beganMs = monotonicMs();
    const claimed = await claimChunks(db, owner, lane, asked, limits).catch(error => {
      this.#doubt[lane] = true;
      throw error;
    });
    const endedMs = monotonicMs();
    const brought = claimed.reduce((sum, one) => sum + (one.ids?.length ?? 0), 0);
    this.#nextAtMs[lane] = endedMs + pauseAfter(endedMs - beganMs, brought);
    ready.answered(accounts, claimed, wishes);
    if (owner !== lease.id) return 0;
    for (const chunk of claimed) {
      if (chunk.chunkId === null) continue;
      this.#known[lane].add(chunk.chunkId);
      this.#leased[lane].push(chunk);
    }
    await this.#prepareAll(lane);
    return wishes === 'all' || brought > 0 ? 0 : fullMs;
  }

  /** What the pump would take more of; null: nothing. */
  #wishes(lane: 0 | 1): 'all' | 'small' | null {
    const { pump } = this.#parts;
    if (pump.unsent(lane, 'small') >= unsentMax[lane]) return null;
    return pump.unsent(lane, 'large') < unsentMax[lane] ? 'all' : 'small';
  }

  /** Not ended by a word of more to claim: that is what it waits for. */
  async #gathered(lane: 0 | 1): Promise<void> {
    const waitMs = this.#nextAtMs[lane]! - monotonicMs();
    if (waitMs > 0) await pause(waitMs);
  }

  /** One after another; what fails stays first in line for the next round, unless it would fail for ever. */
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

  /** What was there when a dispatcher died is worked on under its name: should we die too, it is the suspect. */
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

  /** What cannot be prepared, whoever tries, goes back in halves. */
  async #setAside(chunk: ClaimedChunk, error: Error): Promise<void> {
    if (!isPoison(error)) throw error;
    const { db, log } = this.#parts;
    log.error(
      { chunk: chunk.chunkId, account: chunk.accountId, error: error.message },
      'chunk cannot be sent as it is',
    );
    await setAsideChunk(db, { chunkId: chunk.chunkId!, token: chunk.token });
    this.ended([chunk.chunkId!]);
  }

  async #returnForgotten(lane: 0 | 1): Promise<void> {
    const { db, lease, log } = this.#parts;
    const chunks = await returnForgotten(db, lease.id, lane, this.#known[lane]);
    this.#doubt[lane] = false;
    if (chunks > 0) log.warn({ lane, chunks }, 'leases whose claim was not answered were given back');
  }

  async #look(lane: 0 | 1): Promise<number> {
    const { db, router, lease } = this.#parts;
    if (!router.anyBound() || !lease.mayWrite()) return idleMs;
    const beganMs = monotonicMs();
    const found = await accountsWithWork(db, lane);
    this.#ready[lane].found(found, beganMs);
    if (found.length > 0) this.#claims[lane]?.wake();
    const pauseMs = Math.min((monotonicMs() - beganMs) * lookPart, lookMostMs);
    return Math.max(lookEveryMs[lane], pauseMs);
  }
}
