// A page reads the parts of the dictionary that its route loads, and no others: a missing part would be a blank page for
// its first visitor.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { account } from './tr/account.ts';
import { developers } from './tr/developers.ts';
import { entry } from './tr/entry.ts';
import { frame } from './tr/frame.ts';
import { messages } from './tr/messages.ts';
import { recipients } from './tr/recipients.ts';
import { settings } from './tr/settings.ts';
import { staff } from './tr/staff.ts';

const parts: Record<string, object> = { entry, frame, messages, recipients, account, developers, settings, staff };
const source = join(import.meta.dirname, '..');
const files = (readdirSync(source, { recursive: true }) as string[]).filter(
  name => /\.tsx?$/.test(name) && !/\.test\.ts$|^text\//.test(name),
);
const code = new Map(files.map(name => [name, readFileSync(join(source, name), 'utf8')]));

/** A module that is loaded with parts of its own: what stands before it in the list is there already. */
type Loaded = { module: string; texts: string[] };

const resolved = (from: string, to: string): string => normalize(join(dirname(from), to));
const listed = (names: string): string[] => [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name!);

function loadedBy(file: string): Loaded[] {
  const pattern = /(?:withTexts\(|paths\.\w+\([^)]*\),\s*)\[([^\]]*)\],\s*\(\) =>\s*import\('([^']+)'\)/g;
  return [...code.get(file)!.matchAll(pattern)].map(([, names, path]) => ({
    module: resolved(file, path!),
    texts: listed(names!),
  }));
}

/** Everything that comes with a module, without what is loaded with parts of its own. */
function closure(start: string): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !code.has(file)) continue;
    found.add(file);
    const own = new Set(loadedBy(file).map(one => one.module));
    const imports = [...code.get(file)!.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
    waiting.push(...imports.map(([, path]) => resolved(file!, path!)).filter(name => !own.has(name)));
  }
  return found;
}

/** Sections that no loaded part holds, with the file that reads them. */
function lacking(start: string, texts: string[]): string[] {
  const known = new Set(texts.flatMap(name => Object.keys(parts[name]!)));
  return [...closure(start)].flatMap(file =>
    [...code.get(file)!.matchAll(/(?<![\w.])t\.(\w+)/g)]
      .filter(([, section]) => !known.has(section!))
      .map(([, section]) => `${start}: ${file} reads t.${section}`),
  );
}

test('a page reads no sentence of a part that its route does not load', () => {
  expect(lacking('main.tsx', ['entry'])).toEqual([]);
  const routes = loadedBy('routes.tsx');
  expect(routes.length).toBeGreaterThan(40);
  const isPublic = (module: string) => module.startsWith('pages/entry/');
  const found = routes.flatMap(({ module, texts }) => {
    const all = isPublic(module) ? ['entry', ...texts] : ['entry', 'frame', ...texts];
    const inner = [...closure(module)].flatMap(loadedBy);
    return [...lacking(module, all), ...inner.flatMap(one => lacking(one.module, [...all, ...one.texts]))];
  });
  expect([...new Set(found)]).toEqual([]);
});

test('a route loads no part that its page does not read', () => {
  const idle = loadedBy('routes.tsx').flatMap(({ module, texts }) =>
    texts
      .filter(name => lacking(module, ['entry', 'frame', ...texts.filter(one => one !== name)]).length === 0)
      .map(name => `${module}: ${name}`),
  );
  expect(idle.filter(one => one !== 'ui/shell.tsx: frame')).toEqual([]);
});

test('no section stands in two parts', () => {
  const names = Object.values(parts).flatMap(part => Object.keys(part));
  expect(names.length).toBe(new Set(names).size);
});
