// The Model Context Protocol, by its official package: both protocol versions, without sessions, so that every node can
// answer. The package is loaded with the first request: it costs 230 ms of CPU and 24 MB, which most processes never
// need.
import type {
  CallToolResult,
  ClientCapabilities,
  Implementation,
  ListToolsResult,
  McpHttpHandler,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { programVersion } from '../db/version.ts';
import type { Person } from './person.ts';
import type { Caller } from './run-tool.ts';

/** Implements the tools: this process, or a connection to a server that has them. */
export type Backend = {
  list(): Promise<{ tools: object[] }>;
  call(name: string, given: unknown, person: Person): Promise<object>;
};

const instructions = `Peyk sends SMS in Turkey. Texts and status messages are Turkish; times are Turkey local time (UTC+3).
Sending takes two steps: preview_sms shows price, recipients and text as it will arrive; send_sms sends exactly that, with the confirmation of the preview, once the person has agreed; a client that can ask the person itself does so before anything is sent.
Commercial messages need consent in the İYS registry: set order.iys to "1" and order.iysList to BIREYSEL or TACIR.`;

type Package = typeof import('@modelcontextprotocol/server');

export function serverOver({ Server }: Package, backend: Backend): Server {
  const info: Implementation = { name: 'peyk', title: 'Peyk', version: programVersion() };
  const server = new Server(info, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => backend.list() as Promise<ListToolsResult>);
  server.setRequestHandler(
    'tools/call',
    ({ params }, context) =>
      backend.call(params.name, params.arguments, personOf(server, context)) as Promise<CallToolResult>,
  );
  return server;
}

/**
 * The newer protocol version names the client's capabilities in each request, the older one in the handshake, which the
 * connection remembers.
 */
function personOf(server: Server, { mcpReq }: ServerContext): Person {
  const envelope = mcpReq.envelope as { [capabilitiesKey]?: ClientCapabilities } | undefined;
  const { elicitation } = envelope?.[capabilitiesKey] ?? server.getClientCapabilities() ?? {};
  return {
    // Without named modes a form is meant: the first version had no others.
    canBeAsked: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    answers: mcpReq.inputResponses ?? {},
  };
}

export const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** Each request gets a server of its own; `backendOf` receives the caller. */
export async function httpHandler(backendOf: (caller: Caller) => Backend): Promise<McpHttpHandler> {
  const sdk = await import('@modelcontextprotocol/server');
  return sdk.createMcpHandler(({ authInfo }) => serverOver(sdk, backendOf(authInfo!.extra!['caller'] as Caller)), {
    // Nothing changes while a client listens, so no stream stays open.
    maxSubscriptions: 0,
  });
}
