// The promise about first loads, kept by the build: what sign-in and overview need before they stand (entry, frame, Turkish
// texts, the page with its styles, the typefaces that are preloaded), compressed as the program serves it (Brotli, quality 9),
// stays below its bound, or there is no build.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const alwaysLoaded = [/\/src\/main\.tsx$/, /\/src\/app\.tsx$/, /\/src\/text\/tr\/entry\.ts$/];

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
/** The modules that a page loads beside what every page does, and what that may weigh. */
type FirstLoad = { name: string; modules: RegExp[]; bytesMax: number };

export function firstLoad(loads: FirstLoad[], fonts: string): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_, bundle) {
      const fontBytes = readdirSync(fonts)
        .filter(name => name.startsWith('instrument-sans'))
        .reduce((sum, name) => sum + readFileSync(join(fonts, name)).length, 0);
      const built = bundle as unknown as Built;
      const facades = Object.values(built).map(one => (one.type === 'chunk' ? (one.facadeModuleId ?? '') : ''));
      for (const load of loads) {
        // A page that was renamed would weigh nothing.
        for (const gone of load.modules.filter(module => !facades.some(name => module.test(name))))
          this.error(`the first load of ${load.name} measures ${gone}, which is not in the build`);
        const bytes = firstLoadBytes(built, load.modules) + fontBytes;
        if (bytes > load.bytesMax)
          this.error(`the first load of ${load.name} is ${bytes} bytes compressed, more than ${load.bytesMax}`);
        this.info(`first load of ${load.name}: ${bytes} bytes`);
      }
    },
  };
}

export function firstLoadBytes(built: Built, modules: RegExp[]): number {
  const wanted = [...alwaysLoaded, ...modules];
  const names = Object.entries(built).flatMap(([name, one]) =>
    one.type === 'chunk' && (one.isEntry || wanted.some(module => module.test(one.facadeModuleId ?? ''))) ? [name] : [],
  );
  return [...closure(built, names)].reduce((sum, name) => sum + squeezed(built[name]), 0);
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

function squeezed(one: Chunk | Asset | undefined): number {
  const content = one?.type === 'chunk' ? one.code : (one?.source ?? '');
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
}
