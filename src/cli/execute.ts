// The operator's commands: arguments and output. Every command works with and without a running program, and accepts
// --json.

import type { Connection, Db } from '../db/db.ts';
import { programVersion } from '../db/version.ts';
import { createLog } from '../log.ts';
import { readConfig, refuseWrong } from '../settings/config.ts';
import { readArguments } from '../settings/flags.ts';
import { didYouMean } from '../settings/spelling.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { accountCommands } from './accounts.ts';
import { backupCommands } from './backup.ts';
import { brandCommands } from './brands.ts';
import { carrierCommands } from './carriers.ts';
import { cellCommands } from './cells.ts';
import { type Command, UsageError } from './command.ts';
import { contentCommands } from './content.ts';
import { creditCommands } from './credit.ts';
import { withDatabase } from './database.ts';
import { dispatchCommands } from './dispatch.ts';
import { doctorCommand } from './doctor.ts';
import { importCommands } from './imports.ts';
import { runInCells } from './in-cells.ts';
import { keyCommands } from './keys.ts';
import { moveCommands } from './moves.ts';
import { numberCommands } from './numbers.ts';
import { privacyCommands } from './privacy.ts';
import { restoreCommand } from './restore.ts';
import { secretCommands } from './secrets.ts';
import { sendCommands } from './send.ts';
import { smppCommands } from './smpp.ts';
import { staffCommands } from './staff.ts';
import { systemCommands } from './system.ts';
import { asksForHelp, commandOf, groupOf, unknownCommand, usage, usageOf } from './usage.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: Command[] = [
  ...accountCommands,
  ...keyCommands,
  ...smppCommands,
  ...webhookCommands,
  ...creditCommands,
  ...carrierCommands,
  ...moveCommands,
  ...cellCommands,
  ...sendCommands,
  ...numberCommands,
  ...brandCommands,
  ...importCommands,
  ...staffCommands,
  doctorCommand,
  ...dispatchCommands,
  ...backupCommands,
  restoreCommand,
  ...privacyCommands,
  ...secretCommands,
  ...contentCommands,
  ...systemCommands,
];

/** Runs one command and returns what is to be printed. */
export async function execute(argv: string[]): Promise<string> {
  if (argv.includes('--version')) return version(argv.includes('--json'));
  if (asksForHelp(argv)) {
    const named = argv.filter(word => !word.startsWith('-') && word !== 'help');
    return help(named, argv.includes('--json'));
  }
  const { config, rest, warnings, given, problems } = readConfig(argv);
  const json = rest.includes('--json');
  const words = rest.filter(word => word !== '--json');
  const command = commandOf(commands, words);
  if (!command?.takesWrongSettings) refuseWrong(problems);
  if (!command && groupOf(commands, words).length > 0) return help(words, json);
  if (!command) throw new UsageError(unknownCommand(commands, words));
  const { args, flags, cell } = argumentsOf(command, words.slice(command.words.split(' ').length));
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const log = createLog(process.env.PEYK_LOG_LEVEL ?? 'warn', 'command', config.PEYK_LOG_FORMAT);
  const say = json ? undefined : console.log;
  const run = (db: Db, connection: Connection) =>
    runInCells(command, { config, db, connection, log, args, flags, warnings, given, say }, cell);
  const value =
    command.database === 'none'
      ? await command.run({ config, db: none, connection: none, log, args, flags, warnings, given, problems })
      : await withDatabase({ name: command.words, config, log }, run);
  return json ? JSON.stringify(value ?? null) : human(command, value);
}

function version(json: boolean): string {
  return json ? JSON.stringify({ version: programVersion() }) : `peyk ${programVersion()}`;
}

function help(words: string[], json: boolean): string {
  const text = usage(commands, words);
  return json ? JSON.stringify({ help: text }) : text;
}

const none = undefined as never;

type Given = { args: string[]; flags: Record<string, string>; cell: string | undefined };

/** Every command accepts `--cell`, which names one of several databases. */
function argumentsOf(command: Command, words: string[]): Given {
  const known = Object.keys(command.flags ?? {});
  const types = new Map(known.map(name => [name, command.switches?.includes(name) ? 'boolean' : 'string'] as const));
  if (command.database !== 'none') types.set('cell', 'string');
  const args: string[] = [];
  const flags: Record<string, string> = {};
  for (const one of readArguments(words, types))
    if ('word' in one) args.push(one.word);
    else if (!types.has(one.flag))
      throw new UsageError(`unknown flag --${one.flag}${didYouMean(one.flag, known)}\n\n${usageOf(command)}`);
    else flags[one.flag] = types.get(one.flag) === 'boolean' ? 'on' : (one.value ?? '');
  if (args.length > command.args.length && !command.openArgs)
    throw new UsageError(`too many arguments\n\n${usageOf(command)}`);
  const { cell, ...own } = flags;
  return { args, flags: own, cell };
}

function human(command: Command, value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return command.empty ?? 'none';
  if (command.show) return command.show(value as never);
  if (value === undefined || value === null) return 'ok';
  if (typeof value !== 'object') return String(value);
  const width = Math.max(16, ...Object.keys(value).map(name => name.length));
  return Object.entries(value)
    .map(([name, one]) => `${name.padEnd(width)} ${humanValue(one)}`)
    .join('\n');
}

function humanValue(value: unknown): string {
  if (value instanceof Date) return toTurkeyTime(value);
  if (Array.isArray(value) && value.every(one => typeof one !== 'object')) return value.join(', ') || '–';
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '–');
}
