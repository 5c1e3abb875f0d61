// The output of `--help`, from the table of commands.
import { settings } from '../settings/config.ts';
import { didYouMean } from '../settings/spelling.ts';
import type { Command } from './command.ts';

const foregroundLines = [
  ['start [--roles api,dispatch,…]', 'run the program in the foreground (peyk start --help lists the settings)'],
  ['mcp [URL]', 'tools of a server for an assistant, over standard input and output (PEYK_KEY, PEYK_HASH)'],
  ['simulator smsc|registry|hook-receiver', 'run a simulator by itself'],
];

export function asksForHelp(argv: string[]): boolean {
  return argv.includes('--help') || argv.includes('-h') || argv.length === 0 || argv[0] === 'help';
}

/** One command in full, the commands of a group, or all. */
export function usage(commands: Command[], words: string[]): string {
  const exact = commandOf(commands, words);
  if (exact) return usageOf(exact);
  const group = groupOf(commands, words);
  if (group.length) return listed(group.map(line));
  if (words[0] === 'start') return settingsUsage();
  return `${listed([...foregroundLines, ...commands.map(line)])}\n\n  --version prints the version`;
}

/** The longest command that matches the first words: `config check` before `config`. */
export function commandOf(commands: Command[], words: string[]): Command | undefined {
  const fits = commands.filter(one => one.words === words.slice(0, one.words.split(' ').length).join(' '));
  return fits.sort((a, b) => b.words.length - a.words.length)[0];
}

/** The commands of a group that was given alone: `peyk account`. */
export function groupOf(commands: Command[], words: string[]): Command[] {
  return words.length === 1 ? commands.filter(one => one.words.startsWith(`${words[0]} `)) : [];
}

export function unknownCommand(commands: Command[], words: string[]): string {
  const given = words.slice(0, 2).join(' ');
  const known = [...commands.map(one => one.words), ...commands.map(one => one.words.split(' ')[0]!), 'start'];
  const rest = groupOf(commands, words.slice(0, 1));
  const all = usage(commands, rest.length ? words.slice(0, 1) : []);
  return `unknown command "${given}"${didYouMean(given, known)}\n\n${all}`;
}

export function usageOf(command: Command): string {
  const flags = Object.entries({
    ...command.flags,
    ...(command.database === 'none' || command.flags?.cell ? {} : cellFlag),
  });
  const width = Math.max(12, ...flags.map(([name]) => name.length));
  return [
    `peyk ${[command.words, ...command.args].join(' ')}${flags.length ? ' [flags]' : ''} [--json]`,
    `  ${command.help}`,
    ...flags.map(([name, text]) => `    --${name.padEnd(width)} ${text}`),
  ].join('\n');
}

const cellFlag = { cell: 'where there are cells: in the database of this one; 0 is the home' };

function line(command: Command): string[] {
  return [[command.words, ...command.args].join(' '), command.help];
}

function listed(lines: string[][]): string {
  const width = Math.min(40, Math.max(...lines.map(([left]) => left!.length)));
  return `peyk <command> [--json] [--help]\n\n${lines.map(([left, right]) => `  ${left!.padEnd(width)} ${right}`).join('\n')}`;
}

function settingsUsage(): string {
  const lines = Object.entries(settings).map(([name, one]) => `  ${name.padEnd(30)} ${one.help}`);
  return `peyk start\n\nSettings, from the environment, a .env file or flags (--peyk-port 8080):\n${lines.join('\n')}`;
}
