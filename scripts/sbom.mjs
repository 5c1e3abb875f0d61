// The third-party contents of a release, as CycloneDX: packages built into the program, the panel and the search of the
// documentation, and dependencies of the published package. Development tools are not included.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stale.mjs';

const read = path => readFileSync(join(root, path), 'utf8');
const { packages } = JSON.parse(read('package-lock.json'));

export function sbomOf(version) {
  const places = new Map([...bundledPlaces(), ...installedPlaces()].map(place => [componentOf(place).purl, place]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { type: 'application', name: 'peyk', version, purl: `pkg:npm/peyk@${version}`, 'bom-ref': 'peyk' },
    },
    components: [...places.keys()].sort().map(purl => componentOf(places.get(purl))),
  };
}

/** Places in the lockfile of the packages in the bundles. */
function bundledPlaces() {
  const program = JSON.parse(read('dist/src/program/packages.json'));
  const panel = [...read('panel/dist/licenses.txt').matchAll(/^## (\S+) - (\S+) \(/gm)];
  const wanted = new Set([
    ...program.map(one => `${one.name}@${one.version}`),
    ...panel.map(([, name, version]) => `${name}@${version}`),
    `minisearch@${packages['node_modules/minisearch'].version}`,
  ]);
  const found = Object.keys(packages).filter(place => wanted.delete(`${nameOf(place)}@${packages[place].version}`));
  if (wanted.size > 0) throw new Error(`bundled, but not in package-lock.json: ${[...wanted].join(', ')}`);
  return found;
}

/** Places of the packages that npm installs with ours, for any platform. */
export function installedPlaces() {
  const seen = new Set();
  const visit = from => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, from);
      if (seen.has(place)) continue;
      seen.add(place);
      visit(place);
    }
  };
  visit('');
  return seen;
}

/** Node's resolution: the nearest node_modules upwards. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') throw new Error(`${name}, a dependency of ${from}, is not in package-lock.json`);
  }
}

function componentOf(place) {
  const { version, license, integrity = '' } = packages[place];
  const name = nameOf(place);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const hash = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: license ? [{ expression: license }] : [],
    hashes: [{ alg: 'SHA-512', content: hash }],
  };
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
