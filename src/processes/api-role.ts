// The API worker: an HTTP server over the operation table.
import { join } from 'node:path';
import { SlowDown } from '../accounts/slow-down.ts';
import { createCellsAuthenticate } from '../cells/authenticate.ts';
import { CellParts } from '../cells/cell-parts.ts';
import { home } from '../cells/directory.ts';
import { followDatabaseClock } from '../db/database-clock.ts';
import type { Connection } from '../db/db.ts';
import { programVersion, projectRoot } from '../db/version.ts';
import { addCarrierCallbacks } from '../http/carrier-callbacks.ts';
import { addDocs } from '../http/docs.ts';
import { addHealth, type NodeState } from '../http/health.ts';
import { addMcp } from '../http/mcp.ts';
import { addPanel } from '../http/panel.ts';
import { addReference } from '../http/reference/reference.ts';
import { addRegistryPush } from '../http/registry-push.ts';
import { createServer } from '../http/server.ts';
import { openTlsListener, type TlsListenerOptions } from '../http/tls-listener.ts';
import type { Counted } from '../metrics/metrics.ts';
import { loadSecretKey } from '../sealing/secrets.ts';
import { createIdentityCheck } from '../senders/identity-check.ts';
import { startCallbackHandler } from '../sending/http/callback-handler.ts';
import { closeAfterMs } from '../settle/close.ts';
import { openApiParts } from './api-parts.ts';
import type { Child, Running } from './running.ts';

const metricsMaxMs = 5_000;

export async function startApi(child: Child): Promise<Running> {
  const { config, log, task } = child;
  const closeMs = closeAfterMs(config.PEYK_VALIDITY_SECONDS, config.PEYK_RECEIPT_GRACE_SECONDS);
  const key = loadSecretKey(config.PEYK_DATA, config.PEYK_SECRET_KEY);
  const open = (connection: Connection, cell: number) => openApiParts(connection, cell, log, closeMs);
  const atHome = open(task.connection, home);
  const { db, orders } = atHome;
  const clock = await followDatabaseClock(db, log);
  const cells = new CellParts(atHome, { homeDb: db, key, log, open });
  await cells.start();
  const slowDown = new SlowDown(name => child.send({ type: 'auth-failure', name }));
  const services = { ...atHome, authenticate: createCellsAuthenticate(cells), slowDown, cells, log };
  const server = createServer(services, { trustedProxies: config.PEYK_TRUSTED_PROXIES });
  let state: NodeState = { live: true, stalled: [] };
  child.onMessage(message => {
    if (message.type === 'node') state = { live: message.live, stalled: message.stalled };
    else if (message.type === 'auth-failure') slowDown.hear(message.name);
  });
  const metrics = askMetrics(child);
  addHealth(
    server,
    () => cells.places(),
    () => state,
    metrics,
    {
      addresses: config.PEYK_METRICS_ADDRESSES,
      token: config.PEYK_METRICS_TOKEN,
      hasTrustedProxies: config.PEYK_TRUSTED_PROXIES.length > 0,
    },
  );
  addReference(server, { publicUrl: config.PEYK_PUBLIC_URL, version: programVersion() });
  addDocs(server, join(projectRoot(), 'dist', 'docs'));
  addMcp(server, services);
  addRegistryPush(server, { db, cells, log, config });
  const callbacks = startCallbackHandler(db, key, log);
  addCarrierCallbacks(server, callbacks, config.PEYK_PUBLIC_URL);
  addPanel(server, join(projectRoot(), 'panel', 'dist'), {
    db,
    orders,
    cells,
    key,
    log,
    metrics: metrics,
    traces: atHome.traces,
    identity: createIdentityCheck(config.PEYK_IDENTITY_URL),
    options: {
      allowPrivateWebhooks: config.PEYK_ALLOW_PRIVATE_WEBHOOKS,
      operatorCode: config.PEYK_OPERATOR_CODE,
      retentionDays: config.PEYK_RETENTION_DAYS,
      staffSecondFactor: config.PEYK_STAFF_SECOND_FACTOR,
      publicUrl: config.PEYK_PUBLIC_URL,
      smpp: { port: config.PEYK_SMPP_PORT, tlsPort: config.PEYK_SMPP_TLS_PORT },
    },
  });
  await server.listen({ host: config.PEYK_HOST, port: config.PEYK_PORT });
  const secure = config.PEYK_TLS_CERT ? await openTlsListener(server, tlsOptions(child)) : null;
  const address = server.server.address();
  return {
    ...(address && typeof address === 'object' ? { port: address.port } : {}),
    async stop() {
      await Promise.all([server.close(), secure?.close()]);
      await callbacks.stop();
      await clock.stop();
      await cells.stop();
      await atHome.stop();
    },
  };
}

function tlsOptions({ config, log }: Child): TlsListenerOptions {
  const files = { cert: config.PEYK_TLS_CERT, key: config.PEYK_TLS_KEY };
  return { host: config.PEYK_TLS_HOST, port: config.PEYK_TLS_PORT, files, log };
}

/** Only the first process knows the metrics of all processes; the worker asks it over the channel. */
function askMetrics(child: Child): () => Promise<Counted> {
  let last = 0;
  const waiting = new Map<number, (metrics: Counted) => void>();
  child.onMessage(message => {
    if (message.type !== 'metrics') return;
    waiting.get(message.id)?.(message.metrics);
    waiting.delete(message.id);
  });
  return () =>
    new Promise(resolve => {
      const id = ++last;
      const timer = setTimeout(() => resolve([]), metricsMaxMs);
      waiting.set(id, metrics => {
        clearTimeout(timer);
        resolve(metrics);
      });
      child.send({ type: 'metrics-wanted', id });
    });
}
