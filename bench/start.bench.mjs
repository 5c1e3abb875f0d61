// Time until the program is ready: the first start on empty data, later ones, and after kill -9 of all processes.
import { existsSync, rmSync } from 'node:fs';
import { databaseOf, end, launch, percentile, processes, temporaryFolder, until } from './program.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const kinds = { first: 10, later: 3, 'after kill -9': 3 };

const took = Object.fromEntries(Object.keys(kinds).map(kind => [kind, []]));
for (let round = 0; round < rounds; round++) {
  const folder = temporaryFolder();
  took.first.push(await seconds(folder, child => end(child, 'SIGINT')));
  took.later.push(await seconds(folder, child => killAll(child, folder)));
  took['after kill -9'].push(await seconds(folder, child => end(child, 'SIGINT')));
  rmSync(folder, { recursive: true, force: true });
}
for (const [kind, bar] of Object.entries(kinds)) {
  const [median, worst] = [percentile(took[kind], 0.5), Math.max(...took[kind])];
  console.log(`ready, ${kind}: median ${median.toFixed(1)} s, longest ${worst.toFixed(1)} s (bar ${bar})`);
}

async function seconds(folder, stop) {
  const began = performance.now();
  const { child } = await launch(folder);
  const passed = (performance.now() - began) / 1000;
  await stop(child);
  return passed;
}

async function killAll(child, folder) {
  const all = processes([child.pid, databaseOf(folder)]);
  for (const { pid } of all) process.kill(pid, 'SIGKILL');
  // A zombie process still holds the lock of the database's folder.
  await until(() => all.every(({ pid }) => !existsSync(`/proc/${pid}`)));
}
