// The package as somebody who installed it uses it: the examples of the README compile against its types and do what they say.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/support/program/app.ts';
import { temporaryFolder } from '../../../test/support/run/temporary-folder.ts';

const run = promisify(execFile);
const home = fileURLToPath(new URL('..', import.meta.url));
const root = join(home, '..', '..');
const app = await testApp();
afterAll(() => app.close());

test('the examples of the README compile and run', async () => {
  const folder = temporaryFolder();
  const readme = readFileSync(join(home, 'README.md'), 'utf8');
  const [example, webhook] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(match => match[1]!);
  mkdirSync(join(folder, 'node_modules', '@peyk'), { recursive: true });
  symlinkSync(home, join(folder, 'node_modules', '@peyk', 'client'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'example.ts'), example!);
  writeFileSync(join(folder, 'webhook.ts'), webhook!);
  const types = join(root, 'node_modules', '@types');
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--typeRoots', types, '--types', 'node'];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, ...strict, 'example.ts', 'webhook.ts'], { cwd: folder });
  const { key, hash } = await app.open();
  const env = { PEYK_URL: app.url, PEYK_KEY: key, PEYK_HASH: hash };
  const { stdout } = await run(process.execPath, ['example.js'], { cwd: folder, env });
  expect(stdout.split('\n')).toEqual(['1 message, 1 credit', '+905550000000 110', 'sent already', '']);
});

test('what is published needs no other package', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
});
