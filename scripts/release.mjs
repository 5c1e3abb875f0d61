// `npm run release`: everything a release consists of, in artifacts/release/ or the folder that is given: the packages, the
// context of the image, the chart, the list of what is inside (SBOM, CycloneDX), the release notes, and the checksums of all of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { landedChecksums, migrationChecksums } from './land-migrations.mjs';
import { sbomOf } from './sbom.mjs';
import { root } from './stale.mjs';

const target = resolve(process.argv[2] ?? join(root, 'artifacts', 'release'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const unlisted = migrationChecksums().filter(line => !landedChecksums().includes(line));
// A trial release into another folder may contain migrations that are still being written.
if (unlisted.length > 0 && process.argv[2] === undefined)
  throw new Error(
    `not in migrations/landed.txt: ${unlisted.join(', ')}. Run node scripts/land-migrations.mjs and commit the list.`,
  );

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'RELEASE-NOTES.md'), notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')));
// `npm run release` has built everything; --ignore-scripts avoids another build.
for (const workspace of [[], ['-w', '@peyk/client'], ['-w', 'n8n-nodes-peyk']])
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target, ...workspace]);
imageContext();
run('tar', ['-czf', join(target, `peyk-chart-${version}.tgz`), '-C', join(root, 'ops', 'helm'), 'peyk']);
writeFileSync(join(target, `peyk-${version}.cdx.json`), `${JSON.stringify(sbomOf(version), null, 2)}\n`);
writeFileSync(join(target, 'SHA256SUMS'), sums());
process.stdout.write(sums());

/** The section of this version; without one the release is refused. */
function notesOf(changelog) {
  const section = changelog.split(/^## /m).find(one => one.startsWith(`${version} `));
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version} - DATE"`);
  return `# Peyk ${section.trim()}\n`;
}

/** `docker build - < peyk-VERSION-image.tar.gz`: contains the package instead of the sources. */
function imageContext() {
  const folder = join(target, 'image');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'ops', 'docker', 'Dockerfile'), join(folder, 'Dockerfile'));
  copyFileSync(join(target, `peyk-${version}.tgz`), join(folder, 'peyk.tgz'));
  run('tar', ['-czf', join(target, `peyk-${version}-image.tar.gz`), '-C', folder, 'Dockerfile', 'peyk.tgz']);
  rmSync(folder, { recursive: true });
}

function sums() {
  const digest = name =>
    createHash('sha256')
      .update(readFileSync(join(target, name)))
      .digest('hex');
  const names = readdirSync(target).filter(name => name !== 'SHA256SUMS');
  return names
    .sort()
    .map(name => `${digest(name)}  ${name}\n`)
    .join('');
}

function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
