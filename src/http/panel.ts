// The panel over HTTP: its operations, downloads, uploads, and the files of the browser side. Requests that change
// something must come from our own pages: they carry a header that no other site can send, and the browser names their
// origin.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { panelRequestsTotal } from '../metrics/metrics.ts';
import { answerPanel, type PanelAnswer, type PanelRequest, renderRefusal } from '../panel-api/call/call.ts';
import type { Cookie, PanelServices } from '../panel-api/call/context.ts';
import { downloadDocument, exportList, fetchExport, uploadDocument } from '../panel-api/call/files.ts';
import type { OperationName } from '../panel-api/contract/contract.ts';
import { panelHeader } from '../panel-api/contract/facts.ts';
import { PanelRefusal } from '../panel-api/words/errors.ts';
import { findSession } from '../people/sessions.ts';
import { exportRequest } from '../tracing/request-span.ts';
import { beginTrace, tracing } from '../tracing/tracer.ts';
import { mayBeLarge } from './body.ts';
import { PanelFiles } from './panel-files.ts';
import { type Carrying, oneOf } from './serve.ts';

// A HEAD request must not create a file and record its download.
const noHead = { exposeHeadRoute: false };
const cookieName = 'peyk_session';
const cookieSeconds = 30 * 24 * 3_600;
/** Identifies a browser that requested a code by SMS. */
const askerCookie = 'peyk_asker';
const askerSeconds = 3_600;

export function addPanel(server: FastifyInstance, distFolder: string, parts: Omit<PanelServices, 'version'>): void {
  const files = new PanelFiles(distFolder);
  const services: PanelServices = { ...parts, version: files.version };
  const onRequest = knownSendersOnly(services);
  server.post<{ Params: { operation: string } }>('/panel/api/:operation', { onRequest }, async (request, reply) => {
    if (!isOurs(request, true)) return refuse(services, reply, 'csrf', new PanelRefusal('cross-site'));
    const answer = await answerTraced(services, request.params.operation, request);
    setCookie(services, request, reply, answer.cookie);
    return sendJson(reply, answer.status, answer.body);
  });

  server.get<{ Params: { kind: string } }>('/panel/api/export/:kind', noHead, (request, reply) =>
    guarded(services, request, reply, 'export', false, async () => {
      const query = request.query as Record<string, string>;
      const file = await exportList(services, request.params.kind, query, requestOf(services, request));
      attach(reply, file.fileName, file.type);
      return reply.send(Buffer.isBuffer(file.body) ? file.body : Readable.from(file.body));
    }),
  );

  server.get<{ Params: { id: string } }>('/panel/api/export-file/:id', noHead, (request, reply) =>
    guarded(services, request, reply, 'export', false, async () => {
      const file = await fetchExport(services, idOf(request.params.id), requestOf(services, request));
      attach(reply, file.fileName, file.type);
      return reply.send(Buffer.isBuffer(file.body) ? file.body : Readable.from(file.body));
    }),
  );

  server.post('/panel/api/upload', { onRequest }, (request, reply) =>
    guarded(services, request, reply, 'upload', true, async () => {
      const file = { fileName: fileNameOf(request), kind: String(request.headers['x-peyk-document-kind'] ?? '') };
      const data = await uploadDocument(services, file, requestOf(services, request));
      return sendJson(reply, 200, { ok: true, data });
    }),
  );

  server.get<{ Params: { id: string } }>('/panel/api/document/:id', (request, reply) =>
    guarded(services, request, reply, 'document', false, async () => {
      const found = await downloadDocument(services, idOf(request.params.id), requestOf(services, request));
      attach(reply, found.name, found.type);
      return reply.send(found.content);
    }),
  );

  // The router treats both spellings of the first page as one; relative addresses in it need the slash.
  server.get('/panel', (request, reply) => {
    const path = pathOf(request);
    return path.endsWith('/') ? files.send(path, reply) : reply.redirect('/panel/', 302);
  });
  server.get('/panel/*', (request, reply) => files.send(pathOf(request), reply));
}

async function answerTraced(services: PanelServices, name: string, request: FastifyRequest): Promise<PanelAnswer> {
  const began = performance.now();
  const trace = tracing.now && beginTrace(oneOf(request.headers['traceparent']));
  const answer = await answerPanel(services, name, requestOf(services, request));
  const seconds = (performance.now() - began) / 1_000;
  const orderIds = submits.has(name) ? ordersIn(answer) : [];
  if (trace) exportRequest(services.traces, trace, { name, seconds, code: answer.status, orderIds });
  return answer;
}

const submits = new Set<string>(['send.submit', 'drafts.submit'] satisfies OperationName[]);

function ordersIn({ body }: PanelAnswer): number[] {
  const { orderId, orderIds = [] } = (body.ok ? body.data : {}) as { orderId?: number; orderIds?: number[] };
  return orderId === undefined ? orderIds : [orderId];
}

/** A large body is read only for a signed-in caller, which the headers show; bodies of others must be small. */
function knownSendersOnly(services: PanelServices) {
  return async (request: Carrying, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (!mayBeLarge(request.raw)) return undefined;
    try {
      const session = await findSession(services.db, readCookie(request.headers.cookie), request.ip);
      if (!session) throw new PanelRefusal('signed-out');
      request.isKnown = true;
      return undefined;
    } catch (error) {
      return refuse(services, reply, 'body', error);
    }
  };
}

function idOf(given: string): number {
  return /^\d{1,15}$/.test(given) ? Number(given) : 0;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0]!;
}

async function guarded(
  services: PanelServices,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  changes: boolean,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    if (!isOurs(request, changes)) throw new PanelRefusal('cross-site');
    return await work();
  } catch (error) {
    return refuse(services, reply, name, error);
  }
}

function refuse(services: PanelServices, reply: FastifyReply, name: string, error: unknown): FastifyReply {
  const { status, error: shown } = renderRefusal(services, name, error);
  return sendJson(reply, status, { ok: false, error: shown });
}

/** Neither a form nor a foreign script can set our header; the other two are set by the browser, if it sends them. */
function isOurs(request: FastifyRequest, changes: boolean): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && (changes || site !== 'none')) return false;
  if (!changes) return true;
  if (request.headers[panelHeader.name.toLowerCase()] !== panelHeader.value) return false;
  const { origin } = request.headers;
  if (origin === undefined || site === 'same-origin') return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

function requestOf({ options }: PanelServices, request: FastifyRequest): PanelRequest {
  return {
    token: readCookie(request.headers.cookie),
    visitor: {
      address: request.ip,
      agent: request.headers['user-agent'] ?? '',
      asker: readCookie(request.headers.cookie, askerCookie),
    },
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    baseUrl: options.publicUrl || `${request.protocol}://${request.host}`,
  };
}

function readCookie(header: string | undefined, wanted = cookieName): string {
  for (const pair of header?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted) return value ?? '';
  }
  return '';
}

function setCookie(
  { options }: PanelServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, asker }: Cookie,
): void {
  // Behind a proxy that ends TLS the request itself looks unencrypted.
  const secure = request.protocol === 'https' || options.publicUrl.startsWith('https:') ? '; Secure' : '';
  const keep = (name: string, value: string, seconds: number) =>
    reply.header('set-cookie', `${name}=${value}; Path=/panel; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`);
  if (asker !== undefined) keep(askerCookie, asker, askerSeconds);
  if (token !== undefined) keep(cookieName, token ?? '', token === null ? 0 : cookieSeconds);
}

function fileNameOf(request: FastifyRequest): string {
  const given = request.headers['x-peyk-file-name'];
  try {
    return decodeURIComponent(typeof given === 'string' ? given : '');
  } catch {
    return '';
  }
}

/** Always as a download: an uploaded file must never run as a page of ours. */
function attach(reply: FastifyReply, name: string, type: string): void {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff');
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  panelRequestsTotal.inc({ code: String(status) });
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(JSON.stringify(body));
}
