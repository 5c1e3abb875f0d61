// Archives the log of one chain: reads it from its slot, stores each segment, and at each mark the begun one too. The server may
// forget a segment when it is stored, never sooner: after a crash the one that was begun is read again from its beginning.
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Connection, type Db, row, sql } from '../db/db.ts';
import { identifyServer, type LogStream, openReplication, readLog } from '../db/replication.ts';
import { monotonicMs } from '../time/clock.ts';
import { names, type Reach } from './catalogue.ts';
import { LogPieces, type Segment } from './log-pieces.ts';
import { lsnOf, positionOf, segmentStart } from './log-position.ts';
import { Marks } from './marks.ts';
import type { Slot } from './slots.ts';
import { putJson, type Store } from './store.ts';
import { quickly } from './take-base.ts';

/** Finished segments that wait for the target. At this number reading stops, and the server keeps the rest. */
const waitingMax = 2;
const signMs = 5_000;
const pollMs = 100;
const compress = promisify(gzip);

// The mark is a commit made after the clock was read: the log has every order answered before that moment ahead of it. A recovery
// up to the moment needs such a later commit, or the server reports that its target was not reached.
const markSql = sql<{ at: Date }>('backup mark')`
  select clock_timestamp() as at, pg_logical_emit_message(true, 'peyk backup', '')`;
const flushedSql = sql<{ lsn: string }>('backup flushed')`select pg_current_wal_flush_lsn()::text as lsn`;

type ArchiverOptions = {
  db: Db;
  connection: Connection;
  store: Store;
  slot: Slot;
  segmentBytes: number;
  /** Time between two marks: the archive is never further behind. */
  lagMs: number;
  onReach(reach: Reach): Promise<void>;
  isStopped(): boolean;
};

/**
 * Runs until it is stopped, the stream breaks or the target refuses. It leaves the slot until the next try, because a reader that
 * cannot go on would keep the server from stopping.
 */
export async function archiveLog(options: ArchiverOptions): Promise<void> {
  const { slot, connection, segmentBytes } = options;
  const client = await openReplication(connection, 'peyk log archive');
  let signs: NodeJS.Timeout | undefined;
  try {
    const { timeline } = await identifyServer(client);
    const from = segmentStart(positionOf(slot.lsn!), segmentBytes);
    const pieces = new LogPieces(from, timeline, segmentBytes);
    const take = (lsn: bigint, bytes: Buffer) => {
      pieces.add(lsn, bytes);
      if (pieces.finished.length >= waitingMax) stream.pause();
    };
    const stream = readLog(client, { slot: slot.name, lsn: lsnOf(from), timeline }, take, () => pieces.kept);
    signs = setInterval(() => stream.report(), signMs);
    const work = new Archiving(options, pieces, timeline);
    const storing = work.run(stream);
    try {
      await Promise.race([storing, stream.ended]);
    } finally {
      work.end();
      await storing.catch(() => {});
    }
  } finally {
    clearInterval(signs);
    await client.end().catch(() => {});
  }
}

class Archiving {
  readonly #options: ArchiverOptions;
  readonly #pieces: LogPieces;
  readonly #timeline: number;
  readonly #marks: Marks;
  #ended = false;

  constructor(options: ArchiverOptions, pieces: LogPieces, timeline: number) {
    this.#options = options;
    this.#pieces = pieces;
    this.#timeline = timeline;
    this.#marks = new Marks(options.store, options.slot.chain);
  }

  end(): void {
    this.#ended = true;
  }

  async run(stream: LogStream): Promise<void> {
    let markAt = monotonicMs();
    let mark: { at: Date; position: bigint } | null = null;
    while (!this.#isOver) {
      const segment = this.#pieces.finished[0];
      if (segment) {
        await this.#storeFinished(segment);
        this.#pieces.finished.shift();
        stream.report();
        stream.resume();
      } else if (mark && this.#pieces.position >= mark.position) {
        await this.#storeReach(mark.at);
        mark = null;
      } else if (!mark && monotonicMs() >= markAt) {
        mark = await this.#mark();
        markAt = monotonicMs() + this.#options.lagMs;
      } else await pause(pollMs);
    }
  }

  get #isOver(): boolean {
    return this.#ended || this.#options.isStopped();
  }

  async #mark(): Promise<{ at: Date; position: bigint }> {
    const { at } = (await row(this.#options.db, markSql))!;
    const { lsn } = (await row(this.#options.db, flushedSql))!;
    return { at, position: positionOf(lsn) };
  }

  async #storeFinished({ name, bytes }: Segment): Promise<void> {
    const { store, slot } = this.#options;
    const body = await compress(bytes, quickly);
    await store.put(names.log(slot.chain, name), body);
    await store.remove(names.begun(slot.chain, name));
  }

  async #storeReach(at: Date): Promise<void> {
    const { store, slot, onReach } = this.#options;
    const segment = this.#pieces.begun();
    if (segment) {
      const body = await compress(segment.bytes, quickly);
      await store.put(names.begun(slot.chain, segment.name), body);
    }
    const end = segment ? segment.start + BigInt(segment.bytes.length) : this.#pieces.position;
    const reach = { at: at.toISOString(), lsn: lsnOf(end), timeline: this.#timeline };
    await this.#marks.add(reach);
    await putJson(store, names.reach(slot.chain), reach);
    if (!this.#isOver) await onReach(reach);
  }
}
