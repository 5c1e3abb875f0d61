// GET /openapi.json, /api/manifest.json and the reference page, all made of the same tables.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { manifestOf } from '../../api/manifest.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { plainOpenApi } from '../../api/openapi-plain.ts';
import { now } from '../../clock.ts';
import { referencePage } from './page.ts';
import type { Language } from './words.ts';

// Scripts and styles only from our own files, nothing inline; the tries go to this server and nowhere else.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export type ReferenceFacts = {
  /** Where customers reach this server; '' = whatever address the request came to. */
  publicUrl: string;
  version: string;
};

export function addReference(server: FastifyInstance, { publicUrl, version }: ReferenceFacts): void {
  const baseUrlOf = (request: FastifyRequest) =>
    (publicUrl || `${request.protocol}://${request.host}`).replace(/\/$/, '');
  const madeAt = now();
  const document = (path: string, make: (baseUrl: string) => unknown) =>
    server.get(path, (request, reply) =>
      plain(reply)
        // Tools of other sites read it in the browser; it holds nothing of anybody's.
        .header('access-control-allow-origin', '*')
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify(make(baseUrlOf(request)))),
    );
  document('/openapi.json', baseUrl => openApiDocument({ baseUrl, version }));
  document('/openapi-3.0.json', baseUrl => plainOpenApi({ baseUrl, version }));
  document('/api/manifest.json', baseUrl => manifestOf({ baseUrl, version, madeAt }));
  server.get('/docs', (_request, reply) => reply.redirect('/docs/api', 302));
  server.get<{ Querystring: { lang?: string } }>('/docs/api', (request, reply) =>
    plain(reply)
      .header('content-security-policy', policy)
      .header('content-type', 'text/html; charset=utf-8')
      .header('vary', 'accept-language')
      .header('x-frame-options', 'DENY')
      .send(referencePage(baseUrlOf(request), languageOf(request))),
  );
}

/** As asked for, or the first of the browser's languages that is one of ours; Turkish for everybody else. */
function languageOf(request: FastifyRequest): Language {
  const asked = (request.query as { lang?: unknown }).lang;
  if (asked === 'tr' || asked === 'en') return asked;
  const [first] = /\b(tr|en)\b/i.exec(request.headers['accept-language'] ?? '') ?? [];
  return first?.toLowerCase() === 'en' ? 'en' : 'tr';
}

/** The address may change with its configuration, so nobody keeps it without asking. */
function plain(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin');
}
