// The HTTP server: Node's own. It passes requests below /v1 to our listener and all others to the framework, and every
// other failure (unknown path, broken request, fault of the program) is answered in the interface's envelope. Only
// src/http imports Fastify.
import { createServer as createNodeServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { ApiServices } from '../api/call.ts';
import { findCredentials } from '../api/early-credentials.ts';
import { Admission } from './admission.ts';
import { type BodyRules, hasBody, passBody, readBody, usualPace } from './body.ts';
import { answerOddRequests, clientErrorHandler, isHostless, refuse } from './broken.ts';
import { type AddressOf, type Direct, direct } from './direct.ts';
import { pipelining } from './pipelining.ts';
import { type Carrying, faultSender, send } from './serve.ts';

export type ServerOptions = {
  trustedProxies: string[];
  /** For tests. */
  pace?: BodyRules['pace'];
};

const noSchemas = () => {
  throw new Error('schemas of requests and answers belong to the contract, not to the framework');
};
/** Keeps the framework from loading its own compilers at every start: 50 ms in a profile. */
const withoutSchemas = { buildValidator: noSchemas, buildSerializer: noSchemas };

const requestMaxMs = 120_000;
const keepAliveMs = 72_000;

export function createServer(services: ApiServices, options: ServerOptions): FastifyInstance {
  const rules: BodyRules = {
    admission: new Admission(),
    callerOf: callerFinder(services),
    pace: options.pace ?? usualPace,
  };
  let closing = false;
  const addressOf = addressReader(options.trustedProxies);
  const isClosing = () => closing;
  const isOurs = direct(services, { rules, addressOf, isClosing });
  const server = Fastify({
    logger: false,
    trustProxy: options.trustedProxies.length ? options.trustedProxies : false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // One server for each address: `localhost` may have two.
    serverFactory: framework => nodeServer(framework, isOurs),
    // The framework's own answer while it closes is not the envelope.
    return503OnClosing: false,
    clientErrorHandler,
    schemaController: { compilersFactory: withoutSchemas },
    frameworkErrors: (_error, _request, reply) => send(reply as unknown as FastifyReply, 404),
  });
  server.addHook('preClose', async () => {
    closing = true;
  });
  addBodies(server, rules);
  server.setNotFoundHandler((_request, reply) => send(reply, 404));
  server.setErrorHandler(faultSender(services.log));
  return server;
}

function nodeServer(framework: RequestListener, isOurs: Direct): Server {
  // A request without a Host is answered in the envelope (broken.ts).
  const options = { requireHostHeader: false, requestTimeout: requestMaxMs, keepAliveTimeout: keepAliveMs };
  const mayBegin = pipelining();
  const server = createNodeServer(options, (message, response) => {
    if (!mayBegin(message, response)) return;
    if (isHostless(message)) refuse(message, response, 400);
    else if (!isOurs(message, response)) framework(message, response);
  });
  server.setTimeout(requestMaxMs);
  answerOddRequests(server);
  return server;
}

/** Bodies outside of /v1 (the panel's) as bytes; the memory of a large one is released with its answer. */
function addBodies(server: FastifyInstance, rules: BodyRules): void {
  const rulesOfKnown: BodyRules = { ...rules, callerOf: async () => 'customer' };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', async (request: Carrying) => {
    if (request.is404) return passBody(request.raw);
    const { bytes, hold } = await readBody(request.raw, request.isKnown ? rulesOfKnown : rules, request.ip);
    if (request.raw.socket.destroyed) hold?.leave();
    request.hold = hold;
    return bytes;
  });
  server.addHook('onResponse', async (request: Carrying) => request.hold?.leave());
  server.addHook('onRequestAbort', async (request: Carrying) => request.hold?.leave());
  server.addHook('onSend', async (request, reply) => {
    // The rest of an abandoned body is not read. A request without a body is not complete yet when it is answered at
    // once; its connection stays open.
    if (!request.raw.complete && hasBody(request.raw)) reply.raw.shouldKeepAlive = false;
  });
}

function callerFinder({ authenticate }: ApiServices): BodyRules['callerOf'] {
  return async (start, address) => {
    const found = findCredentials(start);
    if (!found) return 'stranger';
    // Without the database nobody can be authenticated; the request itself is answered 503 later.
    const known = await authenticate(found.key, found.hash, address, true, found.way).catch(() => null);
    return known?.ok ? 'customer' : 'stranger';
  };
}

function addressReader(trustedProxies: string[]): AddressOf {
  if (trustedProxies.length === 0) return message => message.socket.remoteAddress ?? '';
  const trust = proxyAddress.compile(trustedProxies);
  return message => proxyAddress(message as IncomingMessage, trust);
}
