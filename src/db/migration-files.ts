// The migrations as they lie in their folder, and taken apart into statements for a cluster.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../sealing/digest.ts';
import type { SqlFile } from './functions.ts';
import { projectRoot } from './version.ts';

export type Hint = { table: string; column: string; what: string; value: string };

const hintPattern = /^alter table (\w+) alter (?:column )?(\w+) set (statistics|storage) (-?\w+)$/i;

export function hintOf(statement: string): Hint | null {
  const [, table, column, what, value] = hintPattern.exec(statement) ?? [];
  return table ? { table, column: column!, what: what!, value: value! } : null;
}

/** One by one; what is quoted by dollars stays whole. */
export function statementsOf(text: string): string[] {
  const pieces = text.replace(/^\s*--.*$/gm, '').match(/(?:\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|--.*|[^;])+/g) ?? [];
  return pieces.map(one => one.trim()).filter(one => one !== '');
}

/** As the coordinator takes them; the rest is told to the servers (src/db/citus/hints.ts). */
export function piecesForCluster(text: string): string[] {
  return statementsOf(text).filter(one => !hintOf(one));
}

export function migrationFiles(): SqlFile[] {
  const folder = join(projectRoot(), 'migrations');
  return readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: sha256(text).toString('hex') };
    });
}
