// The parts of an API worker for each cell: a pool, the accept queue, and the logs of calls.

import { AcceptQueue } from '../accept/accept-queue.ts';
import { ApiCallLog } from '../accounts/api-calls.ts';
import { ApiUsage } from '../accounts/api-usage.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { type Connection, openPool } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import type { Log } from '../log.ts';
import { OrderTraces } from '../orders/traces.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { tracing } from '../tracing/tracer.ts';
import { poolSizes } from './connections.ts';

export function openApiParts(connection: Connection, cell: number, log: Log, closeAfterMs: number) {
  const onError = (error: Error) => log.warn({ cell, error: error.message }, 'database connection lost');
  const failover = new FailoverCheck(log, { leases: false });
  const limit = statementLimits.call;
  const db = openPool(connection, { max: poolSizes.api, name: 'peyk api', onError, limit, first: failover.look });
  const orders = new AcceptQueue(db, closeAfterMs);
  failover.missing = client => orders.lost(client);
  const logs = { refusals: new RefusalLog(db, log), usage: new ApiUsage(db, log), calls: new ApiCallLog(db, log) };
  const traces = tracing.now ? { traces: new OrderTraces(db, log) } : {};
  return {
    db,
    orders,
    authenticate: createAuthenticate(db),
    ...logs,
    ...traces,
    async stop() {
      await Promise.all([...Object.values(logs), ...Object.values(traces)].map(one => one.flush()));
      await db.end();
    },
  };
}
