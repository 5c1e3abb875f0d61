// The descriptions that come with the program: each JSON file in presets/ is one, by the file's name. A new file needs no
// TypeScript; presets.test.ts holds every one to the schema of definition.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/version.ts';
import type { Definition } from './definition.ts';

const folder = join(projectRoot(), 'src', 'carriers', 'http', 'presets');

export const presets: Record<string, Definition> = Object.fromEntries(
  readdirSync(folder).map(file => [
    file.slice(0, -'.json'.length),
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Definition,
  ]),
);

/** Own descriptions win; null: the preset is not known to this release. */
export function definitionOf(preset: string | null, own: unknown): Definition | null {
  if (own) return own as Definition;
  return preset !== null && Object.hasOwn(presets, preset) ? presets[preset]! : null;
}
