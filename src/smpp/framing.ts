// Cuts the incoming byte stream into PDUs by their command_length. Frames that lie whole in a chunk are returned in place,
// without copying; a frame cut by a chunk's end is gathered into one buffer of exactly its length. The caller pulls frames, so
// it can stop in the middle of a chunk.
import { headerBytes } from './codec.ts';
import { PduError } from './pdu-error.ts';
import { status } from './status.ts';

const lengthBytes = 4;
/** Longest PDU before a bind: many times the length of a bind with TLVs. */
export const unboundPduBytesMax = 1_024;

export class Framer {
  /** The frame found by the last next() that returned true: buffer[start, end). */
  buffer: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  /** The longest PDU; may change between two frames. */
  bytesMax: number;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  // A length cut in two (less than 4 octets seen), then the frame it announced.
  readonly #length = Buffer.alloc(lengthBytes);
  #lengthHave = 0;
  #partial: Buffer | null = null;
  #partialHave = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Call when next() has returned false; a chunk that comes earlier is appended to what is left. */
  push(chunk: Buffer): void {
    const left = this.#chunk.length - this.#at;
    this.#chunk = left === 0 ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  /** Octets pushed and not yet returned. */
  backlogBytes(): number {
    return this.#chunk.length - this.#at + this.#lengthHave + this.#partialHave;
  }

  /** Finds the next whole frame. Throws a fatal PduError on a command_length that no PDU can have. */
  next(): boolean {
    if (this.#partial !== null || this.#lengthHave > 0) return this.#finishPartial();
    const available = this.#chunk.length - this.#at;
    if (available < lengthBytes) {
      this.#keepLength();
      return false;
    }
    const bytes = this.#checked(this.#chunk, this.#at);
    if (available < bytes) {
      this.#beginPartial(bytes);
      this.#fillPartial();
      return false;
    }
    this.#give(this.#chunk, this.#at, this.#at + bytes);
    this.#at = this.end;
    return true;
  }

  #finishPartial(): boolean {
    if (this.#partial === null) {
      this.#keepLength();
      if (this.#lengthHave < lengthBytes) return false;
      this.#beginPartial(this.#checked(this.#length, 0));
    }
    const frame = this.#fillPartial();
    if (frame === null) return false;
    this.#give(frame, 0, frame.length);
    return true;
  }

  #keepLength(): void {
    const wanted = Math.min(lengthBytes - this.#lengthHave, this.#chunk.length - this.#at);
    this.#chunk.copy(this.#length, this.#lengthHave, this.#at, this.#at + wanted);
    this.#lengthHave += wanted;
    this.#at += wanted;
  }

  #beginPartial(bytes: number): void {
    this.#partial = Buffer.allocUnsafe(bytes);
    this.#length.copy(this.#partial, 0, 0, this.#lengthHave);
    this.#partialHave = this.#lengthHave;
    this.#lengthHave = 0;
  }

  #fillPartial(): Buffer | null {
    const frame = this.#partial as Buffer;
    const wanted = Math.min(frame.length - this.#partialHave, this.#chunk.length - this.#at);
    this.#chunk.copy(frame, this.#partialHave, this.#at, this.#at + wanted);
    this.#partialHave += wanted;
    this.#at += wanted;
    if (this.#partialHave < frame.length) return null;
    this.#partial = null;
    this.#partialHave = 0;
    return frame;
  }

  #give(buffer: Buffer, start: number, end: number): void {
    this.buffer = buffer;
    this.start = start;
    this.end = end;
  }

  #checked(buffer: Buffer, at: number): number {
    const bytes = buffer.readUInt32BE(at);
    if (bytes < headerBytes || bytes > this.bytesMax) {
      throw new PduError(`command_length ${bytes}`, status.ESME_RINVCMDLEN, { recoverable: false });
    }
    return bytes;
  }
}
