// GET /openapi.json, /api/manifest.json and the reference page, all made from the same tables.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { manifestOf } from '../../api/manifest.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { plainOpenApi } from '../../api/openapi-plain.ts';
import { now } from '../../time/clock.ts';
import { languageOf, readerPolicy } from '../docs.ts';
import { referencePage } from './page.ts';

const standIn = 'http://address-of-this-server.invalid';
const plainUrl = /^https?:\/\/[\w.:[\]-]+$/;

type ReferenceFacts = {
  /** The address at which customers reach this server; '' means the address of the request. */
  publicUrl: string;
  version: string;
};

export function addReference(server: FastifyInstance, { publicUrl, version }: ReferenceFacts): void {
  const baseUrlOf = (request: FastifyRequest) => {
    const asked = `${request.protocol}://${request.host}`;
    return (publicUrl || (plainUrl.test(asked) ? asked : 'http://localhost')).replace(/\/$/, '');
  };
  const madeAt = now();
  const document = (path: string, make: (baseUrl: string) => unknown) => {
    const text = madeOnce(baseUrl => JSON.stringify(make(baseUrl)));
    server.get(path, (request, reply) =>
      plain(reply)
        // Tools on other sites read it in the browser; it contains no customer data.
        .header('access-control-allow-origin', '*')
        .header('content-type', 'application/json; charset=utf-8')
        .send(text(baseUrlOf(request))),
    );
  };
  const pages = {
    tr: madeOnce(baseUrl => referencePage(baseUrl, 'tr')),
    en: madeOnce(baseUrl => referencePage(baseUrl, 'en')),
  };
  document('/openapi.json', baseUrl => openApiDocument({ baseUrl, version }));
  document('/openapi-3.0.json', baseUrl => plainOpenApi({ baseUrl, version }));
  document('/api/manifest.json', baseUrl => manifestOf({ baseUrl, version, madeAt }));
  server.get<{ Querystring: { lang?: string } }>('/docs/api', (request, reply) =>
    plain(reply)
      .header('content-security-policy', readerPolicy)
      .header('content-type', 'text/html; charset=utf-8')
      .header('vary', 'accept-language')
      .header('x-frame-options', 'DENY')
      .send(pages[languageOf(request)](baseUrlOf(request))),
  );
}

/**
 * Making the document takes 10 ms, and anybody may request it, so it is made once and only the address in it is
 * replaced. The characters of an address need no escaping in any of the formats.
 */
function madeOnce(make: (baseUrl: string) => string): (baseUrl: string) => string {
  let made: string | undefined;
  return baseUrl => {
    made ??= make(standIn);
    return made.replaceAll(standIn, () => baseUrl);
  };
}

/** The address may change with the configuration, so caches must revalidate. */
function plain(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin');
}
