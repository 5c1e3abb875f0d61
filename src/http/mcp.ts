// /mcp: assistants over streamable HTTP. Key and hash are in the Authorization header, as `Bearer KEY:HASH` or as
// Basic; a request without them is refused before its body is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiServices, identify } from '../api/call.ts';
import { authorizationOf, headerCredentials } from '../api/header-credentials.ts';
import { httpHandler } from '../mcp/protocol.ts';
import { type Caller, failed, runTool } from '../mcp/run-tool.ts';
import { tools } from '../mcp/tools.ts';
import { Refusal, statusTexts } from '../status.ts';
import { bodyOf, type Carrying, oneOf, send } from './serve.ts';

type Asked = Carrying & { caller?: Caller };

// 50,000 numbers are 1 MB.
const bodyMax = 4 * 1024 * 1024;

export function addMcp(server: FastifyInstance, services: ApiServices): void {
  const listed = tools.map(({ operation: _, ...tool }) => tool);
  let loaded: ReturnType<typeof httpHandler> | undefined;
  const handlerOnce = () => {
    loaded ??= httpHandler(caller => ({
      list: async () => ({ tools: listed }),
      call: (name, given, person) =>
        runTool(services, caller, name, given, person).catch(error => trouble(services, name, error)),
    }));
    return loaded;
  };
  server.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    onRequest: (request, reply) => knownCallersOnly(services, request, reply),
    handler: async (request: Asked, reply) => {
      const body = bodyOf(request);
      // Batches are no longer part of the protocol: one of them could be thousands of calls at once.
      if (body.length > bodyMax || /^\s*\[/.test(body.toString('latin1', 0, 100))) return send(reply, 400);
      const { fetch } = await handlerOnce();
      const authInfo = { token: '', clientId: '', scopes: [], extra: { caller: request.caller! } };
      return pass(await fetch(webRequest(request, body), { authInfo }), reply);
    },
  });
}

/** Errors of the program are logged and not described to the caller. */
function trouble({ log }: ApiServices, tool: string, error: unknown) {
  log.error({ tool, error: (error as Error).message }, 'request failed');
  return failed(`503 ${statusTexts[503]}`);
}

async function knownCallersOnly(services: ApiServices, request: Asked, reply: FastifyReply): Promise<void> {
  const credentials = headerCredentials(authorizationOf(request.headers)) ?? { key: '', hash: '' };
  const agent = request.headers['user-agent'] ?? '';
  const traceparent = oneOf(request.headers['traceparent']);
  const caller = { ...credentials, address: request.ip, agent, ...(traceparent && { traceparent }) };
  try {
    await identify(services, { name: 'mcp' }, credentials, { address: request.ip, agent, hold: null }, false);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await send(reply.header('www-authenticate', 'Bearer realm="Peyk"'), error.code);
    return;
  }
  request.caller = caller;
  request.isKnown = true;
}

function webRequest(request: FastifyRequest, bytes: Buffer): Request {
  const body = bytes.toString('utf8');
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  // The host is irrelevant: there are no cookies, and the answer is the same for all hosts.
  return new Request('http://peyk/mcp', { method: request.method, headers, ...(body.length ? { body } : {}) });
}

async function pass(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of answer.headers) reply.header(name, value);
  return reply
    .code(answer.status)
    .header('cache-control', 'no-store')
    .send(await answer.text());
}
