// Reads the migrations, and splits them into statements for a cluster.
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

/** Dollar-quoted text is kept whole. */
export function statementsOf(text: string): string[] {
  const pieces = text.replace(/^\s*--.*$/gm, '').match(/(?:\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|--.*|[^;])+/g) ?? [];
  return pieces.map(one => one.trim()).filter(one => one !== '');
}

/** Statements for the coordinator; the others are applied to the underlying tables (src/db/citus/hints.ts). */
export function piecesForCluster(text: string): string[] {
  return statementsOf(text)
    .filter(one => !hintOf(one))
    .map(insertByCoordinator);
}

const insertPattern = /^insert into (\w+) \(([^)]*)\)\s+(select\s[\s\S]*?)(\s+on conflict[\s\S]*)?$/i;

/**
 * Citus 13 adds an incomplete condition to some INSERT … SELECT that it passes on to a server ("syntax error at or near NOT"): the rows of a
 * materialized CTE are inserted by the coordinator. The empty part gives the columns their types.
 */
function insertByCoordinator(statement: string): string {
  const [, table, columns, select, conflict = ''] = insertPattern.exec(statement) ?? [];
  if (!table) return statement;
  return `with chosen as materialized (select ${columns} from ${table} where false union all (${select}))
    insert into ${table} (${columns}) select * from chosen${conflict}`;
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
