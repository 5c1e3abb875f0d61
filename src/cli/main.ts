// The operator's command line. Every command works beside a running program and without one, takes --json, exits 0 on
// success and otherwise says why on standard error.
import { type Config, ConfigError, loadConfig, settings } from '../config.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import { type Connection, openPool } from '../db/db.ts';
import { borrowEmbedded } from '../db/embedded-borrow.ts';
import { migrate } from '../db/migrate.ts';
import { createLog, type Log } from '../log.ts';
import { accountCommands } from './accounts.ts';
import { carrierCommands } from './carriers.ts';
import { type Command, UsageError } from './command.ts';
import { systemCommands } from './system.ts';

export const commands: Command[] = [...accountCommands, ...carrierCommands, ...systemCommands];

const databaseWaitMs = 15_000;

export async function main(argv: string[]): Promise<void> {
  try {
    const foreground = asksForHelp(argv) ? undefined : foregroundCommands.get(argv[0]!);
    if (foreground) return await foreground(argv.slice(1));
    console.log(await execute(argv));
    // The exit code may have been set by the command (audit).
    process.exit();
  } catch (error) {
    const plain = error instanceof UsageError || error instanceof ConfigError;
    process.stderr.write(`${plain ? (error as Error).message : `peyk: ${(error as Error).message}`}\n`);
    if (!plain && process.env.PEYK_LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  }
}

// Those that run until they are stopped; imported only when asked for.
const foregroundCommands = new Map<string, (args: string[]) => Promise<void>>([
  ['start', async args => (await import('./start.ts')).start(args)],
  ['simulator', async args => (await import('./simulator.ts')).runSimulator(args)],
]);

/** Runs one command and returns what is to be printed. */
export async function execute(argv: string[]): Promise<string> {
  if (asksForHelp(argv)) return usage(argv.filter(word => !word.startsWith('-') && word !== 'help'));
  const { config, rest } = loadConfig(argv);
  const json = rest.includes('--json');
  const words = rest.filter(word => word !== '--json');
  const command = findCommand(words);
  if (!command) throw new UsageError(`unknown command "${words.slice(0, 2).join(' ')}"\n\n${usage([])}`);
  const { args, flags } = readArguments(command, words.slice(command.words.split(' ').length));
  const value = await withDatabase(command, config, (db, log) => command.run({ config, db, log, args, flags }));
  return json ? JSON.stringify(value ?? null) : human(command, value);
}

function asksForHelp(argv: string[]): boolean {
  return argv.includes('--help') || argv.includes('-h') || argv.length === 0 || argv[0] === 'help';
}

function findCommand(words: string[]): Command | undefined {
  return commands.find(one => one.words === words.slice(0, one.words.split(' ').length).join(' '));
}

function readArguments(command: Command, words: string[]): { args: string[]; flags: Record<string, string> } {
  const args: string[] = [];
  const flags: Record<string, string> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('--')) {
      args.push(word);
      continue;
    }
    const at = word.indexOf('=');
    const name = at < 0 ? word.slice(2) : word.slice(2, at);
    if (!command.openFlags && !Object.hasOwn(command.flags ?? {}, name))
      throw new UsageError(`unknown flag --${name}\n\n${usageOf(command)}`);
    if (command.switches?.includes(name)) flags[name] = 'on';
    else flags[name] = at < 0 ? (words[++i] ?? '') : word.slice(at + 1);
  }
  if (args.length > command.args.length && !command.openArgs)
    throw new UsageError(`too many arguments\n\n${usageOf(command)}`);
  return { args, flags };
}

async function withDatabase<T>(
  command: Command,
  config: Config,
  work: (db: ReturnType<typeof openPool>, log: Log) => Promise<T>,
): Promise<T> {
  const log = createLog(process.env.PEYK_LOG_LEVEL ?? 'warn', 'command');
  if (command.words === 'config') return work(undefined as never, log);
  const borrowed = config.DATABASE_URL
    ? { connection: { connectionString: config.DATABASE_URL } as Connection, close: async () => {} }
    : await borrowEmbedded({
        dataDir: config.PEYK_DATA,
        log,
        waitMs: databaseWaitMs,
        binDir: config.PEYK_POSTGRES_BIN || undefined,
      });
  try {
    await migrate(borrowed.connection, log);
    const db = openPool(borrowed.connection, { max: 4, name: `peyk ${command.words}`, onError: () => {} });
    try {
      await readDatabaseClock(db);
      return await work(db, log);
    } finally {
      await db.end();
    }
  } finally {
    await borrowed.close();
  }
}

function human(command: Command, value: unknown): string {
  if (command.show) return command.show(value as never);
  if (value === undefined || value === null) return 'ok';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name.padEnd(16)} ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
    .join('\n');
}

function usage(words: string[]): string {
  const chosen = commands.filter(one => words.length > 0 && one.words.startsWith(words.join(' ')));
  if (chosen.length) return chosen.map(usageOf).join('\n\n');
  if (words[0] === 'start') return settingsUsage();
  const width = 34;
  const lines = [
    ['start [--roles api,dispatch,…]', 'run the program in the foreground (peyk start --help lists the settings)'],
    ['simulator smsc|registry|hook-receiver', 'run a simulator by itself'],
    ...commands.map(one => [[one.words, ...one.args].join(' '), one.help]),
  ];
  return `peyk <command> [--json] [--help]\n\n${lines.map(([left, right]) => `  ${left!.padEnd(width)} ${right}`).join('\n')}`;
}

function usageOf(command: Command): string {
  const flags = Object.entries(command.flags ?? {}).map(([name, text]) => `    --${name.padEnd(12)} ${text}`);
  return [`peyk ${[command.words, ...command.args].join(' ')} [--json]`, `  ${command.help}`, ...flags].join('\n');
}

function settingsUsage(): string {
  const lines = Object.entries(settings).map(([name, one]) => `  ${name.padEnd(30)} ${one.help}`);
  return `peyk start\n\nSettings, from the environment, a .env file or flags (--peyk-port 8080):\n${lines.join('\n')}`;
}
