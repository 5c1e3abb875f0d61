// Health and metrics on a port of their own, served by the first process: for nodes without the API, and for nodes
// whose API must not publish them. The answers are those of the API (health.ts).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { asText, type Counted } from '../metrics/metrics.ts';
import { type InsiderRules, insiderCheck } from './insiders.ts';
import { type Places, readiness } from './readiness.ts';

export type WatchParts = {
  places: Places;
  state(): { live: boolean; stalled: string[] };
  metrics(): Promise<Counted>;
  insiders: InsiderRules;
};

type Answer = { code: number; type?: string; body: string };
const nothing: Answer = { code: 404, body: '' };
const idleMaxMs = 10_000;

export async function openAdminListener(
  parts: WatchParts,
  host: string,
  port: number,
): Promise<{ close(): Promise<void> }> {
  const isInsider = insiderCheck(parts.insiders);
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const ip = request.socket.remoteAddress ?? '';
    const knows = isInsider({ ip, headers: request.headers });
    const place = places[request.url!.split('?')[0]!];
    return request.method === 'GET' && place ? place(parts, knows) : nothing;
  };
  const server = createServer((request, response) => {
    answer(request).then(
      answered => write(response, answered),
      () => write(response, { code: 503, body: '' }),
    );
  });
  server.setTimeout(idleMaxMs);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const json = (code: number, value: object): Answer => ({ code, type: 'application/json', body: JSON.stringify(value) });

const places: Record<string, (parts: WatchParts, isInsider: boolean) => Answer | Promise<Answer>> = {
  '/health/live'({ state }, isInsider) {
    const { live, stalled } = state();
    return json(live ? 200 : 503, isInsider ? { live, stalled } : { live });
  },
  async '/health/ready'({ places: databases }, isInsider) {
    const state = await readiness(databases, isInsider);
    return json(state.ready ? 200 : 503, state);
  },
  async '/metrics'({ metrics }, isInsider) {
    if (!isInsider) return nothing;
    return { code: 200, type: 'text/plain; version=0.0.4', body: await asText(await metrics()) };
  },
};

function write(response: ServerResponse, { code, type = 'text/plain', body }: Answer): void {
  response.writeHead(code, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
