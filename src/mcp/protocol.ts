// The Model Context Protocol, by its official package: both ages of it, without sessions, so that every node can answer. The
// package is loaded with the first request: 230 ms of a core and 24 MB that most processes never need.
import type {
  CallToolResult,
  Implementation,
  ListToolsResult,
  McpHttpHandler,
  Server,
} from '@modelcontextprotocol/server';
import { programVersion } from '../db/version.ts';
import type { Caller } from './run-tool.ts';

/** What stands behind the protocol: the tools themselves, or a server elsewhere that has them. */
export type Backend = {
  list(): Promise<{ tools: object[] }>;
  call(name: string, given: unknown): Promise<object>;
};

const instructions = `Peyk sends SMS in Turkey. Texts and status messages are Turkish; times are Turkey local time (UTC+3).
Sending takes two steps: preview_sms shows price, recipients and text as it will arrive; send_sms sends exactly that, with the confirmation of the preview, once the person has agreed.
Commercial messages need consent in the İYS registry: set order.iys to "1" and order.iysList to BIREYSEL or TACIR.`;

type Package = typeof import('@modelcontextprotocol/server');

export function serverOver({ Server }: Package, backend: Backend): Server {
  const info: Implementation = { name: 'peyk', title: 'Peyk', version: programVersion() };
  const server = new Server(info, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => backend.list() as Promise<ListToolsResult>);
  server.setRequestHandler(
    'tools/call',
    ({ params }) => backend.call(params.name, params.arguments) as Promise<CallToolResult>,
  );
  return server;
}

/** For every request a server of its own; `backendOf` gets who asks. */
export async function httpHandler(backendOf: (caller: Caller) => Backend): Promise<McpHttpHandler> {
  const sdk = await import('@modelcontextprotocol/server');
  return sdk.createMcpHandler(({ authInfo }) => serverOver(sdk, backendOf(authInfo!.extra!['caller'] as Caller)), {
    // Nothing of ours changes while a client listens, so no stream is kept open for it.
    maxSubscriptions: 0,
  });
}
