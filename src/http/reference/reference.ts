// GET /openapi.json, /api/manifest.json and the reference page, all made of the same tables.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { manifestOf } from '../../api/manifest.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { plainOpenApi } from '../../api/openapi-plain.ts';
import { now } from '../../clock.ts';
import { languageOf, readerPolicy } from '../docs.ts';
import { referencePage } from './page.ts';

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
  server.get<{ Querystring: { lang?: string } }>('/docs/api', (request, reply) =>
    plain(reply)
      .header('content-security-policy', readerPolicy)
      .header('content-type', 'text/html; charset=utf-8')
      .header('vary', 'accept-language')
      .header('x-frame-options', 'DENY')
      .send(referencePage(baseUrlOf(request), languageOf(request))),
  );
}

/** The address may change with its configuration, so nobody keeps it without asking. */
function plain(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin');
}
