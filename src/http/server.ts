// The HTTP server: binds the operation table to paths and turns every accident (unknown path, wrong method, broken
// request, fault of ours) into the interface's own envelope. The only importer of Fastify besides its neighbours.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiServices, answerCall, type Incoming } from '../api/call.ts';
import { closeEnvelope, openJson } from '../api/envelope.ts';
import { type Operation, operations } from '../api/operations.ts';
import { Overloaded } from '../orders/accept-queue.ts';
import { Refusal, type StatusCode } from '../status.ts';
import { Admission } from './admission.ts';
import { announcedBytes, readBody } from './body.ts';
import { requestSeconds } from './metrics.ts';

export type ServerOptions = { trustedProxies: string[] };

const retryAfterSeconds = '1';

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
    frameworkErrors: (_error, _request, reply) => send(reply as unknown as FastifyReply, 404),
  });
  const admission = new Admission();
  server.removeAllContentTypeParsers();
  // Bodies are read as bytes here and parsed in api/, where the order of refusals is known.
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    const leave = await admission.enter(announcedBytes(request.raw));
    request.raw.socket.once('close', leave);
    (request as Admitted).leave = leave;
    return readBody(request.raw);
  });
  server.addHook('onResponse', async request => (request as Admitted).leave?.());
  server.setNotFoundHandler((_request, reply) => send(reply, 404));
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) return send(reply, error.code);
    if (error instanceof Overloaded) return send(reply, 503);
    if ((error as { statusCode?: number }).statusCode === 400) return send(reply, 400);
    services.log.error({ path: request.url.split('?')[0], error: (error as Error).message }, 'request failed');
    return send(reply, 503);
  });
  for (const operation of operations)
    for (const path of [operation.path, ...(operation.aliases ?? [])])
      server.post(`/v1/${path}/json`, (request, reply) => serve(services, operation, request, reply));
  return server;
}

type Admitted = FastifyRequest & { leave?: () => void };

async function serve(
  services: ApiServices,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const began = process.hrtime.bigint();
  const answer = await answerCall(services, operation, incomingOf(request));
  requestSeconds.observe(
    { operation: operation.name, code: String(answer.code) },
    Number(process.hrtime.bigint() - began) / 1e9,
  );
  return send(reply, answer.code, answer.body);
}

function incomingOf(request: FastifyRequest): Incoming {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const key = request.headers['idempotency-key'];
  return {
    open: () => openJson(request.headers['content-type'], body),
    body,
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    idempotencyKey: Array.isArray(key) ? key[0] : key,
  };
}

function send(reply: FastifyReply, code: StatusCode, body: object = closeEnvelope(code)): FastifyReply {
  if (code === 503) reply.header('retry-after', retryAfterSeconds);
  return reply
    .code(code)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(JSON.stringify(body));
}

/** Bytes that are no HTTP at all still get an envelope. */
function clientErrorHandler(_error: Error, socket: import('node:net').Socket): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(closeEnvelope(400));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
