// The server's log stays small: it writes in append mode, so cutting the file under it is safe. One old copy is kept.
import { copyFile, stat, truncate } from 'node:fs/promises';

const bytesMax = 10 * 1024 * 1024;

export async function trimLog(file: string): Promise<void> {
  const size = await stat(file).then(
    found => found.size,
    () => 0,
  );
  if (size <= bytesMax) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
