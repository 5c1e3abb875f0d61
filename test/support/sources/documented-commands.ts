// Checks the commands in the documentation against the program's own tables.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../src/cli/execute.ts';
import { commandOf, groupOf } from '../../../src/cli/usage.ts';
import { settings } from '../../../src/settings/config.ts';
import { readArguments } from '../../../src/settings/flags.ts';
import { root } from './sources.ts';

const foreground = ['start', 'mcp', 'simulator'];
const everywhere = ['json', 'help', 'version', 'cell'];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const secrets = Object.entries(settings).filter(([, one]) => one.secret);
const settingNames = new Set([...Object.keys(settings), ...secrets.map(([name]) => `${name}_FILE`)]);
/** Names that are not settings: some are read elsewhere (`peyk mcp`, the client, tests), and one is wrong on purpose. */
const otherNames = [
  'PEYK_ENV_FILE',
  'PEYK_TEST_CITUS_URL',
  'PEYK_KEY',
  'PEYK_HASH',
  'PEYK_URL',
  'PEYK_SECRET',
  'PEYK_SCREENSHOTS',
  'PEYK_CHAOS_SEED',
  'PEYK_PROT',
];
/** Looks like a command but is none: the line that the program prints, and the name of its connections. */
const otherWords = ['ready', 'api'];

export function unknownSettings(text: string): string[] {
  const named = text.match(/\b(?:PEYK_[A-Z0-9_]+|DATABASE_URL(?:_FILE)?)\b/g) ?? [];
  return [...new Set(named)].filter(name => !settingNames.has(name) && !otherNames.includes(name));
}

/** `whole`: the command must be complete; otherwise it is only mentioned. null = valid. */
export function peykFault(words: string[], whole: boolean): string | null {
  if (foreground.includes(words[0]!) || (!whole && otherWords.includes(words[0]!))) return null;
  const command = commandOf(commands, words);
  if (!command) return !whole && groupOf(commands, words).length > 0 ? null : 'is no command';
  const flags = Object.keys(command.flags ?? {});
  const types = new Map(
    [...flags, ...everywhere].map(
      name => [name, command.switches?.includes(name) || everywhere.includes(name) ? 'boolean' : 'string'] as const,
    ),
  );
  const read = readArguments(words.slice(command.words.split(' ').length), types);
  const unknown = read.flatMap(one => ('flag' in one && !types.has(one.flag) ? [one.flag] : []));
  if (unknown.length > 0) return `has no flag --${unknown.join(', --')}`;
  const given = read.filter(one => 'word' in one).length;
  const needed = command.args.filter(one => !one.startsWith('[')).length;
  if (whole && given < needed) return `needs ${command.args.join(' ')}`;
  return given > command.args.length && !command.openArgs ? 'has too many arguments' : null;
}

/** Tools of a checkout: their arguments must exist. */
export function npmFault([tool, ...words]: string[]): string | null {
  const [first, second] = words;
  if (tool === 'npx') return first === 'vitest' ? pathFault(words) : 'is no tool of ours';
  if (['ci', 'install', 'pack'].includes(first!)) return null;
  const name = first === 'run' ? second! : first!;
  return name in scripts ? null : `there is no script ${name}`;
}

function pathFault(words: string[]): string | null {
  const missing = words.filter(word => /\.(test|e2e)\.ts$/.test(word) && !existsSync(join(root, word)));
  return missing.length > 0 ? `${missing.join()} is not there` : null;
}
