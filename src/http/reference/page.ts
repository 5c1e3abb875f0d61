// The reference of the v1 interface as one page without requests to other servers. It is made from the same tables as
// /openapi.json, and everything except "try it" works without its script.
import { codeWords } from '../../api/code-words.ts';
import { closeEnvelope } from '../../api/envelope.ts';
import { exampleAnswers } from '../../api/example-answers.ts';
import { fieldsOf } from '../../api/fields.ts';
import { codesOf, jsonPath } from '../../api/openapi.ts';
import { type Operation, operations } from '../../api/operations.ts';
import { callSnippet, exampleBody, type SnippetLanguage, snippetLanguages } from '../../api/snippets.ts';
import { webhookHeaders, webhooks } from '../../api/webhook-contract.ts';
import { type StatusCode, statusTexts } from '../../status.ts';
import { Html, html, marked } from './html.ts';
import { type Language, type Words, words } from './words.ts';

type Page = { baseUrl: string; language: Language; text: Words };

export function referencePage(baseUrl: string, language: Language): string {
  const text = words[language];
  const page = { baseUrl, language, text };
  const other = language === 'tr' ? 'en' : 'tr';
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text.title}</title>
<link rel="icon" href="/panel/icon.svg">
<link rel="preload" as="font" type="font/woff2" href="/panel/assets/instrument-sans-5.3.0.woff2" crossorigin>
<link rel="stylesheet" href="/docs/identity.css">
<link rel="stylesheet" href="/panel/reference.css">
<script src="/docs/scheme.js"></script>
<script src="/docs/languages.js" type="module"></script>
<script src="/panel/reference.js" defer></script>
</head>
<body data-bad-json="${text.badJson}" data-unreachable="${text.unreachable}">
<a class="skip" href="#content">${text.skip}</a>
<header>
<svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" fill="currentColor"><path d="M7.1 2.5h4.5L6.8 21.5H2.3z"/><path d="M14.1 2.5h1.5a6.35 6.35 0 0 1 0 12.7h-4.7z"/></svg>
<h1>${text.title}</h1>
<p>${text.lead}</p>
<p class="links"><a href="${language === 'en' ? '/docs/en/' : '/docs/'}">${text.docs}</a> · <a href="/openapi.json">${text.document}</a> · <a href="/docs/api?lang=${other}" lang="${other}">${text.other}</a> <button id="scheme" type="button" aria-label="${text.scheme}" title="${text.scheme}">◐</button></p>
</header>
<div class="frame">
<nav aria-label="${text.operations}"><ul>
${operations.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
<li><a href="#webhooks">${text.webhooks}</a></li>
</ul></nav>
<main id="content" tabindex="-1">
${credentials(page)}
${operations.map(one => operationSection(page, one))}
${webhookSection(page)}
</main>
</div>
</body>
</html>
`.text;
}

function credentials({ text }: Page): Html {
  return html`<section aria-labelledby="credentials"><h2 id="credentials">${text.credentials}</h2>
<p>${text.credentialsNote}</p>
<div class="pair">
<label>${text.key}<input id="key" autocomplete="off" spellcheck="false"></label>
<label>${text.hash}<input id="hash" type="password" autocomplete="off"></label>
</div></section>`;
}

function operationSection(page: Page, operation: Operation): Html {
  const { name, path, aliases = [] } = operation;
  const { text, language } = page;
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<div class="about"><p class="lead">${operation[language]}</p>
${[path, ...aliases].map(one => html`<p class="path"><code>POST ${page.baseUrl}${jsonPath(one)}</code></p>`)}
${fieldList(page, operation)}
<h3>${text.codes}</h3>
<ul class="codes">${codesOf(operation).map(code => codeLine(code, language))}</ul></div>
<div class="samples"><h3>${text.samples}</h3>
<div class="languages" data-label="${text.samples}">${snippetLanguages.map(one => sample(page, operation, one))}</div>
<h3>${text.answer}</h3>
${code(closeEnvelope(200, exampleAnswers[name]), `${name}: ${text.answer}`)}
${tryForm(page, operation)}</div>
</section>`;
}

/** The wire has Turkish texts; English readers get the meaning. */
function codeLine(code: StatusCode, language: Language): Html {
  const { en, fix } = codeWords[code];
  const advice = fix ? html`<small>${fix[language]}</small>` : html``;
  return html`<li><b>${code}</b> <span>${language === 'tr' ? statusTexts[code] : en}</span>${advice}</li>`;
}

function fieldList({ text, language }: Page, operation: Operation): Html {
  const fields = Object.entries(fieldsOf(operation));
  if (fields.length === 0) return html`<p>${text.noFields}</p>`;
  const object = Object.keys(operation.request.properties)[0]!;
  return html`<h3>${text.fields}</h3>
<dl>${fields.map(([name, about]) => html`<dt><code>${object}.${name}</code></dt><dd>${withMark(about[language], text.required)}</dd>`)}</dl>`;
}

/** Highlights required fields. */
function withMark(about: string, required: string): Html[] {
  return marked(about).map(one => new Html(one.text.replace(new RegExp(`, ${required}\\b`), `, <em>${required}</em>`)));
}

function sample({ baseUrl }: Page, { name, path }: Operation, language: SnippetLanguage): Html {
  const snippet = callSnippet(language, `${baseUrl}${jsonPath(path)}`, exampleBody(name, {}));
  return html`<details${language === 'curl' ? html` open` : ''}><summary>${language}</summary>${code(snippet, `${name}: ${language}`)}</details>`;
}

function tryForm({ text }: Page, { name, path }: Operation): Html {
  const { authentication: _, ...members } = exampleBody(name, {}).request;
  const body = JSON.stringify(members, null, 2);
  return html`<form data-path="${jsonPath(path)}" aria-labelledby="${name}-try">
<h3 id="${name}-try">${text.tryIt}: ${name}</h3>
<label>${text.body}<textarea spellcheck="false" rows="${body.split('\n').length + 1}">${body}</textarea></label>
<button type="submit">${text.send}</button>
<div class="result" role="status" aria-label="${text.result}"></div>
</form>`;
}

function webhookSection({ text, language }: Page): Html {
  const note = language === 'tr' ? 'x-description-tr' : 'description';
  return html`<section aria-labelledby="webhooks"><h2 id="webhooks">${text.webhooks}</h2>
<p>${text.webhooksNote}</p>
<h3>${text.headers}</h3>
<dl>${Object.entries(webhookHeaders).map(([name, about]) => html`<dt><code>${name}</code></dt><dd>${marked(about[note])}</dd>`)}</dl>
${Object.entries(webhooks).map(
  ([name, one]) => html`<h3>${name}</h3><p>${one[language]}</p>${code(one.example, name)}`,
)}
</section>`;
}

/** May be wider than the screen, so it can be focused and scrolled by keyboard. */
function code(content: unknown, label: string): Html {
  const shown = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${shown}</code></pre>`;
}
