// A customer's webhook server for tests and benches: records what it gets and answers well, late, wrongly or not at
// all, on request. `node dist/simulators/hook-receiver/main.js --port 2795`; it verifies nothing.
//   GET  /__calls?from=N   { count, calls: [{ no, path, headers, body, at }] }   the newest 50,000
//   POST /__mode           { "mode": "slow", "ms": 500 }    POST /__reset   forgets the calls
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

/** `first`: how many calls the mode lasts before answers are normal again; absent = until changed. */
type HookMode = (
  | { mode: 'ok' }
  | { mode: 'slow'; ms: number }
  | { mode: 'failing'; status: number }
  | { mode: 'redirect'; to: string }
  | { mode: 'close' }
  | { mode: 'hang' }
) & { first?: number };

export type HookCall = { no: number; path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type HookOptions = { port?: number; mode?: HookMode; tls?: { key: string; cert: string } };
export type HookReceiver = {
  url: string;
  port: number;
  calls: HookCall[];
  count(): number;
  setMode(mode: HookMode): void;
  reset(): void;
  stop(): Promise<void>;
};

const callsMax = 50_000;
const bodyBytesMax = 1024 * 1024;
const modes = ['ok', 'slow', 'failing', 'redirect', 'close', 'hang'];

type State = { mode: HookMode; calls: HookCall[]; count: number; timers: Set<NodeJS.Timeout> };

export async function startHookReceiver(options: HookOptions = {}): Promise<HookReceiver> {
  const state: State = { mode: options.mode ?? { mode: 'ok' }, calls: [], count: 0, timers: new Set() };
  const handle = (request: IncomingMessage, response: ServerResponse) => receive(request, response, state);
  const server: Server = options.tls ? createTlsServer(options.tls, handle) : createServer(handle);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    calls: state.calls,
    count: () => state.count,
    setMode(mode) {
      state.mode = mode;
    },
    reset: () => forget(state),
    stop: () =>
      new Promise(resolve => {
        for (const timer of state.timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forget(state: State): void {
  state.calls.length = 0;
  state.count = 0;
}

function receive(request: IncomingMessage, response: ServerResponse, state: State): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  });
  request.on('error', () => {});
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '/';
    if (path.startsWith('/__')) {
      finish(response, ...control(request.method ?? 'GET', path, body, state));
      return;
    }
    if (state.calls.length >= callsMax) state.calls.splice(0, callsMax / 2);
    state.calls.push({ no: ++state.count, path, headers: request.headers, body, at: Date.now() });
    answer(takeMode(state), request, response, state);
  });
}

function takeMode(state: State): HookMode {
  const { mode } = state;
  if (mode.first === undefined) return mode;
  state.mode = mode.first > 1 ? { ...mode, first: mode.first - 1 } : { mode: 'ok' };
  return mode;
}

function answer(mode: HookMode, request: IncomingMessage, response: ServerResponse, state: State): void {
  if (mode.mode === 'ok') finish(response, 200, 'ok\n');
  else if (mode.mode === 'failing') finish(response, mode.status, 'no\n');
  else if (mode.mode === 'redirect') {
    response.setHeader('location', mode.to);
    finish(response, 302, 'elsewhere\n');
  } else if (mode.mode === 'close') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half of', () => request.socket.destroy());
  } else if (mode.mode === 'slow') {
    const timer = setTimeout(() => {
      state.timers.delete(timer);
      finish(response, 200, 'ok\n');
    }, mode.ms);
    state.timers.add(timer);
  }
}

function control(method: string, path: string, body: string, state: State): [number, string] {
  const url = new URL(path, 'http://receiver.invalid');
  const operation = `${method} ${url.pathname}`;
  if (operation === 'GET /__calls') {
    const from = Number(url.searchParams.get('from') ?? 1);
    return [200, JSON.stringify({ count: state.count, calls: state.calls.filter(call => call.no >= from) })];
  }
  if (operation === 'POST /__reset') forget(state);
  else if (operation === 'POST /__mode') {
    const mode = readMode(body);
    if (!mode) return [400, `mode must be one of ${modes.join(', ')}\n`];
    state.mode = mode;
  } else return [404, 'no such control\n'];
  return [200, JSON.stringify({ mode: state.mode })];
}

function readMode(body: string): HookMode | null {
  try {
    const given = JSON.parse(body) as { mode?: string; ms?: number; status?: number; to?: string };
    if (!modes.includes(given.mode ?? '')) return null;
    return { ms: 1_000, status: 500, to: 'http://127.0.0.1:1/', ...given } as HookMode;
  } catch {
    return null;
  }
}

function finish(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.indexOf('--port');
  const receiver = await startHookReceiver({ port: at < 0 ? 2795 : Number(args[at + 1]) });
  const ready = { url: receiver.url };
  console.log(`hook-receiver ready ${JSON.stringify(ready)}`);
  const end = () => receiver.stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (process.send !== undefined) {
    process.once('disconnect', end);
    process.send(ready);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  run().catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
}
