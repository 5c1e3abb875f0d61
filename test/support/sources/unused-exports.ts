// Exports that no other file imports, by name: found by parsing every source. A file that is imported as a whole (`import * as`, or by
// `import()`) counts as used.
import { dirname, join, normalize } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { type File, files } from './sources.ts';

/** What is read of a node of the syntax tree. */
type Node = {
  type: string;
  source?: { value?: unknown } | null;
  specifiers?: { type: string; imported?: { name: string }; local: { name: string }; exported?: { name: string } }[];
  declaration?: { id?: { name: string } | null; declarations?: { id: { name?: string } }[] } | null;
};

export function unusedExports(of: (path: string) => boolean, all: File[] = files): string[] {
  const used = new Set<string>();
  const exported: { path: string; name: string }[] = [];
  for (const { path, text } of all) {
    const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts';
    for (const node of parseAst(text, { lang }).body as unknown as Node[]) {
      const from = targetOf(path, node.source?.value);
      if (from !== null) for (const name of namesFrom(node)) used.add(`${from}#${name}`);
      if (node.type === 'ExportNamedDeclaration') for (const name of namesOf(node)) exported.push({ path, name });
    }
    for (const [, imported, located] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)|new URL\('([^']+\.(?:ts|mjs))'/g))
      used.add(`${targetOf(path, imported ?? located)}#*`);
  }
  const isUnused = ({ path, name }: (typeof exported)[number]) =>
    of(path) && !used.has(`${path}#${name}`) && !used.has(`${path}#*`);
  return exported.filter(isUnused).map(({ path, name }) => `${path}: ${name}`);
}

function targetOf(path: string, to: unknown): string | null {
  if (typeof to !== 'string' || !to.startsWith('.')) return null;
  return normalize(join(dirname(path), to.replace(/\?.*$/, '')));
}

function namesFrom(node: Node): string[] {
  if (node.type === 'ExportAllDeclaration') return ['*'];
  return (node.specifiers ?? []).map(one =>
    one.type === 'ImportNamespaceSpecifier' ? '*' : (one.imported?.name ?? one.local.name),
  );
}

function namesOf({ specifiers, declaration }: Node): string[] {
  const declared = [declaration?.id?.name, ...(declaration?.declarations ?? []).map(one => one.id.name)];
  return [...(specifiers ?? []).map(one => one.exported?.name), ...declared].filter(one => one !== undefined);
}
