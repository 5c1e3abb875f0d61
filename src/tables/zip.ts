// The subset of the zip format that a workbook needs: the directory at its end, and unpacking one part piece by piece. It uses
// the browser's decompressor in this thread: our content policy stops libraries that start workers from blobs, and libraries
// that return whole parts need ten times the memory.
import { Unreadable, unfoldedBytesFree, unfoldedBytesMax, unfoldedTimesMax } from './limits.ts';

export type ZipEntry = { name: string; method: number; packed: number; at: number };

const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const endBytes = 22;
const commentBytesMax = 0xffff;
const beyond32 = 0xffffffff;
const entriesMax = 10_000;
const directoryBytesMax = 4 * 1024 * 1024;
const pieceBytes = 64 * 1024;

export async function readDirectory(file: Blob): Promise<Map<string, ZipEntry>> {
  const { at, size, count } = await findDirectory(file);
  if (count > entriesMax || size > directoryBytesMax) throw new Unreadable('unreadable', 'the directory is too large');
  const view = await viewOf(file, at, at + size);
  const entries = new Map<string, ZipEntry>();
  let place = 0;
  for (let i = 0; i < count; i += 1) {
    if (place + 46 > view.byteLength || view.getUint32(place, true) !== entryMark)
      throw new Unreadable('unreadable', 'a broken directory');
    const nameLength = view.getUint16(place + 28, true);
    const extraLength = view.getUint16(place + 30, true);
    // Bit 0: encrypted.
    if (view.getUint16(place + 8, true) & 1) throw new Unreadable('protected');
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + place + 46, nameLength));
    const whole = view.getUint32(place + 24, true);
    const sizes = [view.getUint32(place + 20, true), view.getUint32(place + 42, true)] as const;
    const [packed, start] = wideSizes(view, place + 46 + nameLength, extraLength, whole, sizes);
    // Some writers use backslashes or a leading slash.
    const key = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
    entries.set(key, { name: key, method: view.getUint16(place + 10, true), packed, at: start });
    place += 46 + nameLength + extraLength + view.getUint16(place + 32, true);
  }
  return entries;
}

async function findDirectory(file: Blob): Promise<{ at: number; size: number; count: number }> {
  const tailAt = Math.max(0, file.size - endBytes - commentBytesMax);
  const tail = await viewOf(file, tailAt, file.size);
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== endMark) continue;
    const found = {
      count: tail.getUint16(at + 10, true),
      size: tail.getUint32(at + 12, true),
      at: tail.getUint32(at + 16, true),
    };
    if (found.count !== 0xffff && found.size !== beyond32 && found.at !== beyond32) return found;
    // The ZIP64 locator lies 20 bytes before it.
    const wideAt = at >= 20 ? Number(tail.getBigUint64(at - 20 + 8, true)) : -1;
    if (wideAt < 0 || wideAt + 56 > file.size) break;
    const wide = await viewOf(file, wideAt, wideAt + 56);
    if (wide.getUint32(0, true) !== end64Mark) break;
    const big = (place: number) => Number(wide.getBigUint64(place, true));
    return { count: big(32), size: big(40), at: big(48) };
  }
  throw new Unreadable('unreadable', 'no directory');
}

/** Sizes that do not fit 32 bits are in an extra field, in the order unpacked, packed, position; only those that do not fit. */
function wideSizes(
  view: DataView,
  from: number,
  length: number,
  whole: number,
  [packed, at]: readonly [number, number],
): [number, number] {
  if (packed !== beyond32 && at !== beyond32) return [packed, at];
  for (let place = from; place + 4 <= from + length; place += 4 + view.getUint16(place + 2, true)) {
    if (view.getUint16(place, true) !== 1) continue;
    let next = place + 4 + (whole === beyond32 ? 8 : 0);
    const take = (narrow: number): number => {
      if (narrow !== beyond32) return narrow;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    };
    return [take(packed), take(at)];
  }
  throw new Unreadable('unreadable', 'sizes are missing');
}

async function viewOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

/** The content of a part in pieces; `onPacked` gets how much of the packed part has been read. */
export async function* unfolded(
  file: Blob,
  entry: ZipEntry,
  onPacked: (share: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const header = await viewOf(file, entry.at, entry.at + 30);
  if (header.byteLength < 30 || header.getUint32(0, true) !== localMark)
    throw new Unreadable('unreadable', 'a part is missing');
  const start = entry.at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = file.slice(start, start + entry.packed);
  if (entry.method !== 0 && entry.method !== 8) throw new Unreadable('unreadable', `method ${entry.method}`);
  const pieces = packedPieces(packed, onPacked);
  const source = entry.method === 8 ? pieces.pipeThrough(new DecompressionStream('deflate-raw')) : pieces;
  const reader = source.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      if (bytes > unfoldedBytesMax) throw new Unreadable('too-full');
      if (bytes > unfoldedBytesFree && bytes > entry.packed * unfoldedTimesMax) throw new Unreadable('too-full');
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function packedPieces(packed: Blob, onPacked: (share: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= packed.size) return controller.close();
        const piece = await packed.slice(at, at + pieceBytes).arrayBuffer();
        at += piece.byteLength;
        onPacked(at / packed.size);
        controller.enqueue(new Uint8Array(piece));
      },
    },
    { highWaterMark: 1 },
  );
}
