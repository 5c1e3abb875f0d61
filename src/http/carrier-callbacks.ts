// /carrier/<id>/<secret>[/receipts|/inbound]: where carriers over HTTP post. This file does the HTTP part: an unknown
// path gets 404 before the body is read, and a body has at most 1 MB. The callback handler reads and stores the
// contents.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf, send } from './serve.ts';

type Place = { carrierId: number; secret: string; what: 'receipts' | 'inbound' | null };
type Posted = { url: string; headers: Record<string, string | undefined>; body: string; address: string };
type CallbackServices = {
  knows(place: Place): Promise<boolean>;
  receive(place: Place, posted: Posted): Promise<{ status: number; body: string }>;
};

const bodyBytesMax = 1024 * 1024;

export function addCarrierCallbacks(server: FastifyInstance, services: CallbackServices, publicUrl: string): void {
  server.register(async scope => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: bodyBytesMax } as const;
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    scope.route({
      method: ['GET', 'POST'],
      url: '/carrier/:id/:secret/:what?',
      async onRequest(request, reply) {
        const place = placeOf(request);
        if (!place || !(await services.knows(place))) return send(reply, 404);
      },
      handler: (request, reply) => take(services, publicUrl, request, reply),
    });
  });
}

async function take(
  services: CallbackServices,
  publicUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const origin = publicUrl ? publicUrl.replace(/\/$/, '') : `${request.protocol}://${request.host}`;
  const body = request.method === 'GET' ? (request.url.split('?', 2)[1] ?? '') : bodyOf(request).toString('utf8');
  const headers = request.headers as Record<string, string | undefined>;
  const posted = { url: origin + request.url, headers, body, address: request.ip };
  const answer = await services.receive(placeOf(request)!, posted);
  const type = answer.body.startsWith('<') ? 'text/xml; charset=utf-8' : 'text/plain; charset=utf-8';
  return reply.code(answer.status).header('content-type', type).header('cache-control', 'no-store').send(answer.body);
}

function placeOf(request: FastifyRequest): Place | null {
  const { id = '', secret = '', what } = request.params as { id?: string; secret?: string; what?: string };
  if (!/^\d{1,9}$/.test(id) || (what !== undefined && what !== '' && what !== 'receipts' && what !== 'inbound'))
    return null;
  return { carrierId: Number(id), secret, what: what === 'receipts' || what === 'inbound' ? what : null };
}
