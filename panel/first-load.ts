// The promise about the first load, kept by the build: entry, frame, Turkish texts and any one page, compressed as the
// program serves them (Brotli, quality 5), stay below the bound, or there is no build.
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const alwaysLoaded = [/\/src\/main\.tsx$/, /\/src\/app\.tsx$/, /\/src\/text\/tr\.ts$/];
const page = /\/src\/pages\/[\w-]+\.tsx$/;

type Chunk = {
  type: 'chunk';
  code: string;
  imports: string[];
  isEntry: boolean;
  facadeModuleId: string | null;
  viteMetadata?: { importedCss: Set<string> };
};
type Asset = { type: 'asset'; source: string | Uint8Array };
export type Built = Record<string, Chunk | Asset>;

export function firstLoad(bytesMax: number): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_, bundle) {
      const { name, bytes } = largestFirstLoad(bundle as unknown as Built);
      if (bytes > bytesMax) this.error(`the first load of ${name} is ${bytes} bytes compressed, more than ${bytesMax}`);
    },
  };
}

export function largestFirstLoad(built: Built): { name: string; bytes: number } {
  const sizes = new Map<string, number>();
  const base = chunksOf(
    built,
    chunk => chunk.isEntry || alwaysLoaded.some(one => one.test(chunk.facadeModuleId ?? '')),
  );
  const pages = chunksOf(built, chunk => page.test(chunk.facadeModuleId ?? ''));
  let largest = { name: 'the frame', bytes: sum(built, closure(built, base), sizes) };
  for (const name of pages) {
    const bytes = sum(built, closure(built, [...base, name]), sizes);
    if (bytes > largest.bytes) largest = { name, bytes };
  }
  return largest;
}

function chunksOf(built: Built, wanted: (chunk: Chunk) => boolean): string[] {
  return Object.entries(built).flatMap(([name, one]) => (one.type === 'chunk' && wanted(one) ? [name] : []));
}

/** Files that come with these: what they import statically, and the styles of it. */
function closure(built: Built, names: string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const one = built[name];
    if (!one || found.has(name)) continue;
    found.add(name);
    if (one.type === 'chunk') waiting.push(...one.imports, ...(one.viteMetadata?.importedCss ?? []));
  }
  return found;
}

function sum(built: Built, names: Set<string>, sizes: Map<string, number>): number {
  let bytes = 0;
  for (const name of names) {
    const known = sizes.get(name) ?? squeezed(built[name]);
    sizes.set(name, known);
    bytes += known;
  }
  return bytes;
}

function squeezed(one: Chunk | Asset | undefined): number {
  const content = one?.type === 'chunk' ? one.code : (one?.source ?? '');
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}
