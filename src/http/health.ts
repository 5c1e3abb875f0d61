// Liveness means progress: every loop of every process of this node has made a round lately. Readiness means that orders can
// be stored: the database answers, and it is not a copy that only reads.
import type { FastifyInstance } from 'fastify';
import { type Db, row, sql } from '../db/db.ts';

export type NodeState = { live: boolean; stalled: string[] };

// `on` in a standby and where an administrator forbade writing.
const ping = sql<{ writes: boolean }>('health ping')`select current_setting('transaction_read_only') = 'off' as writes`;
const pingMaxMs = 2_000;

export function addHealth(
  server: FastifyInstance,
  db: Db,
  nodeState: () => NodeState,
  metrics: () => Promise<string>,
): void {
  server.get('/health/live', (_request, reply) => {
    const state = nodeState();
    return reply.code(state.live ? 200 : 503).send({ live: state.live, stalled: state.stalled });
  });
  server.get('/health/ready', async (_request, reply) => {
    const ready = await writesInTime(db);
    return reply.code(ready ? 200 : 503).send({ ready });
  });
  server.get('/metrics', async (_request, reply) => reply.type('text/plain; version=0.0.4').send(await metrics()));
}

async function writesInTime(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), pingMaxMs);
  });
  const answer = row(db, ping).then(
    found => found!.writes,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
