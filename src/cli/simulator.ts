// `peyk simulator NAME [flags]`: runs one simulator in the foreground, with its own flags.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './command.ts';

const names = ['smsc', 'registry', 'hook-receiver'];

export async function runSimulator([name, ...flags]: string[]): Promise<void> {
  const script = fileURLToPath(new URL(`../../simulators/${name}/main.js`, import.meta.url));
  if (!name || !names.includes(name) || !existsSync(script)) throw new UsageError(`peyk simulator ${names.join('|')}`);
  const child = spawn(process.execPath, [script, ...flags], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>(resolve => child.once('exit', code => resolve(code ?? 1)));
  process.exit(code);
}
