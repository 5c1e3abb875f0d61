// The process of a node where customers bind over SMPP.

import { AcceptQueue } from '../accept/accept-queue.ts';
import { canonicalAddress } from '../accounts/address.ts';
import { ApiCallLog } from '../accounts/api-calls.ts';
import { ApiUsage } from '../accounts/api-usage.ts';
import { RefusalLog } from '../accounts/refusals.ts';
import { type CellPart, CellParts } from '../cells/cell-parts.ts';
import { home } from '../cells/directory.ts';
import { followDatabaseClock } from '../db/database-clock.ts';
import { type Connection, openPool } from '../db/db.ts';
import { statementLimits } from '../db/statement-limits.ts';
import { onNetworks } from '../http/networks.ts';
import { gauge } from '../metrics/metrics.ts';
import { OrderTraces } from '../orders/traces.ts';
import { FailoverCheck } from '../queue/failover-check.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { followTlsPair, readTlsPair } from '../settings/tls-files.ts';
import { closeAfterMs } from '../settle/close.ts';
import { Acceptance } from '../smpp-server/acceptance.ts';
import { findLoginInCells } from '../smpp-server/cell-logins.ts';
import { Deliverer } from '../smpp-server/deliverer.ts';
import { LiveBinds } from '../smpp-server/live-binds.ts';
import { startCustomerServer } from '../smpp-server/server.ts';
import { tracing } from '../tracing/tracer.ts';
import { poolSizes } from './connections.ts';
import type { Child, Running } from './running.ts';
import { startTasks } from './tasks.ts';

/** How long a stop waits for customers to unbind and for their pending answers. */
const unbindMs = 2_000;

export async function startSmpp(child: Child): Promise<Running> {
  const { config, log, task } = child;
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const parts = await openSmppParts(task.connection, home, { config, log });
  const clock = await followDatabaseClock(parts.db, log);
  const tasksIn = (cell: number, { db }: CellPart, connection: Connection) =>
    startTasks(['smpp'], { db, connection, config, key, log, cell, cells });
  const cells: CellParts<SmppParts> = new CellParts(parts, {
    homeDb: parts.db,
    key,
    log,
    async open(connection, cell) {
      const there = await openSmppParts(connection, cell, { config, log });
      const tasks = await tasksIn(cell, there, connection);
      return { ...there, stop: () => tasks.stop().then(there.stop) };
    },
  });
  await cells.start();
  const tasks = await tasksIn(home, parts, task.connection);
  const files = { cert: config.PEYK_TLS_CERT, key: config.PEYK_TLS_KEY };
  const isSecure = config.PEYK_SMPP_TLS_PORT !== null;
  const server = await startCustomerServer(parts, {
    key,
    host: config.PEYK_SMPP_HOST,
    port: config.PEYK_SMPP_PORT,
    tlsPort: config.PEYK_SMPP_TLS_PORT,
    tls: isSecure ? readTlsPair(files) : null,
    findLogin: findLoginInCells(cells),
    ...(config.PEYK_SMPP_PROXY_PROTOCOL ? { isProxy: proxiesOf(config.PEYK_TRUSTED_PROXIES) } : {}),
  });
  const certificate = isSecure
    ? followTlsPair(files, log, pair => {
        server.renew(pair);
        gauge('peyk_certificate_ends_seconds').set(pair.validTo.getTime() / 1_000);
      })
    : null;
  return {
    async stop() {
      certificate?.stop();
      await server.close(unbindMs);
      await Promise.all([tasks.stop(), cells.stop(), clock.stop()]);
      await parts.stop();
    },
  };
}

function proxiesOf(list: string[]): (address: string) => boolean {
  const isOn = onNetworks(list);
  return address => isOn(canonicalAddress(address) ?? address);
}

type SmppParts = Awaited<ReturnType<typeof openSmppParts>>;

/** What serves the customers of one cell. */
async function openSmppParts(connection: Connection, cell: number, { config, log }: Pick<Child, 'config' | 'log'>) {
  const onError = (error: Error) => log.warn({ cell, error: error.message }, 'database connection lost');
  const failover = new FailoverCheck(log, { leases: false });
  const limit = statementLimits.call;
  const db = openPool(connection, { max: poolSizes.smpp, name: 'peyk smpp', onError, limit, first: failover.look });
  const closeMs = closeAfterMs(config.PEYK_VALIDITY_SECONDS, config.PEYK_RECEIPT_GRACE_SECONDS);
  const orders = new AcceptQueue(db, closeMs);
  failover.missing = client => orders.lost(client);
  const traces = tracing.now ? { traces: new OrderTraces(db, log) } : {};
  const refusals = new RefusalLog(db, log);
  const logs = { refusals, usage: new ApiUsage(db, log), calls: new ApiCallLog(db, log), ...traces };
  const live = new LiveBinds(db, log);
  const deliverer = new Deliverer(db, log, live.nodeId);
  await live.start().catch(async error => {
    await db.end();
    throw error;
  });
  deliverer.start();
  return {
    ...{ db, log, live, deliverer, acceptance: new Acceptance(db, orders), ...logs },
    async stop() {
      await deliverer.stop();
      await live.stop();
      await Promise.all(Object.values(logs).map(one => one.flush()));
      await db.end();
    },
  };
}
