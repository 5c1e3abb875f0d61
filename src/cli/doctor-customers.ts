// Findings that matter once a real carrier sends for real customers; in a trial installation they are not faults.
import { listCarriers, simulatorName } from '../carriers/carriers.ts';
import { announcedRegistry } from '../consent/sync/state.ts';
import { type Db, row, sql } from '../db/db.ts';
import { connectionsOfNode } from '../processes/connections.ts';
import type { Config } from '../settings/config.ts';

type Look = { db: Db; config: Config; given: ReadonlySet<string> };

const roomSql = sql<{ most: number; others: number }>('doctor connection room')`
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
    (select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and application_name not like 'peyk %') as others`;

export async function readyForCustomers({ db, config, given }: Look) {
  const real = (await listCarriers(db)).filter(one => !one.paused && one.name !== simulatorName);
  if (real.length === 0) return { saw: 'no real carrier', wrong: [] };
  const names = real.map(one => one.name).join(', ');
  const hasRegistry = config.PEYK_REGISTRY_URL !== '' && config.PEYK_REGISTRY_URL !== (await announcedRegistry(db));
  const { most, others } = (await row(db, roomSql))!;
  const needed = connectionsOfNode(config);
  const warnings = [
    config.PEYK_BACKUP === '' && 'there is no backup by Peyk: PEYK_BACKUP is not set',
    !hasRegistry && 'consents are checked at no registry: PEYK_REGISTRY_URL is not set',
    !given.has('PEYK_OPERATOR_CODE') &&
      `PEYK_OPERATOR_CODE is the default, ${config.PEYK_OPERATOR_CODE}: every SMS ends with it`,
    isOpen(config) &&
      `PEYK_HOST is ${config.PEYK_HOST}, and neither PEYK_TLS_CERT nor PEYK_TRUSTED_PROXIES is set: keys travel in clear`,
    needed > most - others &&
      `this node may open ${needed} connections, and the server has room for ${Math.max(0, most - others)} (max_connections)`,
  ].filter(one => one !== false);
  return { saw: `${names} sends; ${warnings.length} warnings`, wrong: [], warnings };
}

// Addresses of this machine or of a private network.
const insidePattern = /^(localhost$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe80:)/i;

function isOpen({
  PEYK_HOST: host,
  PEYK_TLS_CERT: cert,
  PEYK_TRUSTED_PROXIES: proxies,
  PEYK_ROLES: roles,
}: Config): boolean {
  return roles.includes('api') && cert === '' && proxies.length === 0 && !insidePattern.test(host);
}
