// The largest number of connections that a node's processes open to one database: pools, and one each to listen. The nodes of
// an installation share the server's max_connections.
import { rowsMax } from '../receipts/inbox.ts';
import type { Config } from '../settings/config.ts';

export const poolSizes = {
  first: 2,
  api: 8,
  dispatch: 8,
  /** One for each lane and one for marks. */
  leases: 3,
  receipts: rowsMax,
  background: 8,
  smpp: 8,
  /** To each other cell, for what arrived at the wrong one. */
  cells: 2,
} as const;

const listening = 1;

export function connectionsOfNode({ PEYK_ROLES: roles, PEYK_WORKERS: workers }: Config): number {
  const has = (...names: Config['PEYK_ROLES']) => names.some(one => roles.includes(one));
  return (
    poolSizes.first +
    (has('api') ? workers * (poolSizes.api + listening) : 0) +
    (has('dispatch') ? poolSizes.dispatch + poolSizes.leases + poolSizes.receipts + listening : 0) +
    (has('webhooks', 'consent') ? poolSizes.background + listening : 0) +
    (has('smpp') ? poolSizes.smpp + listening : 0)
  );
}
