// A page of the site around its text: header with search, sidebar, headings of the page, previous and next page. It works
// without its script, except for the search.
import { homeHtml } from './home.mjs';
import { escaped } from './markdown.mjs';
import { addressOf, groups } from './pages.mjs';
import { words } from './words.mjs';

/** `assets`: addresses of the script, the style and the index of this language. */
export function pageHtml({ page, pages, language, assets, rendered, isFallback, isBehind }) {
  const say = words[language];
  const title = page[language];
  const other = language === 'tr' ? 'en' : 'tr';
  const otherAddress = page.isEnglish ? '/docs/' : addressOf(page, other);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.name === 'index' ? say.site : `${title} · ${say.site}`)}</title>
<link rel="icon" href="/panel/icon.svg">
<link rel="preload" as="font" type="font/woff2" href="/panel/assets/instrument-sans-5.3.0.woff2" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.scheme}"></script>
<script src="${assets.languages}" type="module"></script>
<script src="${assets.script}" type="module"></script>
${page.isEnglish ? '' : ['tr', 'en'].map(one => `<link rel="alternate" hreflang="${one}" href="${addressOf(page, one)}">\n`).join('')}</head>
<body data-index="${assets.index}" data-copy="${say.copy}" data-copied="${say.copied}" data-none="${say.noResult}" data-results="${say.results}" data-fails="${say.searchFails}">
<a class="skip" href="#content">${say.skip}</a>
<header class="top">
<button id="menu" type="button" aria-expanded="false" aria-controls="pages" hidden>${say.menu}</button>
<a class="brand" href="${language === 'en' ? '/docs/en/' : '/docs/'}"><svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" fill="currentColor"><path d="M7.1 2.5h4.5L6.8 21.5H2.3z"/><path d="M14.1 2.5h1.5a6.35 6.35 0 0 1 0 12.7h-4.7z"/></svg> <b>Peyk</b> <span>${say.siteShort}</span></a>
<form role="search" id="search" hidden><input type="search" aria-label="${say.search}" placeholder="${say.search}" autocomplete="off" spellcheck="false"><div id="found" class="hits" role="region" aria-label="${say.search}" aria-live="polite" hidden></div></form>
<nav class="links" aria-label="Peyk"><a href="/docs/api?lang=${language}">${say.reference}</a> <a href="/panel/">${say.panel}</a> <a href="${otherAddress}" lang="${other}" hreflang="${other}">${say.other}</a> <button id="scheme" type="button" aria-label="${say.scheme}" title="${say.scheme}">◐</button></nav>
</header>
<div class="frame${page.name === 'index' ? ' home' : ''}">
<nav id="pages" aria-label="${say.pages}">${sidebar({ page, pages, language, say })}</nav>
<main id="content" tabindex="-1">
${notice({ page, say, isFallback, isBehind })}<article${isFallback || page.isEnglish ? ' lang="en"' : ''}>
${page.name === 'index' ? homeHtml({ pages, language, addressOf }) : `<p class="above">${escaped(page.group?.[language] ?? '')}</p>${rendered.html}`}</article>
${neighbours({ page, pages, language, say })}
</main>
${onPage(rendered.headings, say, isFallback)}
</div>
</body>
</html>
`;
}

function notice({ page, say, isFallback, isBehind }) {
  if (isFallback) return `<p class="notice">${say.untranslated}</p>\n`;
  if (isBehind)
    return `<p class="notice">${say.behind} <a href="${addressOf(page, 'en')}" hreflang="en">English</a></p>\n`;
  return '';
}

function sidebar({ page, pages, language, say }) {
  return groups
    .map(group => {
      const own = pages.filter(one => one.group === group);
      const list = `<ul>${own.map(one => `<li>${link(one, { page, language, say })}</li>`).join('')}</ul>`;
      if (!group.isFolded) return `<h2>${group[language]}</h2>${list}`;
      return `<details${own.includes(page) ? ' open' : ''}><summary>${group[language]}</summary>${list}</details>`;
    })
    .join('\n');
}

function link(one, { page, language, say }) {
  const here = one === page ? ' aria-current="page"' : '';
  const mark = language === 'tr' && !one.files.tr ? ` <small title="${say.english}">EN</small>` : '';
  return `<a href="${addressOf(one, language)}"${here}>${escaped(one[language])}${mark}</a>`;
}

function neighbours({ page, pages, language, say }) {
  const at = pages.indexOf(page);
  const part = (one, word, rel) =>
    one
      ? `<a rel="${rel}" href="${addressOf(one, language)}"><small>${word}</small> ${escaped(one[language])}</a>`
      : '';
  if (at < 0) return '';
  return `<nav class="around" aria-label="${say.before}, ${say.after}">${part(pages[at - 1], say.before, 'prev')}${part(pages[at + 1], say.after, 'next')}</nav>`;
}

function onPage(headings, say, isFallback) {
  const second = headings.filter(one => one.depth === 2);
  if (second.length < 2) return '<div></div>';
  const links = second.map(one => `<li><a href="#${one.id}">${escaped(one.name)}</a></li>`).join('');
  return `<nav class="on-page" aria-label="${say.onPage}"><h2>${say.onPage}</h2><ul${isFallback ? ' lang="en"' : ''}>${links}</ul></nav>`;
}
