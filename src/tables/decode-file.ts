// Decodes the bytes of a text file. Turkish Excel saves CSV in windows-1254 with semicolons and does not say so. So a byte
// order mark decides, else valid UTF-8 counts as UTF-8 (windows-1254 text with more than a few Turkish letters never is), else
// windows-1254.
type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1254';

/** Reads the file once from end to end, piece by piece, unless its first bytes decide. */
export async function encodingOf(pieces: AsyncIterable<Uint8Array>): Promise<FileEncoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const piece of pieces) {
      if (isFirst && piece[0] === 0xff && piece[1] === 0xfe) return 'utf-16le';
      if (isFirst && piece[0] === 0xfe && piece[1] === 0xff) return 'utf-16be';
      isFirst = false;
      strict.decode(piece, { stream: true });
    }
    strict.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1254';
    throw error;
  }
}
