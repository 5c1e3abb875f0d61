// Which folder writes which table, found in the statements of its sources and SQL functions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, sources, sqlFiles } from './sources.ts';

const schema = readFileSync(join(root, 'migrations', 'schema.sql'), 'utf8');
export const tables = new Set([...schema.matchAll(/^create table (\w+)/gm)].map(match => match[1]!));

export type Write = { table: string; writer: string; path: string };
export const writes: Write[] = [...sources.filter(file => file.path.startsWith('src/')), ...sqlFiles].flatMap(file =>
  [...file.text.matchAll(/\b(?:insert\s+into|update|delete\s+from|truncate)\s+(?:only\s+)?(\w+)/gi)]
    .map(match => ({ table: match[1]!, writer: file.path.split('/')[1]!, path: file.path }))
    .filter(({ table }) => tables.has(table)),
);
