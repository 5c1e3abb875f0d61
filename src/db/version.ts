// The version of this program, from package.json.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let version: string | undefined;

/** The database and this program do not belong together; the message says what to do. */
export class WrongVersion extends Error {}

export function programVersion(): string {
  version ??= JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')).version as string;
  return version;
}

/** Compares by number: 0.10.0 is newer than 0.9.1. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => text.split('.').map(part => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < 3; i++) if (a![i] !== b![i]) return (a![i] ?? 0) > (b![i] ?? 0);
  return false;
}

/** The folder that holds package.json: dist/src/db and src/db lie at different depths below it. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
