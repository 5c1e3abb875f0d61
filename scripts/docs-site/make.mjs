// Builds the documentation site into dist/docs, which the program serves at /docs: Markdown, a template, a search index for
// each language, one script and one style. Nothing is inline and nothing comes from other servers.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { rolldown } from 'rolldown';
import { compressFolder } from '../compress.mjs';
import { docsFolder, root } from '../stale.mjs';
import { searchOptions } from './fold.mjs';
import { renderPage } from './markdown.mjs';
import { addressOf, languages, sitePages } from './pages.mjs';
import { pageHtml } from './template.mjs';
import { words } from './words.mjs';

const own = name => join(root, 'scripts', 'docs-site', name);
const startCharacters = 120;

export async function makeDocs(target = docsFolder) {
  rmSync(target, { recursive: true, force: true });
  const pages = sitePages();
  const keep = keeper(target);
  const identity = identityCss();
  // Also used by the reference and the simulated phones, which are not built here and need a fixed name.
  keep.plain('identity.css', identity);
  for (const name of ['scheme.js', 'languages.js']) keep.plain(name, readFileSync(own(name), 'utf8'));
  const common = {
    style: keep.asset('reader.css', identity + readFileSync(own('reader.css'), 'utf8')),
    languages: keep.asset('languages.js', readFileSync(own('languages.js'), 'utf8')),
    scheme: keep.asset('scheme.js', readFileSync(own('scheme.js'), 'utf8')),
    script: keep.asset('reader.js', await bundledScript()),
  };
  for (const language of languages) {
    const shown = pages.filter(page => language === 'en' || !page.isEnglish).map(page => textOf(page, language, pages));
    const assets = { ...common, index: keep.asset(`search-${language}.json`, indexOf(shown, language)) };
    for (const one of [...shown, lostPage(language)])
      keep.page(addressOf(one.page, language), pageHtml({ ...one, pages, language, assets }));
  }
  cpSync(join(root, 'docs', 'images'), join(target, 'images'), { recursive: true });
  compressFolder(target, { brotli: false });
  // Written last: its time is the time of the build.
  keep.page('/docs/', keep.first());
}

/** Tokens and typefaces of the panel, the latter at the panel's addresses, and the tabs of samples. */
function identityCss() {
  const of = name => readFileSync(join(root, 'panel', 'src', name), 'utf8');
  const tabs = readFileSync(own('languages.css'), 'utf8');
  return `${of('fonts.css').replaceAll('url("/assets/', 'url("/panel/assets/')}\n${of('tokens.css')}\n${tabs}`;
}

function textOf(page, language, pages) {
  const read = file => readFileSync(join(root, file), 'utf8');
  const english = () => renderPage(read(page.files.en), { file: page.files.en, language, pages });
  if (language === 'en' || !page.files.tr) return { page, rendered: english(), isFallback: language === 'tr' };
  const { headings } = english();
  const file = page.files.tr;
  const rendered = renderPage(read(file), { file, language, pages, also: headings.map(one => one.id) });
  // The English page has sections that the Turkish one lacks, or lost some.
  const isBehind = rendered.headings.map(one => one.depth).join() !== headings.map(one => one.depth).join();
  return { page, rendered, isFallback: false, isBehind };
}

function lostPage(language) {
  const { lost, lostText } = words[language];
  const page = { name: 'not-found', tr: lost, en: lost, files: {} };
  return { page, rendered: { html: `<h1>${lost}</h1><p>${lostText}</p>`, headings: [] }, isFallback: false };
}

/** The search finds sections: heading, page and first words. */
function indexOf(shown, language) {
  const index = new MiniSearch(searchOptions);
  for (const { page, rendered } of shown)
    for (const { heading, text } of rendered.sections)
      index.add({
        id: `${page.name}#${heading.id}`,
        title: heading.name,
        page: page[language],
        text,
        address: addressOf(page, language) + (heading.depth === 1 ? '' : `#${heading.id}`),
        start: text.trim().slice(0, startCharacters),
      });
  return JSON.stringify(index);
}

async function bundledScript() {
  const bundle = await rolldown({ input: own('reader.mjs'), platform: 'browser', logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const licence = readFileSync(new URL('../../LICENSE.txt', import.meta.resolve('minisearch')), 'utf8');
  return `/*! With MiniSearch:\n${licence.trim()}\n*/\n${output[0].code}`;
}

/** Files of the site; those of `asset` have a hash of their content in their name, so that browsers may cache them forever. */
function keeper(target) {
  const write = (name, text) => {
    const path = join(target, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const first = '/docs/';
  let start = '';
  return {
    asset(name, text) {
      const mark = createHash('sha256').update(text).digest('hex').slice(0, 10);
      const named = `assets/${name.replace('.', `-${mark}.`)}`;
      write(named, text);
      return `/docs/${named}`;
    },
    plain: write,
    page(address, html) {
      if (address === first) start = html;
      const name = address.slice('/docs/'.length);
      write(name === '' || name.endsWith('/') ? `${name}index.html` : `${name}.html`, html);
    },
    first: () => start,
  };
}
