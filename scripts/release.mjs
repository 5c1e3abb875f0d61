// `npm run release`: what a release consists of, in artifacts/: the package that `npm install` and `npx` take, the list of
// everything in it (SBOM, CycloneDX) from the lockfile, and the checksums of both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { landedChecksums, migrationChecksums } from './land-migrations.mjs';
import { root } from './stale.mjs';

const target = join(root, 'artifacts', 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const unlisted = migrationChecksums().filter(line => !landedChecksums().includes(line));
if (unlisted.length > 0)
  throw new Error(
    `not in migrations/landed.txt: ${unlisted.join(', ')}. Run node scripts/land-migrations.mjs and commit the list.`,
  );

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
// Built before; without scripts nothing else runs on the way.
npm('pack', '--ignore-scripts', '--pack-destination', target);
// Development tools are no part of it; what the panel is made of is, because it is built into it.
const sbom = npm(
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--omit',
  'dev',
  '--package-lock-only',
);
writeFileSync(join(target, `peyk-${version}.cdx.json`), sbom);
const sums = readdirSync(target)
  .sort()
  .map(
    name =>
      `${createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

function npm(...args) {
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
