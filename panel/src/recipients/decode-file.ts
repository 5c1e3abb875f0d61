// Bytes of a text file to text. Turkish Excel saves CSV in windows-1254 with semicolons and says so nowhere, so: a byte
// order mark decides, else whatever is valid UTF-8 is UTF-8 (windows-1254 text with Turkish letters never is by chance
// for more than a few letters), else windows-1254.
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1254';

export function decodeFile(bytes: Uint8Array): { text: string; encoding: FileEncoding } {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function encodingOf(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1254';
  }
}
