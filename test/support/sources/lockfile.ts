// Checks the packages of the lockfile against our rules, with a sentence for each broken one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
};
type Manifest = {
  name?: string;
  version?: string;
  license?: unknown;
  licenses?: { type: string }[];
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
};
/** The installed folder and its contents; empty if it is for another platform. */
export type Package = { path: string; locked: Locked; installed: Manifest | undefined };

// Distributed with the program: their licences only require the notice, which is included. Tools are not distributed, so weak
// copyleft licences are fine for them.
const givenOn = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense', 'CC0-1.0']);
const forTools = new Set([...givenOn, 'MPL-2.0', 'Python-2.0', 'BlueOak-1.0.0']);
// Their manifest is silent or of an old form; what they say elsewhere.
const saidElsewhere: Record<string, string> = { 'humanize-number': 'MIT', only: 'MIT' };
const atInstall = ['preinstall', 'install', 'postinstall'];

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
export const manifest: Manifest = read('package.json');
export const manifests: Manifest[] = ['package.json', 'panel/package.json', 'packages/client/package.json'].map(read);

export function packages(): Package[] {
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
  return Object.entries(packages)
    .filter(([path, one]) => path.includes('node_modules/') && !one.link)
    .map(([path, locked]) => {
      const file = join(path, 'package.json');
      return { path, locked, installed: existsSync(join(root, file)) ? read(file) : undefined };
    });
}

/** What the build put into the program, as `name version`: the root manifest lists it under devDependencies. */
const bundled = new Set(
  (read('dist/src/program/packages.json') as { name: string; version: string }[]).map(
    one => `${one.name} ${one.version}`,
  ),
);

export const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** An SPDX expression without brackets inside brackets, which is all that packages use. */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  return plain.split(' OR ').some(choice => choice.split(' AND ').every(one => allowed.has(one.trim())));
}

function licenceOf({ path, locked, installed }: Package): string {
  const written = installed?.license ?? installed?.licenses?.map(one => one.type).join(' AND ');
  return String(written ?? locked.license ?? saidElsewhere[nameOf(path)] ?? 'none');
}

/** A sentence for each rule that a package breaks. */
const rules: ((one: Package) => string | false | undefined)[] = [
  one => {
    const isBundled = bundled.has(`${nameOf(one.path)} ${one.locked.version}`);
    const tool = (one.locked.dev || one.locked.devOptional) && !isBundled;
    return !isAllowed(licenceOf(one), tool ? forTools : givenOn) && `has the licence ${licenceOf(one)}`;
  },
  ({ locked }) => !locked.integrity?.startsWith('sha512-') && 'has no checksum',
  // The lockfile names no registry: each installation uses its own, and the checksum verifies the package.
  ({ locked }) =>
    locked.resolved !== undefined &&
    `comes from ${locked.resolved} (npm install --omit-lockfile-registry-resolved names no place)`,
  ({ path, locked, installed }) => {
    const runs = locked.hasInstallScript || atInstall.some(name => installed?.scripts?.[name]);
    return runs && !manifest.allowScripts?.[nameOf(path)] && 'runs a script when it is installed';
  },
  ({ locked, installed }) =>
    installed && installed.version !== locked.version && `is installed as ${installed.version}, not ${locked.version}`,
];

export function faultsOf(one: Package): string[] {
  return rules.map(rule => rule(one)).flatMap(said => (said ? [`${one.path} ${said}`] : []));
}
