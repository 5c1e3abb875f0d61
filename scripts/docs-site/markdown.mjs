// Renders a Markdown page as HTML without inline scripts and styles, with its headings and its sections as text for the search.
// Anchors are GitHub's, so that a link works in both places, plus a spelling in ASCII letters.
import { dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { drawDiagram } from './diagram.mjs';
import { fold } from './fold.mjs';
import { addressOf } from './pages.mjs';
import { words } from './words.mjs';

/**
 * `pages`: all pages of the site, to turn links between files into links between pages. `also`: anchors of the headings in the
 * other language, so that links of untranslated pages still work.
 */
export function renderPage(text, { file, language, pages, also = [] }) {
  const headings = [];
  const anchors = new Map();
  const say = words[language];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const name = plainText(inner);
        const id = uniqueAnchor(anchors, name);
        const other = also[headings.length];
        const github = anchorOf(name.toLocaleLowerCase('tr'));
        const second = [...new Set([other, github])]
          .filter(one => one && one !== id)
          .map(one => `<span id="${one}"></span>`)
          .join('');
        headings.push({ depth, id, name });
        return depth === 1
          ? `<h1 id="${id}">${inner}</h1>\n`
          : `<h${depth} id="${id}">${second}${inner} <a class="anchor" href="#${id}" aria-label="${escaped(name)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, { file, language, pages });
        return target === null ? `<span class="file">${inner}</span>` : `<a href="${escaped(target)}">${inner}</a>`;
      },
      image({ href, text: about }) {
        const wanted = normalize(join(dirname(file), href));
        return `<img src="/${escaped(wanted)}" alt="${escaped(about)}" loading="lazy">`;
      },
      code({ text: code, lang }) {
        if (lang === 'mermaid') return drawDiagram(code, say.diagram);
        const label = `${say.code}${lang ? `: ${lang}` : ''}`;
        return `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${escaped(code)}</code></pre>\n`;
      },
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map(one => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`).join('')}</tr>`;
        const label = escaped(`${say.table}: ${header.map(one => one.text).join(', ')}`);
        return `<div class="table" tabindex="0" role="region" aria-label="${label}"><table><thead>${row(header, 'th')}</thead><tbody>${rows
          .map(one => row(one, 'td'))
          .join('')}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = withLanguages(marked.lexer(text));
  const sections = [];
  let html = '';
  for (const token of tokens) {
    const piece = token.samples
      ? languagesHtml(token.samples, say, one => marked.parser([one]))
      : marked.parser([token]);
    html += piece;
    if (token.type === 'heading') sections.push({ heading: headings.at(-1), text: '' });
    else if (sections.length > 0) sections.at(-1).text += ` ${plainText(piece)}`;
  }
  return { html, headings, sections };
}

/** Code in several languages, each below a paragraph with the language's name, becomes one token. */
function withLanguages(tokens) {
  const rest = [...tokens];
  const result = [];
  while (rest.length > 0) {
    const samples = [];
    for (;;) {
      const [name, , code] = rest;
      const isSample = name?.type === 'paragraph' && code?.type === 'code' && /^[\w#+ ()]{1,20}$/.test(name.text);
      if (!isSample) break;
      samples.push({ name: name.text, code });
      rest.splice(0, rest[3]?.type === 'space' ? 4 : 3);
    }
    if (samples.length > 0) result.push({ type: 'samples', samples });
    else result.push(rest.shift());
  }
  return result;
}

function languagesHtml(samples, say, render) {
  const folded = samples.map(
    ({ name, code }) => `<details open><summary>${escaped(name)}</summary>${render(code)}</details>`,
  );
  return `<div class="languages" data-label="${escaped(say.languages)}">${folded.join('')}</div>`;
}

/** null: a file of the repository that is not a page. */
function targetOf(href, { file, language, pages }) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const wanted = normalize(join(dirname(file), path));
  const page = pages.find(
    one => one.files.en === wanted || one.files.tr === wanted || wanted === `docs/tr/${one.name}.md`,
  );
  if (!page) return null;
  return addressOf(page, language) + (anchor ? `#${anchor}` : '');
}

const anchorOf = name =>
  name
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function uniqueAnchor(used, name) {
  const anchor = anchorOf(fold(name));
  const count = used.get(anchor) ?? 0;
  used.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

export function escaped(text) {
  return text.replace(/[&<>"]/g, mark => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]);
}

const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function plainText(html) {
  return html
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<br>|<\/(td|th|li|p)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, mark => entities[mark])
    .replace(/\s+/g, ' ')
    .trim();
}
