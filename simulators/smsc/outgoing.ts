/*
 * Collects the outgoing PDUs of one turn of a connection, to be written together. A block given to the socket is not changed
 * until it was written: the unused rest is filled on, and a full block is replaced by a new one.
 */
import { HEADER_BYTES } from './wire.ts';

const BLOCK_BYTES = 65_536;

export class Outgoing {
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #start = 0;
  #from = 0;
  #to = 0;
  #full: Buffer[] = [];

  begin(command: number, status: number, sequence: number, bodyBytesMax: number): void {
    this.#reserve(HEADER_BYTES + bodyBytesMax);
    this.#block.writeUInt32BE(command, this.#to + 4);
    this.#block.writeUInt32BE(status, this.#to + 8);
    this.#block.writeUInt32BE(sequence, this.#to + 12);
    this.#start = this.#to;
    this.#to += HEADER_BYTES;
  }

  octet(value: number): void {
    this.#block[this.#to++] = value;
  }

  pair(value: number): void {
    this.octet(value >> 8);
    this.octet(value & 0xff);
  }

  bytes(text: string): void {
    this.#to += this.#block.write(text, this.#to, 'latin1');
  }

  text(text: string): void {
    this.bytes(text);
    this.octet(0);
  }

  end(): void {
    this.#block.writeUInt32BE(this.#to - this.#start, this.#start);
  }

  /* Octets as they stand, for deliberate nonsense. */
  raw(octets: Buffer): void {
    this.#reserve(octets.length);
    this.#to += octets.copy(this.#block, this.#to);
  }

  take(write: (octets: Buffer) => void): void {
    for (const block of this.#full.splice(0)) write(block);
    if (this.#to === this.#from) return;
    write(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }

  /* Everything was written: the block may be filled from its start again. */
  reuse(): void {
    this.#from = 0;
    this.#to = 0;
  }

  #reserve(bytes: number): void {
    if (this.#to + bytes <= this.#block.length) return;
    if (this.#to > this.#from) this.#full.push(this.#block.subarray(this.#from, this.#to));
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, bytes));
    this.#from = 0;
    this.#to = 0;
  }
}
