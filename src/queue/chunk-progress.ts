// How far each leased chunk was written, in an unnamed file that outlives the process. The marks in the database are ahead of it: without this file
// everything before a mark is in doubt when a dispatcher dies, with it only what may really have left. The first process of the node holds the file
// open; the next dispatcher at its place reads it. When the machine itself stops, the file is gone and the marks decide.
import { fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lease, Mark } from './claim.ts';

/** A record never crosses a page, so a killed process leaves none half written. The first names the dispatcher, the others are marks. */
const record = 4;
const recordBytes = record * Float64Array.BYTES_PER_ELEMENT;

/** Returns the descriptor, or null where no temporary file can be made. */
export function openProgressFile(): number | null {
  const path = join(tmpdir(), `peyk-progress-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return null;
  }
}

export class ChunkProgress {
  #file: number | null;
  readonly #slots = new Map<number, { slot: number; token: number }>();
  #free: number[] = [];
  readonly #bytes = new Float64Array(record);

  constructor(file: number | null) {
    this.#file = file;
  }

  /** Chunks of which this dispatcher, which has ended, may have written something, and how far; null: unknown. */
  of(dispatcher: number): Mark[] | null {
    if (this.#file === null) return null;
    const all = new Float64Array(Math.floor(fstatSync(this.#file).size / recordBytes) * record);
    readSync(this.#file, all, 0, all.byteLength, 0);
    if (all[0] !== dispatcher) return null;
    const marks: Mark[] = [];
    for (let at = record; at < all.length; at += record)
      marks.push({ chunkId: all[at]!, token: all[at + 1]!, mark: all[at + 2]! });
    return marks;
  }

  /** The file is now about this dispatcher, which has written nothing yet. */
  begin(dispatcher: number): void {
    this.#slots.clear();
    this.#free = [];
    this.#write(0, dispatcher, 0, 0);
    if (this.#file !== null) ftruncateSync(this.#file, recordBytes);
  }

  /** To be called before anything of a chunk is written beyond its last mark. */
  note({ chunkId, token, mark }: Mark): void {
    const slot = this.#slots.get(chunkId)?.slot ?? this.#free.pop() ?? this.#slots.size + 1;
    this.#slots.set(chunkId, { slot, token });
    this.#write(slot, chunkId, token, mark);
  }

  /** These leases have ended, as the database knows. */
  ended(leases: Lease[]): void {
    for (const { chunkId, token } of leases) {
      const known = this.#slots.get(chunkId);
      if (known?.token !== token) continue;
      this.#free.push(known.slot);
      this.#slots.delete(chunkId);
    }
  }

  #write(slot: number, ...values: [number, number, number]): void {
    if (this.#file === null) return;
    this.#bytes.set(values);
    try {
      writeSync(this.#file, this.#bytes, 0, recordBytes, slot * recordBytes);
    } catch {
      // The disk is full: from now on only the marks tell.
      ftruncateSync(this.#file, 0);
      this.#file = null;
    }
  }
}
