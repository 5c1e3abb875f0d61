// Runs the simulators beside the program: separate programs that speak the real protocols on loopback. One that dies is
// restarted on the same ports. Each has its own process group, so that Ctrl-C does not end the carrier while the program still
// sends its last messages.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { backoffMs } from '../time/backoff.ts';

type Simulator<Ready> = { ready: Ready; stop(): Promise<void> };

const stopMaxMs = 3_000;

export async function startSimulator<Ready extends object>(
  name: string,
  firstArgs: string[],
  laterArgs: (ready: Ready) => string[],
  log: Log,
): Promise<Simulator<Ready>> {
  const script = fileURLToPath(new URL(`../../simulators/${name}/main.js`, import.meta.url));
  let child: ChildProcess;
  let stopping = false;
  let failures = 0;

  const spawn = (args: string[]) =>
    new Promise<Ready>((resolve, reject) => {
      const env = { ...process.env };
      delete env.PEYK_CHILD;
      child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env, detached: true });
      child.once('message', message => resolve(message as Ready));
      child.once('exit', (code, signal) => {
        reject(new Error(`the ${name} simulator ended (${code ?? signal}); its own message is above`));
        if (stopping || !known) return;
        log.warn({ simulator: name, code, signal }, 'simulator ended, starting it again');
        setTimeout(() => !stopping && spawn(laterArgs(known!)).catch(() => {}), backoffMs(failures++, 100, 5_000));
      });
    });

  let known: Ready | undefined;
  known = await spawn(firstArgs);
  return {
    ready: known,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMaxMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
