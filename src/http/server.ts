// The HTTP server: binds the operation table to paths and turns every accident (unknown path, wrong method, broken
// request, fault of ours) into the interface's own envelope. The only importer of Fastify besides its neighbours.
import type { IncomingMessage, RequestListener } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ApiServices } from '../api/call.ts';
import { closeEnvelope } from '../api/envelope.ts';
import { operations } from '../api/operations.ts';
import { Admission } from './admission.ts';
import { announcedBytes, readBody } from './body.ts';
import { type DirectOptions, direct } from './direct.ts';
import { faultSender, jsonForm, send, serve } from './serve.ts';
import { addXml } from './xml.ts';

export type ServerOptions = { trustedProxies: string[] };

export function createServer(services: ApiServices, options: ServerOptions): FastifyInstance {
  const server = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length ? options.trustedProxies : false,
    requestTimeout: 120_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    exposeHeadRoutes: false,
    clientErrorHandler,
    frameworkErrors: (_error, _request, reply) => send(reply as unknown as FastifyReply, jsonForm, 404),
  });
  const admission = new Admission();
  server.removeAllContentTypeParsers();
  // Bodies are read as bytes here and parsed in api/, where the order of refusals is known.
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    (request as Admitted).leave = await admission.enter(announcedBytes(request.raw));
    return readBody(request.raw);
  });
  server.addHook('onResponse', async request => (request as Admitted).leave?.());
  server.addHook('onRequestAbort', async request => (request as Admitted).leave?.());
  server.setNotFoundHandler((_request, reply) => send(reply, jsonForm, 404));
  server.setErrorHandler(faultSender(services.log, jsonForm));
  for (const operation of operations)
    for (const path of [operation.path, ...(operation.aliases ?? [])])
      server.post(`/v1/${path}/json`, (request, reply) => serve(services, operation, jsonForm, request, reply));
  addXml(server, services);
  serveDirectly(server, services, { admission, addressOf: addressReader(options.trustedProxies) });
  return server;
}

/** On the server's first address; on a further one (`localhost` may have two) the framework's own routes do the same. */
function serveDirectly(
  server: FastifyInstance,
  services: ApiServices,
  options: Pick<DirectOptions, 'admission' | 'addressOf'>,
): void {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  const isOurs = direct(services, { ...options, isClosing: () => closing });
  const [framework] = server.server.listeners('request') as RequestListener[];
  server.server.removeAllListeners('request').on('request', (message, response) => {
    if (!isOurs(message, response)) framework!(message, response);
  });
}

function addressReader(trustedProxies: string[]): (message: IncomingMessage) => string {
  if (trustedProxies.length === 0) return message => message.socket.remoteAddress ?? '';
  const trust = proxyAddress.compile(trustedProxies);
  return message => proxyAddress(message, trust);
}

type Admitted = FastifyRequest & { leave?: () => void };

/** Bytes that are no HTTP at all still get an envelope. */
function clientErrorHandler(_error: Error, socket: import('node:net').Socket): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(closeEnvelope(400));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
