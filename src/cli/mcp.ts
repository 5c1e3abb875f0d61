// `peyk mcp`: the tools of a server for an assistant on this machine, over standard input and output. It stores
// nothing: each request is forwarded to the server's /mcp, with key and hash from the environment.
import { programVersion } from '../db/version.ts';
import type { Person } from '../mcp/person.ts';
import { type Backend, capabilitiesKey, serverOver } from '../mcp/protocol.ts';
import { UsageError } from './command.ts';

type Place = { url: string; authorization: string };

const answerMaxMs = 130_000;
const protocolVersion = '2026-07-28';

export async function serveMcp(args: string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const place = placeOf(args, environment);
  const [sdk, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const backend: Backend = {
    list: () => ask(place, 'tools/list', {}) as Promise<{ tools: object[] }>,
    call: (name, given, person) => ask(place, 'tools/call', { name, arguments: given ?? {}, ...passedOn(person) }),
  };
  serveStdio(() => serverOver(sdk, backend), {
    onerror: error => process.stderr.write(`peyk mcp: ${error.message}\n`),
  });
}

function placeOf([given, ...more]: string[], environment: NodeJS.ProcessEnv): Place {
  const { PEYK_URL, PEYK_KEY, PEYK_HASH } = environment;
  const url = given ?? PEYK_URL ?? 'http://127.0.0.1:8080';
  if (more.length || !URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError('peyk mcp [URL]\n\nURL of the server, or PEYK_URL; http://127.0.0.1:8080 otherwise');
  if (!PEYK_KEY || !PEYK_HASH)
    throw new UsageError('peyk mcp needs PEYK_KEY and PEYK_HASH in its environment: key and hash of the API');
  const pair = Buffer.from(`${PEYK_KEY}:${PEYK_HASH}`).toString('base64');
  return { url: `${url.replace(/\/+$/, '')}/mcp`, authorization: `Basic ${pair}` };
}

/** The server asks the person through this process, if the client supports it. */
function passedOn({ canBeAsked, answers }: Person) {
  const capabilities = canBeAsked ? { elicitation: { form: {} } } : {};
  return { inputResponses: answers, _meta: { [capabilitiesKey]: capabilities } };
}

type Params = { name?: string; arguments?: unknown; inputResponses?: object; _meta?: Record<string, unknown> };
type Answered = { result?: object; error?: { message: string } };

async function ask({ url, authorization }: Place, method: string, params: Params): Promise<object> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelopeOf(params) } }),
    redirect: 'error',
    signal: AbortSignal.timeout(answerMaxMs),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`${url} answered ${answer.status}${answer.status === 401 ? ': key or hash is wrong' : ''}`);
  // The answer is one event of a stream, or JSON.
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Answered;
  if (!result) throw new Error(error?.message ?? `${url} gave an answer without a result`);
  return result;
}

/** The client that a request of the newer protocol version names. */
function envelopeOf({ _meta }: Params) {
  return {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'peyk mcp', version: programVersion() },
    [capabilitiesKey]: {},
    ..._meta,
  };
}
