import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Built, firstLoad, firstLoadBytes } from '../first-load.ts';

const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex');
const chunk = (facade: string, bytes: number, imports: string[] = [], css: string[] = []) => ({
  type: 'chunk' as const,
  code: noise(bytes),
  imports,
  isEntry: facade === '/panel/index.html',
  facadeModuleId: facade,
  viteMetadata: { importedCss: new Set(css) },
});

test('a first load is the entry, the frame, the texts and one page with all that each brings along', () => {
  const built: Built = {
    'index.js': chunk('/panel/index.html', 20_000, ['shared.js']),
    'app.js': chunk('/panel/src/app.tsx', 10_000, ['shared.js']),
    'tr.js': chunk('/panel/src/text/tr/entry.ts', 4_000),
    'shared.js': chunk('', 40_000, [], ['shared.css']),
    'shared.css': { type: 'asset', source: noise(6_000) },
    'small.js': chunk('/panel/src/pages/audit.tsx', 2_000),
    'large.js': chunk('/panel/src/pages/send.tsx', 30_000, ['shared.js', 'deep.js']),
    'deep.js': chunk('', 8_000),
    // Loaded later, or the other language: not part of it.
    'charts.js': chunk('/panel/src/ui/charts.tsx', 400_000),
    'en.js': chunk('/panel/src/text/en/entry.ts', 400_000),
  };
  const bytes = firstLoadBytes(built, [/\/pages\/send\.tsx$/]);
  // Hexadecimal noise comes down to about half.
  const expected = (20_000 + 10_000 + 4_000 + 40_000 + 6_000 + 30_000 + 8_000) / 2;
  expect(Math.abs(bytes - expected) / expected).toBeLessThan(0.15);
});

test('a build above the bound is refused, and so is one in which a page that is measured is not found', () => {
  const built: Built = {
    'index.js': chunk('/panel/index.html', 20_000),
    'a.js': chunk('/panel/src/pages/a.tsx', 2_000),
  };
  const refused: string[] = [];
  const fonts = mkdtempSync(join(tmpdir(), 'no-fonts-'));
  const build = (bytesMax: number, modules: RegExp[]) => {
    const plugin = firstLoad([{ name: 'a', modules, bytesMax }], fonts);
    const context = { error: (message: string) => refused.push(message), info: () => {} };
    (plugin.generateBundle as unknown as (this: typeof context, options: null, bundle: Built) => void).call(
      context,
      null,
      built,
    );
    return refused.splice(0).join();
  };
  try {
    expect(build(20_000, [/\/pages\/a\.tsx$/])).toBe('');
    expect(build(5_000, [/\/pages\/a\.tsx$/])).toMatch(/^the first load of a is \d+ bytes compressed, more than 5000$/);
    expect(build(20_000, [/\/pages\/gone\.tsx$/])).toMatch(/measures \S*gone\S*, which is not in the build/);
  } finally {
    rmSync(fonts, { recursive: true });
  }
});
