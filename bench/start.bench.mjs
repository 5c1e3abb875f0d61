// How long until the program is ready: the first start on empty data, later ones, and after kill -9 of everything.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { percentile, processes, until } from './program.mjs';

const command = fileURLToPath(new URL('../bin/peyk', import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const kinds = { first: 10, later: 3, 'after kill -9': 3 };

const took = Object.fromEntries(Object.keys(kinds).map(kind => [kind, []]));
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-bench-'));
  for (const [kind, end] of [
    ['first', 'SIGINT'],
    ['later', 'SIGKILL'],
    ['after kill -9', 'SIGINT'],
  ])
    took[kind].push(await start(folder, end));
  rmSync(folder, { recursive: true, force: true });
}
for (const [kind, bar] of Object.entries(kinds)) {
  const [median, worst] = [percentile(took[kind], 0.5), Math.max(...took[kind])];
  console.log(`ready, ${kind}: median ${median.toFixed(1)} s, longest ${worst.toFixed(1)} s (bar ${bar})`);
}

async function start(folder, end) {
  const env = { ...process.env, PEYK_DATA: join(folder, 'data'), PEYK_LOG_LEVEL: 'error' };
  for (const port of ['PEYK_PORT', 'PEYK_SMSC_PORT', 'PEYK_SMSC_HTTP_PORT', 'PEYK_REGISTRY_PORT']) env[port] = '0';
  const began = performance.now();
  const child = spawn(process.execPath, [command, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.once('exit', resolve));
  let text = '';
  for await (const part of child.stdout) {
    text += part;
    if (text.includes('peyk ready ')) break;
  }
  if (!text.includes('peyk ready ')) throw new Error('the program ended');
  const seconds = (performance.now() - began) / 1000;
  if (end === 'SIGKILL') {
    const database = Number(readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const all = processes([child.pid, database]);
    for (const { pid } of all) process.kill(pid, 'SIGKILL');
    // A process that nobody has buried yet still holds the lock of the database's folder.
    await until(() => all.every(({ pid }) => !existsSync(`/proc/${pid}`)));
  } else child.kill(end);
  await ended;
  return seconds;
}
