/*
 * The second port: checks, journeys and people use it to see the phones, to write from them and to start faults. Every answer
 * except the page's own files is JSON, errors included; no request can end the process. Requests from foreign web pages are
 * refused, because a browser on the same machine would otherwise let any site write messages here.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Centre } from './centre.ts';
import { Events } from './events.ts';
import { FAULT_SECONDS_MAX, FAULT_SECONDS_USUAL, FAULTS, isFaultKind } from './faults.ts';
import { encodeInbound, INBOUND_PARTS_MAX } from './inbound.ts';
import { pageFile } from './page-files.ts';

const BODY_BYTES_MAX = 1_048_576;
const NEWEST_MAX = 200;
const WINDOW_MAX = 1_000_000;
const DELAY_MS_MAX = 600_000;
const REQUEST_WAIT_MS = 30_000;
const NUMBER = /^\+?(\d{3,15})$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/* A refusal that the caller sees as {"error": …} with this HTTP status. */
class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Body = Record<string, unknown>;
type Route = (centre: Centre, url: URL, body: Body) => unknown;

const ROUTES: Record<string, Route> = {
  'GET /messages': (centre, url) => {
    const to = url.searchParams.get('to');
    return to === null ? centre.phones.newest(NEWEST_MAX) : centre.phones.shownOn(to.trim().replace(/^\+/, ''));
  },
  'GET /stats': centre => centre.stats(),
  'GET /fault': centre => ({
    active: centre.stats().faults,
    kinds: Object.fromEntries(Object.entries(FAULTS).map(([kind, fault]) => [kind, fault.meaning])),
  }),
  'POST /fault': (centre, _url, body) => {
    if (!isFaultKind(body['kind'])) throw new HttpError(400, `kind is one of ${Object.keys(FAULTS).join(', ')}`);
    const seconds = bounded(body, 'seconds', FAULT_SECONDS_USUAL, FAULT_SECONDS_MAX);
    const delayMs = bounded(body, 'delayMs', 0, DELAY_MS_MAX);
    centre.beginFault(body['kind'], seconds, delayMs);
    return { ok: true, kind: body['kind'], seconds };
  },
  'GET /receipts': centre => waitsOf(centre),
  'POST /receipts': (centre, _url, body) => {
    centre.receipts.window = Math.ceil(bounded(body, 'window', 100, WINDOW_MAX)) || WINDOW_MAX;
    return waitsOf(centre);
  },
  'POST /inbound': async (centre, _url, body) => {
    const { text, systemId } = body;
    if (typeof text !== 'string' || text === '') throw new HttpError(400, 'text is missing');
    if (systemId !== undefined && typeof systemId !== 'string') throw new HttpError(400, 'systemId is a string');
    if (encodeInbound(text, 0) === null) throw new HttpError(400, `text needs more than ${INBOUND_PARTS_MAX} parts`);
    const from = number(body, 'from');
    const to = number(body, 'to');
    await centre.inbound(from, to, text, systemId).catch((error: Error) => {
      throw new HttpError(503, error.message);
    });
    return { ok: true };
  },
  'POST /reset': centre => {
    centre.reset();
    return { ok: true };
  },
};

function waitsOf({ receipts: { window, waits } }: Centre) {
  return { window, acknowledged: waits.count, p50Ms: waits.percentile(0.5), p99Ms: waits.percentile(0.99) };
}

export function createHttp(centre: Centre): { server: Server; stop(): Promise<void> } {
  const events = new Events(centre.phones);
  const server = createServer((request, response) => {
    serve(centre, events, request, response).catch((error: unknown) => fail(response, error));
  });
  server.requestTimeout = REQUEST_WAIT_MS;
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    const body = '{"error":"bad request"}';
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return {
    server,
    stop: async () => {
      events.stop();
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(centre: Centre, events: Events, request: IncomingMessage, response: ServerResponse) {
  const url = locate(request);
  if (request.method === 'GET' && url.pathname === '/events') {
    if (!events.add(response)) throw new HttpError(503, 'too many watchers');
    return;
  }
  const file = request.method === 'GET' ? await pageFile(url.pathname) : undefined;
  if (file !== undefined) {
    response.writeHead(200, file.headers).end(file.content);
    return;
  }
  const route = Object.hasOwn(ROUTES, `${request.method} ${url.pathname}`)
    ? ROUTES[`${request.method} ${url.pathname}`]
    : undefined;
  if (route === undefined) throw new HttpError(404, 'no such address');
  const body = request.method === 'POST' ? await readBody(request) : {};
  answer(response, 200, await route(centre, url, body));
}

/* Only this machine by name (DNS rebinding), and no other site's page (Origin). */
function locate(request: IncomingMessage): URL {
  const host = request.headers.host ?? '';
  if (!LOOPBACK_HOST.test(host)) throw new HttpError(403, 'this address serves the local machine only');
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`)
    throw new HttpError(403, 'requests of other sites are refused');
  const base = `http://${host}`;
  if (!URL.canParse(request.url ?? '/', base)) throw new HttpError(400, 'the address is not readable');
  return new URL(request.url ?? '/', base);
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new HttpError(413, 'the body is larger than 1 MB');
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'the body is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new HttpError(400, 'the body is not a JSON object');
  return parsed as Body;
}

function bounded(body: Body, name: string, usual: number, max: number): number {
  const value = body[name] ?? usual;
  if (typeof value !== 'number' || !(value >= 0 && value <= max))
    throw new HttpError(400, `${name} is a number from 0 to ${max}`);
  return value;
}

function number(body: Body, name: string): string {
  const value = body[name];
  const match = typeof value === 'string' || typeof value === 'number' ? NUMBER.exec(String(value)) : null;
  if (match === null) throw new HttpError(400, `${name} is a number of 3 to 15 digits`);
  return match[1]!;
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(JSON.stringify(value));
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const known = error instanceof HttpError;
  if (!known) console.error('smsc http', error);
  response.setHeader('connection', 'close');
  answer(response, known ? error.status : 500, { error: known ? error.message : 'internal error' });
}
