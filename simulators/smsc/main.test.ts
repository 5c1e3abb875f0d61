import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bound } from './independent-esme.ts';
import { startSmsc } from './main.ts';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
let program = '';

/* The program as it is shipped: compiled, in a tree of its own. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'smsc-'));
  const flags =
    '--target es2023 --module nodenext --rewriteRelativeImportExtensions --types node --skipLibCheck --noCheck';
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const main = join('simulators', 'smsc', 'main.ts');
  const where = ['--rootDir', root, '--outDir', join(folder, 'dist'), '--ignoreConfig', main];
  execFileSync(compiler, [...flags.split(' '), ...where], { cwd: root });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'simulators'), join(folder, 'simulators'));
  program = join(folder, 'dist', 'simulators', 'smsc', 'main.js');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function readyLine(output: NodeJS.ReadableStream): Promise<{ smpp: string; http: string }> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const [line] = text.split('\n');
  expect(line).toMatch(/^smsc ready \{/);
  return JSON.parse(line!.slice('smsc ready '.length)) as { smpp: string; http: string };
}

it('as a program it prints its ready line, serves SMPP and its page, and leaves on SIGTERM', async () => {
  const child = spawn(process.execPath, [program, '--port', '0', '--http-port', '0'], { stdio: ['ignore', 'pipe', 2] });
  const { smpp, http } = await readyLine(child.stdout!);
  const esme = await bound(Number(smpp.split(':')[1]));
  expect((await esme.submit('905550000000', 'program')).command_status).toBe(0);
  expect((await fetch(`${http}/`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  esme.session.destroy();
});

it('as a child it reports by message and leaves when its parent’s channel closes', async () => {
  const child = fork(program, ['--port', '0', '--http-port', '0'], { stdio: 'ignore' });
  const [ready] = (await once(child, 'message')) as [{ smpp: string; http: string }];
  expect(ready.smpp).toMatch(/^127\.0\.0\.1:\d+$/);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each([[['--host', '0.0.0.0']], [['--port', 'x']], [['--port', '70000']], [['--nothing']]])(
  'as a program it refuses %j with a reason',
  async flags => {
    const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    let reason = '';
    child.stderr.on('data', chunk => {
      reason += chunk;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(reason).toMatch(/^smsc: .+\n$/);
  },
);

it('it refuses every address but the loopback one', async () => {
  const host = '0.0.0.0' as '127.0.0.1';
  await expect(startSmsc({ port: 0, httpPort: 0, host })).rejects.toThrow('127.0.0.1 only');
});

it('a taken page port stops the start and leaves the SMPP port free', async () => {
  const first = await startSmsc({ port: 0, httpPort: 0 });
  await expect(startSmsc({ port: 0, httpPort: first.httpPort })).rejects.toThrow('EADDRINUSE');
  await first.stop();
});
