// Beside each file of the built panel that is worth it, the same file compressed, so that no process does it again.
// Brotli at 9: 2.1 MB become 595 kB in 0.2 s; 11 would save 7 % more and take 4.6 s of every build. Gzip is for plain HTTP,
// where browsers do not ask for Brotli.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const textual = /\.(html|js|css|svg|json|txt)$/;
// Smaller files fit into one packet either way.
const bytesMin = 1_000;

/** `brotli`: off where many small pages are made, each of which costs 5 ms and saves a few hundred bytes. */
export function compressFolder(folder, { brotli = true } = {}) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !textual.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const body = readFileSync(path);
    if (body.length <= bytesMin) continue;
    if (brotli)
      writeFileSync(`${path}.br`, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  }
}
