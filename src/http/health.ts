// Liveness means progress: every loop of every process of this node has made a round lately. Readiness means that
// orders can be stored: the database answers and is not read-only. Everybody may read both; names and metrics are for
// insiders only.
import type { FastifyInstance } from 'fastify';
import { asText, type Counted } from '../metrics/metrics.ts';
import { type InsiderRules, insiderCheck } from './insiders.ts';
import { type Places, readiness } from './readiness.ts';
import { send } from './serve.ts';

export type NodeState = { live: boolean; stalled: string[] };

export function addHealth(
  server: FastifyInstance,
  places: Places,
  nodeState: () => NodeState,
  metrics: () => Promise<Counted>,
  insiders: InsiderRules,
): void {
  const isInsider = insiderCheck(insiders);
  server.get('/health/live', (request, reply) => {
    const { live, stalled } = nodeState();
    return reply.code(live ? 200 : 503).send(isInsider(request) ? { live, stalled } : { live });
  });
  server.get('/health/ready', async (request, reply) => {
    const state = await readiness(places, isInsider(request));
    return reply.code(state.ready ? 200 : 503).send(state);
  });
  server.get('/metrics', async (request, reply) => {
    if (!isInsider(request)) return send(reply, 404);
    return reply.type('text/plain; version=0.0.4').send(await asText(await metrics()));
  });
}
