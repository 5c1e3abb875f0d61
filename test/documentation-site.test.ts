// The documentation site as scripts/docs-site builds it: every link works, nothing is inline or from other hosts, Turkish pages
// correspond to the English ones, and the search works with and without Turkish letters.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { alerts } from '../src/metrics/table.ts';
import { statusTexts } from '../src/status.ts';
import { fencesOf } from './support/sources/fences.ts';
import { root } from './support/sources/sources.ts';

type Page = { name: string; isEnglish?: boolean; files: { en: string; tr: string | null } };
const part = (name: string) => import(new URL(`../scripts/docs-site/${name}.mjs`, import.meta.url).href);
const { sitePages } = (await part('pages')) as { sitePages(): Page[] };
const { searchOptions } = (await part('fold')) as { searchOptions: object };
const folder = join(root, 'dist', 'docs');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const built = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.html'))
    .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const),
);

/** For developers of the program: English only. */
const inEnglish = ['changes', 'contributing', 'report-a-weakness'];
/** Sections that the Turkish text may shorten or lack for now: the page then says so. */
const mayBeBehind = [
  ...['moving', 'webhooks', 'security', 'runbook', 'backup', 'registry', 'receipts', 'scaling', 'smpp'],
  ...['panel', 'panel-design', 'failure', 'architecture', 'http-carriers', 'operating', 'guide'],
];

test('every page but those for who changes the program is there in both languages', () => {
  const pages = sitePages();
  const untranslated = pages.filter(one => !one.isEnglish && !one.files.tr).map(one => one.name);
  expect(untranslated).toEqual(inEnglish);
  const strays = readdirSync(join(root, 'docs', 'tr')).filter(name => !pages.some(one => `${one.name}.md` === name));
  expect(strays).toEqual([]);
  for (const { name, isEnglish } of pages) {
    expect(built.has(`en/${name}.html`), name).toBe(true);
    expect(built.has(`${name}.html`), name).toBe(!isEnglish);
  }
});

test('a page without a Turkish text shows the English one and says so', () => {
  for (const { name, files } of sitePages().filter(one => !one.isEnglish)) {
    const isNoticed = built.get(`${name}.html`)!.includes('class="notice"');
    if (!mayBeBehind.includes(name)) expect([name, isNoticed]).toEqual([name, files.tr === null]);
  }
});

test('every link of the site leads to a page, a heading or a file that is there', () => {
  const broken = [...built].flatMap(([name, html]) =>
    [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)]
      .map(match => match[1]!.replaceAll('&amp;', '&'))
      .filter(address => !leadsSomewhere(address, name))
      .map(address => `${name}: ${address}`),
  );
  expect(broken).toEqual([]);
});

function leadsSomewhere(address: string, from: string): boolean {
  if (
    /^(https?:|mailto:)/.test(address) ||
    /^\/(panel\/(icon\.svg|assets\/instrument-sans-5\.3\.0\.woff2)?|docs\/api(\?lang=..)?|openapi\.json)$/.test(address)
  )
    return true;
  const [path, anchor] = address.split('#') as [string, string?];
  const name = path === '' ? from : fileOf(path);
  if (name === null) return false;
  const page = built.get(name);
  // The English anchor may be missing in a Turkish page that is behind.
  return (
    anchor === undefined || page?.includes(` id="${anchor}"`) === true || /hreflang="en">English<\/a><\/p>/.test(page!)
  );
}

function fileOf(path: string): string | null {
  if (/^\/docs\/images\/[\w/.-]+\.(png|webp)$/.test(path) && existsSync(join(root, path))) return 'index.html';
  if (!path.startsWith('/docs/')) return null;
  const name = path.slice('/docs/'.length);
  const page = name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`;
  if (built.has(page)) return page;
  return existsSync(join(folder, name)) && name.startsWith('assets/') ? name : null;
}

test('code stands in a fence, with its language', () => {
  const bare = [...built].filter(([, html]) => /<pre [^>]*aria-label="(Kod|Code)">/.test(html));
  expect(bare.map(([name]) => name)).toEqual([]);
});

test('every page about a way to send by program begins with an example, which test/documentation-snippets.test.ts runs', () => {
  const ways = ['interface', 'errors', 'webhooks', 'clients', 'xml', 'smpp', 'assistants', 'client'];
  const bare = sitePages().filter(one => ways.includes(one.name) && fencesOf(one.files.en).length === 0);
  expect(bare.map(one => one.name)).toEqual([]);
});

test('nothing in a page is inline, and nothing is asked of another server', () => {
  for (const [name, html] of built) {
    expect(html, name).not.toMatch(/<style|\sstyle=|<script>|<[^>]*\son[a-z]+=/);
    for (const [, address] of html.matchAll(/<(?:script|link|img)\b[^>]*\s(?:src|href)="([^"]*)"/g))
      expect(address, name).toMatch(/^\/(?!\/)/);
  }
});

test('a Turkish page shows the code of the English one, and no other', () => {
  // Words of a comment are translated.
  const codeOf = (file: string) =>
    fencesOf(file).map(({ language, text }) => `${language}\n${text.replace(/ *# .*$/gm, '')}`);
  for (const { name, files } of sitePages()) {
    if (!files.tr) continue;
    const [own, english] = [codeOf(files.tr), codeOf(files.en)];
    if (mayBeBehind.includes(name)) expect(english, name).toEqual(expect.arrayContaining(own));
    else expect(own, name).toEqual(english);
  }
});

test('the Turkish runbook tells of no alert that there is not, and each has its three parts', () => {
  const sections = read('docs/tr/runbook.md').split('\n### ').slice(1);
  const names = sections.map(one => one.slice(0, one.indexOf('\n')));
  expect(alerts.map(one => one.name)).toEqual(expect.arrayContaining(names));
  for (const section of sections)
    for (const part of ['**Anlamı**', '**Bakın**', '**Yapın**']) expect(section).toContain(part);
});

test('both pages of errors list exactly the codes of the interface, with their texts', () => {
  for (const file of ['docs/errors.md', 'docs/tr/errors.md']) {
    const rows = [...read(file).matchAll(/^\| (\d{3}) \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)];
    expect(
      rows.map(one => [one[1], one[2]]),
      file,
    ).toEqual(Object.entries(statusTexts));
  }
});

test('the search finds with and without Turkish letters, in the language of the reader', () => {
  const indexOf = (language: string) => {
    const name = readdirSync(join(folder, 'assets')).find(one => new RegExp(`^search-${language}-.*json$`).test(one))!;
    return MiniSearch.loadJSON(readFileSync(join(folder, 'assets', name), 'utf8'), searchOptions as never);
  };
  const addresses = (language: string, wanted: string) =>
    indexOf(language)
      .search(wanted)
      .map(one => one['address'] as string);
  for (const wanted of ['başlangıç', 'baslangic', 'BAŞLANGIÇ', 'BASLANGIC'])
    expect(addresses('tr', wanted), wanted).toContain('/docs/');
  expect(addresses('en', 'webhooks')[0]).toBe('/docs/en/webhooks');
  expect(addresses('tr', 'webhooks').every(one => !one.startsWith('/docs/en/'))).toBe(true);
});
