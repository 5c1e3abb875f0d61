// Adds the new migrations of a release to migrations/landed.txt, a checksum and a name each, as sha256sum writes them. A listed
// migration never changes again (test/tidy.test.ts). Run it in the commit that is the release; `npm run release` checks the list.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../migrations/', import.meta.url);
const list = new URL('landed.txt', folder);

/** The checksum and name of every migration, as the list has them. */
export function migrationChecksums() {
  return readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(new URL(name, folder)))
          .digest('hex')}  ${name}`,
    );
}

export function landedChecksums() {
  return readFileSync(list, 'utf8').trim().split('\n');
}

function landMigrations() {
  const names = new Set(landedChecksums().map(line => line.split('  ')[1]));
  const kept = new Set(landedChecksums());
  const now = migrationChecksums();
  const edited = now.find(line => names.has(line.split('  ')[1]) && !kept.has(line));
  if (edited) throw new Error(`${edited.split('  ')[1]} has landed and must not change: add a new migration instead`);
  writeFileSync(list, now.map(line => `${line}\n`).join(''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) landMigrations();
