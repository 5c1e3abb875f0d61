// The HTTP side of the simulator: reads the body, applies faults, and writes the answer. Only node:http, on loopback.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdding } from './adding.ts';
import { type Answer, refuse } from './answers.ts';
import { control } from './control.ts';
import { createFaults } from './faults.ts';
import { createGate } from './gate.ts';
import { createIdentity, type IdentityAnswer } from './identity.ts';
import { createPush } from './push.ts';
import { changeSettings, defaultSettings, type Settings } from './settings.ts';
import { createStore } from './store.ts';
import { createTokens } from './tokens.ts';

// 1,000 records of a batch are about 250 KB.
const bodyBytesMax = 4 * 1024 * 1024;
const connectionsMax = 500;
const loopback = ['127.0.0.1', '::1', 'localhost'];

export type RegistryOptions = Partial<Settings> & {
  port: number;
  host?: string;
  /** Only this login gets a token; by default any does. */
  login?: { username: string; password: string };
  /** For tests. */
  now?: () => number;
};
export type Registry = { port: number; url: string; stop(): Promise<void> };

export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { port, host = '127.0.0.1', login = null, now = Date.now, ...wanted } = options;
  if (!loopback.includes(host)) throw new Error('the registry simulator listens on loopback only');
  const settings = defaultSettings();
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const problem = changeSettings(settings, given);
  if (problem !== null) throw new Error(problem);

  const world = createWorld(settings, login, now);
  const open: Open = { sockets: new Set(), timers: new Set() };
  const server = createServer((request, response) => {
    handle(request, response, world, open).catch(() => response.destroy());
  });
  server.on('connection', socket => {
    open.sockets.add(socket);
    socket.on('close', () => open.sockets.delete(socket));
  });
  server.maxConnections = connectionsMax;
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const chosen = (server.address() as AddressInfo).port;
  return {
    port: chosen,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    stop: () =>
      new Promise(resolve => {
        for (const timer of open.timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Login = { username: string; password: string } | null;
type Open = { sockets: Set<Socket>; timers: Set<NodeJS.Timeout> };
type Everything = ReturnType<typeof createWorld>;

function createWorld(settings: Settings, login: Login, now: () => number) {
  const tally = { records: 0, duplicates: 0, refused: {} };
  const pushTally = { sent: 0, failed: 0 };
  const stats = { requests: {}, answers: {} as Record<string, number> };
  const store = createStore();
  const faults = createFaults(now);
  const adding = createAdding(store, tally);
  const push = createPush(settings, pushTally, now);
  const base = { store, adding, push, settings };
  const gate = createGate(base, createTokens(settings, login), faults, stats, now);
  return { ...base, identity: createIdentity(now), faults, gate, stats, tally, pushTally, now };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  world: Everything,
  open: Open,
): Promise<void> {
  const text = await readBody(request);
  const url = new URL(request.url ?? '/', 'http://registry.invalid');
  const method = request.method ?? 'GET';
  if (text === null) return write(response, refuse('H092'));
  if (url.pathname.startsWith('/control/')) {
    write(response, control(method, url.pathname, url.searchParams, text, world));
    // The fault `drop` also closes open connections, except the one that asked for it.
    if (world.faults.isOn('drop')) for (const socket of open.sockets) if (socket !== request.socket) socket.destroy();
    return;
  }
  if (world.faults.isOn('drop')) return void response.destroy();
  if (url.pathname.startsWith('/identity'))
    return show(response, world.identity(method, url.pathname, url.searchParams, text));

  const { authorization } = request.headers;
  const incoming = { method, path: url.pathname, query: url.searchParams, authorization, text };
  const answer = await world.gate.answer(incoming);
  const status = String(answer?.http ?? 404);
  world.stats.answers[status] = (world.stats.answers[status] ?? 0) + 1;
  if (world.faults.isOn('accept-then-drop')) return void response.destroy();
  if (world.faults.isOn('slow')) await late(world.faults.lateMs(), open.timers);
  if (world.faults.isOn('bad-json')) return writeText(response, 200, '<html>{"errors": [');
  write(response, answer ?? { http: 404, body: { errors: [{ message: 'Böyle bir yol yok' }] } });
}

function late(ms: number, timers: Set<NodeJS.Timeout>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      resolve();
    }, ms);
    timers.add(timer);
  });
}

/** null if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes > bodyBytesMax ? null : Buffer.concat(chunks).toString('utf8');
}

/** Pages and redirects are for browsers; the rest of the simulator speaks JSON. */
function show(response: ServerResponse, given: IdentityAnswer): void {
  if (given.kind === 'json') return write(response, given.answer);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  if (given.kind === 'go') response.writeHead(303, { location: given.to }).end();
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(given.html);
}

function write(response: ServerResponse, { http, body }: Answer): void {
  writeText(response, http, body === undefined ? '' : JSON.stringify(body));
}

function writeText(response: ServerResponse, http: number, text: string): void {
  response.statusCode = http;
  if (text !== '') response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(text);
}
