// Unpacks the archive of a base backup: regular files and folders. Any other entry, a name that leads out of the folder or an early
// end is an error, because half a restore is worse than none.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Damaged } from './store.ts';

const blockBytes = 512;

type Entry = { name: string; mode: number; size: number; isFolder: boolean };
/** Receives the bytes of a file; null: they are skipped. */
type Target = { write(bytes: Buffer): Promise<void>; end(): Promise<void> } | null;

export class TarReader {
  readonly #open: (entry: Entry) => Promise<Target>;
  #rest: Buffer = Buffer.alloc(0);
  #target: Target = null;
  /** Bytes left of the present file, then of the padding of its last block. */
  #left = 0;
  #filling = 0;
  #ended = false;
  files = 0;

  constructor(openTarget: (entry: Entry) => Promise<Target>) {
    this.#open = openTarget;
  }

  async add(piece: Buffer): Promise<void> {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, piece]) : piece;
    while (!this.#ended && this.#rest.length > 0) {
      if (this.#left > 0) await this.#pass();
      else if (this.#filling > 0) this.#filling -= this.#take(this.#filling).length;
      else if (this.#rest.length >= blockBytes) await this.#begin(entryOf(this.#take(blockBytes)));
      else return;
    }
  }

  /** Throws if the archive is incomplete. */
  end(): void {
    if (!this.#ended) throw new Damaged('the archive of the backup ends too early');
  }

  async #begin(entry: Entry | null): Promise<void> {
    if (!entry) {
      this.#ended = true;
      return;
    }
    this.#target = await this.#open(entry);
    if (entry.isFolder) return;
    this.files++;
    this.#left = entry.size;
    this.#filling = (blockBytes - (entry.size % blockBytes)) % blockBytes;
    if (this.#left === 0) await this.#target?.end();
  }

  async #pass(): Promise<void> {
    const part = this.#take(this.#left);
    await this.#target?.write(part);
    this.#left -= part.length;
    if (this.#left === 0) await this.#target?.end();
  }

  #take(most: number): Buffer {
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}

/** Into a folder. Nothing is synced: the server syncs all of its files before it recovers. */
export function unpackInto(folder: string): (entry: Entry) => Promise<Target> {
  return async ({ name, mode, isFolder }) => {
    const path = join(folder, name);
    await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (isFolder) return null;
    const file = await open(path, 'w', mode & 0o600);
    return {
      write: bytes => file.writeFile(bytes),
      end: () => file.close(),
    };
  };
}

/** Null: the end of the archive. */
function entryOf(block: Buffer): Entry | null {
  if (block.every(byte => byte === 0)) return null;
  const text = (from: number, to: number) => block.toString('latin1', from, to).replace(/\0.*$/s, '');
  const number = (from: number, to: number) => Number.parseInt(text(from, to).trim() || '0', 8);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== number(148, 156)) throw new Damaged('the archive of the backup is damaged');
  const name = normalize(text(0, 100));
  const kind = text(156, 157) || '0';
  if (name.startsWith('..') || name.startsWith('/')) throw new Error(`the archive of the backup leads out: ${name}`);
  if (kind !== '0' && kind !== '5') throw new Error(`the archive of the backup holds a link: ${name}`);
  return { name, mode: number(100, 108), size: number(124, 136), isFolder: kind === '5' };
}
