// The operator's command line: exits 0 on success, otherwise prints the reason on standard error. A command is imported
// when it is called: `peyk start` needs none of them (0.1 s of CPU).
import { ConfigError } from '../settings/config.ts';
import { errorText, UsageError } from './command.ts';
import { asksForHelp } from './usage.ts';

export async function main(argv: string[]): Promise<void> {
  try {
    const foreground = asksForHelp(argv) ? undefined : foregroundCommands.get(argv[0]!);
    if (foreground) return await foreground(argv.slice(1));
    console.log(await (await import('./execute.ts')).execute(argv));
    // The exit code may have been set by the command (audit).
    process.exit();
  } catch (error) {
    const isExpected = error instanceof UsageError || error instanceof ConfigError;
    process.stderr.write(`${isExpected ? '' : 'peyk: '}${errorText(error)}\n`);
    if (!isExpected && process.env.PEYK_LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`);
    process.exit(1);
  }
}

// Commands that run until they are stopped.
const foregroundCommands = new Map<string, (args: string[]) => Promise<void>>([
  ['start', async args => (await import('./start.ts')).start(args)],
  ['mcp', async args => (await import('./mcp.ts')).serveMcp(args, process.env)],
  ['simulator', async args => (await import('./simulator.ts')).runSimulator(args)],
]);
