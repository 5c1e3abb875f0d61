// Starts a separate process that owns a data directory (own-data.mjs), to be killed by the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

type Owner = { pid: number; serverPid: number | null; kill(): Promise<void> };

export async function ownData(dataDir: string, until: 'lock' | 'database'): Promise<Owner> {
  const script = fileURLToPath(new URL('own-data.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, until], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const complaint = text(child.stderr);
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first)),
    exited.then(async ([code]) =>
      Promise.reject(new Error(`the owner process ended early (${code}): ${await complaint}`)),
    ),
  ]);
  return {
    ...(JSON.parse(line) as { pid: number; serverPid: number | null }),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
