// Reads the descriptions that come with the program: one JSON file each in presets/, named after the provider. A new file needs
// no TypeScript; presets.test.ts checks each against the schema in definition.ts.
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

/** A description of the operator's own has precedence. Null: this release does not know the preset. */
export function definitionOf(preset: string | null, own: unknown): Definition | null {
  if (own) return own as Definition;
  return preset !== null && Object.hasOwn(presets, preset) ? presets[preset]! : null;
}
