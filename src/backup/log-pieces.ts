// The log as it comes, put together into segments. What is finished waits here until it is stored, the last one may be looked at
// before it is full.
import { segmentName, segmentStart } from './log-position.ts';

export type Segment = { name: string; start: bigint; bytes: Buffer };

export class LogPieces {
  readonly finished: Segment[] = [];
  /** Everything before has come. */
  position: bigint;
  readonly #timeline: number;
  readonly #segmentBytes: number;
  #bytes: Buffer;
  #start: bigint;

  constructor(from: bigint, timeline: number, segmentBytes: number) {
    this.#timeline = timeline;
    this.#segmentBytes = segmentBytes;
    this.#start = segmentStart(from, segmentBytes);
    this.position = this.#start;
    this.#bytes = Buffer.alloc(segmentBytes);
  }

  /**
   * What the server need not keep for us. Within a segment it may be what has come: it keeps the whole of the segment, and that is read
   * again after a crash.
   */
  get kept(): bigint {
    return this.finished[0]?.start ?? this.position;
  }

  add(lsn: bigint, piece: Buffer): void {
    if (lsn !== this.position) throw new Error('the log has a gap');
    for (let taken = 0; taken < piece.length; ) {
      const at = Number(this.position - this.#start);
      const count = piece.copy(this.#bytes, at, taken);
      taken += count;
      this.position += BigInt(count);
      if (at + count === this.#segmentBytes) this.#turn();
    }
  }

  /** As much as there is of the one that is not finished; null when nothing is. */
  begun(): Segment | null {
    const length = Number(this.position - this.#start);
    return length === 0 ? null : { ...this.#named(), bytes: Buffer.from(this.#bytes.subarray(0, length)) };
  }

  #turn(): void {
    this.finished.push({ ...this.#named(), bytes: this.#bytes });
    this.#start = this.position;
    this.#bytes = Buffer.alloc(this.#segmentBytes);
  }

  #named(): { name: string; start: bigint } {
    return { name: segmentName(this.#timeline, this.#start, this.#segmentBytes), start: this.#start };
  }
}
