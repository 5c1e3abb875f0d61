// Writes messages of leased chunks to links with room. Transactional chunks go before campaigns, and in each lane small orders before large
// ones; within a queue accounts take turns of a few messages, so none waits for another's bulk. Answers are passed to the recorder. Nothing is
// written unless the lease is certainly valid (`mayWrite`).

import type { Log } from '../log.ts';
import type { Reason } from '../orders/reasons.ts';
import type { ChunkProgress } from '../queue/chunk-progress.ts';
import { smallChunk } from '../queue/chunk-size.ts';
import { backlogMax, type Recorder } from '../receipts/recorder.ts';
import { retryDelaysMs, type SubmitVerdict } from '../receipts/verdicts.ts';
import { monotonicMs } from '../time/clock.ts';
import type { ChunkRun, LongMessage, RunOrder } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Link } from './links/link.ts';
import type { Router } from './links/router.ts';
import type { PartTemplate, Templates } from './links/submit.ts';
import { noteFailure, notePostponed, noteSubmit, type Postponed } from './notes.ts';

type PumpParts = {
  router: Router<Flight>;
  recorder: Recorder;
  progress: ChunkProgress;
  templates: Templates;
  log: Log;
  mayWrite(): boolean;
  /** Called when a chunk is close to its mark, or done: the claimer looks for work. */
  onNeed(): void;
  unsureHoldMs: number;
};

const pacedPollMs = 10;
const partTriesMax = 3;
/** Pause before a message is written that its link could not take. */
const unwrittenDelayMs = 1_000;
// A message whose carrier is down, or that no carrier serves, waits so long, so that it does not delay its chunk.
const unservedDelayMs = 1_000;

export class Pump {
  /** Lane 0 small, lane 0 large, lane 1 small, lane 1 large: served in this order. */
  readonly #queues: ChunkRun[][] = [[], [], [], []];
  /** Number of submits written since the start. */
  written = 0;
  #parts!: PumpParts;
  #planned = false;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  connect(parts: PumpParts): void {
    this.#parts = parts;
  }

  add(run: ChunkRun): void {
    if (run.open === 0) return this.#finish(run);
    this.#queueOf(run).push(run);
    this.wake();
  }

  unsent(lane: 0 | 1, size: 'small' | 'large'): number {
    let sum = 0;
    for (const run of this.#queues[2 * lane + (size === 'small' ? 0 : 1)]!) sum += run.unsent;
    return sum;
  }

  get runs(): ChunkRun[] {
    return this.#queues.flat();
  }

  #queueOf({ facts }: ChunkRun): ChunkRun[] {
    return this.#queues[2 * facts.lane + (facts.small ? 0 : 1)]!;
  }

  wake(): void {
    if (this.#planned || this.#stopped) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      if (!this.#stopped) this.#pump();
    });
  }

  /** Begins no further message; long messages in progress are finished. */
  leave(): void {
    for (const run of this.runs) run.leaving = true;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Forgets all chunks: the leases are lost. Answers in flight are still recorded. */
  abandon(): void {
    for (const run of this.runs) this.remove(run);
  }

  remove(run: ChunkRun): void {
    run.abandoned = true;
    run.leaving = true;
    run.unfinished.length = 0;
    run.delayed.clear();
    forget(this.#queueOf(run), run);
  }

  #pump(): void {
    const { recorder, onNeed } = this.#parts;
    if (recorder.backlog < backlogMax) {
      for (const queue of this.#queues) this.#serve(queue);
    }
    onNeed();
    // A timer, because paced chunks and paced links become free without an event.
    if (this.#timer || this.#queues.every(queue => queue.length === 0)) return;
    const isPaced = (run: ChunkRun) => run.facts.pace !== null && run.unsent > 0;
    const paced = this.#parts.router.anyPaced() || this.#queues.some(queue => queue.some(isPaced));
    if (!paced) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.wake();
    }, pacedPollMs);
  }

  /** Serves the chunks of a queue in turns until none can go on. */
  #serve(queue: ChunkRun[]): void {
    for (let idle = 0; queue.length > 0 && idle < queue.length; ) {
      const run = queue.shift()!;
      queue.push(run);
      // Checked before each turn: the process may have been paused in the middle of a round.
      if (!this.#parts.mayWrite()) return;
      const sent = this.#turn(run);
      if (run.noted > run.position) this.#noteProgress(run, run.position);
      if (sent === 'full') return;
      idle = sent > 0 ? 0 : idle + 1;
    }
  }

  /** Writes some messages of a chunk; 'full' when no link has room. */
  #turn(run: ChunkRun): number | 'full' {
    for (let sent = 0; sent < smallChunk; sent++) {
      const outcome = this.#step(run);
      if (outcome === 'sent') {
        run.busySinceMs = null;
        continue;
      }
      if (outcome === 'busy') {
        run.busySinceMs ??= monotonicMs();
        if (this.#parts.router.links.length === 1) return 'full';
      }
      return sent;
    }
    return smallChunk;
  }

  /** An error in one chunk must not end the process, which serves all accounts. */
  #step(run: ChunkRun): 'sent' | 'none' | 'busy' {
    const long = run.unfinished[0];
    const index = long ? long.index : run.peek();
    if (index < 0) return 'none';
    try {
      return long ? this.#continueLong(run, long) : this.#sendNext(run, index);
    } catch (error) {
      if (!long) run.take();
      this.#setMessageAside(run, index, error as Error);
      return 'sent';
    }
  }

  /** Sets aside a message that cannot be sent, or every message of an order that cannot be read; parts of a long one may have been sent. */
  #setMessageAside(run: ChunkRun, index: number, error: Error): void {
    const order = run.orderOf(index);
    const about = {
      account: run.facts.accountId,
      order: order.id,
      message: run.facts.ids[index],
      error: error.message,
    };
    this.#parts.log.error(about, 'message set aside: it cannot be sent');
    const long = run.long.get(index);
    if (long) return this.#endUnsure(run, long);
    const bad = order.texts.size > 0 ? [] : run.takeUnsent(at => run.orderOf(at) === order);
    for (const one of [index, ...bad]) {
      this.#postpone(run, one, 3, 0);
      this.#ended(run);
    }
  }

  #sendNext(run: ChunkRun, index: number): 'sent' | 'none' | 'busy' {
    const link = this.#linkFor(run, index);
    if (typeof link === 'string') {
      if (link === 'none' && this.#parts.router.anyBound()) {
        run.take();
        this.#postpone(run, index, 1, unservedDelayMs);
        this.#ended(run);
        return 'sent';
      }
      return link;
    }
    const parts = this.#partsOf(run, index, link);
    if (index >= run.noted) this.#noteProgress(run, Math.min(run.mark, run.position + smallChunk));
    if (parts.length === 1) {
      const outcome = this.#submit(run, index, 0, parts, link);
      if (outcome === 'sent') run.take();
      return outcome;
    }
    run.take();
    const todo = Array.from(parts, (_, part) => part);
    const long: LongMessage = { index, total: parts.length, todo, tries: [], answered: 0, over: false };
    run.long.set(index, long);
    run.unfinished.push(long);
    return this.#continueLong(run, long, link);
  }

  #noteProgress(run: ChunkRun, until: number): void {
    run.noted = until;
    this.#parts.progress.note(run.markAt(until));
  }

  #continueLong(run: ChunkRun, long: LongMessage, chosen?: Link<Flight>): 'sent' | 'none' | 'busy' {
    const link = chosen ?? this.#linkFor(run, long.index);
    if (link === 'none' && this.#parts.router.anyBound()) {
      this.#endUnsure(run, long);
      return 'sent';
    }
    if (typeof link === 'string') return link;
    const outcome = this.#submit(run, long.index, long.todo[0]!, this.#partsOf(run, long.index, link), link);
    if (outcome === 'sent') long.todo.shift();
    if (long.todo.length === 0) forget(run.unfinished, long);
    return outcome;
  }

  /** Some parts of the message are written and the others cannot be. */
  #endUnsure(run: ChunkRun, long: LongMessage): void {
    this.#postpone(run, long.index, 2, this.#parts.unsureHoldMs);
    this.#endLong(run, long);
  }

  #linkFor({ facts }: ChunkRun, index: number): Link<Flight> | 'busy' | 'none' {
    return this.#parts.router.linkFor(facts.numbers[index]!, facts.small);
  }

  /** Encodes the messages of a run without writing them: a message that kills the process kills it here. */
  tryOut(run: ChunkRun): void {
    const link = this.#parts.router.links.find(one => one.bound);
    for (const [index, id] of link ? run.facts.ids.entries() : [])
      try {
        for (const part of this.#partsOf(run, index, link!)) part.encode(String(run.facts.numbers[index]), id);
      } catch {
        // Set aside when it is next.
      }
  }

  #partsOf(run: ChunkRun, index: number, { carrier }: Link<Flight>): PartTemplate[] {
    return this.#parts.templates.of(carrier, run.textOf(index));
  }

  #submit(run: ChunkRun, index: number, part: number, parts: PartTemplate[], link: Link<Flight>): 'sent' | 'busy' {
    const body = parts[part]!.encode(String(run.facts.numbers[index]), run.facts.ids[index]!);
    const writtenMs = monotonicMs();
    if (link.submit(body, { run, index, part, parts: parts.length, writtenMs })) {
      run.flights++;
      this.written++;
      return 'sent';
    }
    return 'busy';
  }

  refused(link: Link<Flight>, flight: Flight, verdict: SubmitVerdict, words: string): void {
    flight.run.flights--;
    link.errors.note(words);
    if (verdict.kind === 'slow') {
      link.counts.throttled++;
      link.pace.throttled();
      this.#writeAgain(flight);
    } else if (verdict.kind === 'link') this.#later(flight, unwrittenDelayMs, 0);
    else {
      link.counts.refused++;
      this.#giveUpOrRetry(flight, verdict.kind === 'retry', verdict.reason);
    }
  }

  /** The answer is lost: a written message may be on the air. */
  lost(link: Link<Flight>, flight: Flight, isWritten: boolean): void {
    const { run, index, writtenMs } = flight;
    run.flights--;
    if (!isWritten && !run.long.has(index)) return this.#later(flight, unwrittenDelayMs, 0);
    const written = { carrier: link.carrier.id, writtenMs };
    this.#end(flight, () => this.#postpone(run, index, 2, this.#parts.unsureHoldMs, written));
  }

  accepted(link: Link<Flight>, flight: Flight, messageId: string): void {
    flight.run.flights--;
    noteSubmit(this.#parts.recorder, link, flight, messageId);
    const long = flight.run.long.get(flight.index);
    if (!long) return this.#ended(flight.run);
    long.answered++;
    if (long.answered === long.total && !long.over) this.#endLong(flight.run, long);
  }

  #giveUpOrRetry(flight: Flight, mayRetry: boolean, reason: Reason): void {
    const long = flight.run.long.get(flight.index);
    if (mayRetry && long && this.#partLater(flight, long)) return;
    const delayMs = mayRetry ? retryDelaysMs[flight.run.facts.attempt] : undefined;
    // A message with accepted parts is not restarted: the phone would get those parts twice.
    if (delayMs !== undefined && !long?.answered) return this.#later(flight, delayMs, 1);
    this.#end(flight, () => noteFailure(this.#parts.recorder, flight.run, flight.index, reason));
  }

  #partLater({ run, part }: Flight, long: LongMessage): boolean {
    const tries = long.tries[part] ?? 0;
    const delayMs = retryDelaysMs[tries];
    if (long.over || tries >= partTriesMax || delayMs === undefined) return long.over;
    long.tries[part] = tries + 1;
    run.delayed.add(long);
    setTimeout(() => this.#partAgain(run, long, part), delayMs);
    return true;
  }

  #partAgain(run: ChunkRun, long: LongMessage, part: number): void {
    run.delayed.delete(long);
    if (long.over || run.abandoned) return;
    if (long.todo.push(part) === 1) run.unfinished.push(long);
    this.wake();
  }

  #postpone(run: ChunkRun, index: number, kind: 1 | 2 | 3, delayMs: number, how: Partial<Postponed> = {}): void {
    const { attempts = 0, carrier = null, writtenMs = null } = how;
    notePostponed(this.#parts.recorder, run, index, { kind, delayMs, attempts, carrier, writtenMs });
  }

  /** Ends the unwritten messages of an order; long messages in progress end too. */
  failUnsent(run: ChunkRun, reason: Reason, order: RunOrder): void {
    for (const long of new Set([...run.unfinished, ...run.delayed])) {
      if (run.orderOf(long.index) !== order) continue;
      noteFailure(this.#parts.recorder, run, long.index, reason);
      this.#endLong(run, long);
    }
    for (const index of run.takeUnsent(at => run.orderOf(at) === order)) {
      noteFailure(this.#parts.recorder, run, index, reason);
      this.#ended(run);
    }
  }

  /** Moves throttled and half-written messages of a chunk to chunks of their own, so that the chunk can be given back. */
  setAside(run: ChunkRun): void {
    run.leaving = true;
    for (const long of new Set([...run.unfinished, ...run.delayed])) this.#endUnsure(run, long);
    for (const index of run.again.splice(0).filter(at => !run.gone.has(at))) {
      this.#postpone(run, index, 1, 0);
      this.#ended(run);
    }
  }

  #writeAgain(flight: Flight): void {
    const { run, index, part } = flight;
    // A carrier may throttle for ever; the validity of the message ends anyway.
    if (monotonicMs() > run.orderOf(index).deadlineMs)
      return this.#end(flight, () => noteFailure(this.#parts.recorder, run, index, 17));
    const long = run.long.get(index);
    if (long) return this.#partAgain(run, long, part);
    run.again.push(index);
    this.wake();
  }

  #later(flight: Flight, delayMs: number, attempts: number): void {
    this.#end(flight, () => this.#postpone(flight.run, flight.index, 1, delayMs, { attempts }));
  }

  /** Records the end of a message once: later parts of a long message change nothing. */
  #end(flight: Flight, record: () => void): void {
    const long = flight.run.long.get(flight.index);
    if (long?.over) return;
    record();
    if (long) this.#endLong(flight.run, long);
    else this.#ended(flight.run);
  }

  #endLong(run: ChunkRun, long: LongMessage): void {
    long.over = true;
    forget(run.unfinished, long);
    run.delayed.delete(long);
    this.#ended(run);
  }

  #ended(run: ChunkRun): void {
    run.open--;
    if (run.open === 0) this.#finish(run);
  }

  #finish(run: ChunkRun): void {
    if (run.abandoned) return;
    forget(this.#queueOf(run), run);
    const { recorder } = this.#parts;
    recorder.batch.done.chunks.push(run.facts.chunkId);
    recorder.batch.done.tokens.push(run.facts.token);
    recorder.added();
    this.#parts.onNeed();
  }
}

function forget<T>(list: T[], one: T): void {
  if (list.includes(one)) list.splice(list.indexOf(one), 1);
}
