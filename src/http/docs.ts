// The documentation site at /docs, built from docs/ by scripts/docs-site: Turkish at /docs/NAME, English at
// /docs/en/NAME. The reference at /docs/api is a route of its own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BuiltFiles, lostPage, sendFile, sendPage } from './built-files.ts';
import type { Language } from './reference/words.ts';

// Scripts and styles come only from our own files, nothing is inline, and pages request nothing from other servers.
export const readerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const notBuilt = `<!doctype html><html lang="tr"><meta charset="utf-8"><title>Peyk</title>
<p>Belgeler henüz derlenmedi: <code>npm ci</code> çalıştırın. API başvurusu: <a href="/docs/api">/docs/api</a></p>
<p lang="en">The documentation is not built yet: run <code>npm ci</code>.</p></html>`;

export function addDocs(server: FastifyInstance, folder: string): void {
  const files = new BuiltFiles(folder);
  // The router treats both spellings of the first page as one.
  server.get('/docs', (request, reply) => {
    if (pathOf(request).endsWith('/')) return send(files, '/docs/', reply);
    return reply.header('vary', 'accept-language').redirect(languageOf(request) === 'en' ? '/docs/en/' : '/docs/', 302);
  });
  // Turkish pages have the English addresses; a Turkish word that a reader types is redirected to them.
  server.get('/docs/tr', (_, reply) => reply.redirect('/docs/', 302));
  server.get('/docs/tr/*', (request, reply) =>
    reply.redirect(`/docs/${pathOf(request).slice('/docs/tr/'.length)}`, 302),
  );
  server.get('/docs/*', (request, reply) => send(files, pathOf(request), reply));
}

function send(files: BuiltFiles, path: string, reply: FastifyReply): FastifyReply {
  const all = files.all();
  reply
    .header('content-security-policy', readerPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY');
  if (!all) return sendPage(reply, 503, notBuilt);
  const wanted = path.slice('/docs/'.length).replace(/\/$/, '');
  const folder = wanted === '' ? '' : `${wanted}/`;
  const found = all.get(wanted) ?? all.get(`${wanted}.html`) ?? all.get(`${folder}index.html`);
  if (found) return sendFile(reply, found);
  // A missing page is shown with sidebar and search; a missing file of the build is a plain 404.
  const lost = wanted.startsWith('assets/')
    ? undefined
    : all.get(`${/^en(\/|$)/.test(wanted) ? 'en/' : ''}not-found.html`);
  return lost ? sendFile(reply, lost, 404) : sendPage(reply, 404, lostPage);
}

/** The requested language, or else the first of the browser's languages that we have; Turkish by default. */
export function languageOf(request: FastifyRequest): Language {
  const asked = (request.query as { lang?: unknown }).lang;
  if (asked === 'tr' || asked === 'en') return asked;
  const [first] = /\b(tr|en)\b/i.exec(request.headers['accept-language'] ?? '') ?? [];
  return first?.toLowerCase() === 'en' ? 'en' : 'tr';
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0]!;
}
