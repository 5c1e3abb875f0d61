// Assembles the streamed log into segments. Finished segments wait here until they are stored; the last one can be read before it
// is full.
import { segmentName, segmentStart } from './log-position.ts';

export type Segment = { name: string; start: bigint; bytes: Buffer };

export class LogPieces {
  readonly finished: Segment[] = [];
  /** The position up to which the log was received. */
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
   * The position up to which the server may forget the log. Inside a segment this may be the received position: the server keeps
   * whole segments, and the segment is read again after a crash.
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

  /** The received part of the unfinished segment, or null. */
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
