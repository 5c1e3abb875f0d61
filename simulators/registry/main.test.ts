// The simulator as a process of its own, compiled as the build does it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { optionsFrom } from './main.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
let children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-registry-'));
  const config = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, 'node_modules/@types')],
      incremental: false,
      tsBuildInfoFile: null,
    },
    include: [],
    files: [join(root, 'simulators/registry/main.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(run.stdout + run.stderr).toBe('');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

const program = () => join(folder, 'simulators/registry/main.js');

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise(resolve => child.stdout?.once('data', data => resolve(String(data).trim())));
}

function ended(child: ChildProcess): Promise<number | null> {
  children.push(child);
  return new Promise(resolve => child.once('exit', resolve));
}

test('the program prints its address, informs its parent, and leaves when the parent lets go', async () => {
  const child = spawn(process.execPath, [program(), '--port', '0', '--result-delay-ms', '2000'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = ended(child);
  const message = new Promise(resolve => child.once('message', resolve));
  const line = await firstLine(child);
  const ready = JSON.parse(line.replace(/^registry ready /, ''));
  expect(await message).toEqual(ready);
  const settings = await (await fetch(`${ready.url}/control/settings`)).json();
  expect(settings).toMatchObject({ resultDelayMs: 2000, ratePerSecond: 10 });
  child.disconnect();
  expect(await exit).toBe(0);
});

test('SIGTERM ends the program in good order', async () => {
  const child = spawn(process.execPath, [program(), '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = ended(child);
  await firstLine(child);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

test('a flag that nobody knows ends the program with the list of flags', async () => {
  const run = spawnSync(process.execPath, [program(), '--tempo', '3'], { encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('--result-delay-ms');
});

test('every setting has a flag', () => {
  expect(optionsFrom(['--port', '1', '--pull-delay-ms', '5', '--tokens-per-hour', '0'])).toEqual({
    port: 1,
    pullDelayMs: 5,
    tokensPerHour: 0,
  });
});
