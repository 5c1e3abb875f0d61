// The cells beside the home that this node works for: one dispatcher and one process for background work for each of them, started
// when the cell appears in the directory. One that cannot be reached is tried again and keeps nobody waiting.
import { membershipOf, readCells } from '../cells/directory.ts';
import { type Config, ConfigError, type Role } from '../config.ts';
import type { Db } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';
import type { SecretKey } from '../secrets.ts';
import type { Fleet } from './fleet.ts';
import type { ChildRole } from './messages.ts';

const lookMs = 2_000;

type Parts = { db: Db; key: SecretKey; config: Config; log: Log; fleet: Fleet };

export async function serveCells({ db, key, config, log, fleet }: Parts): Promise<{ stop(): Promise<void> }> {
  const served = new Set<number>();
  const roles = rolesOfCell(config);
  const look = async () => {
    for (const { id, connection } of await readCells(db, key)) {
      if (!connection || served.has(id) || !servesCell(config, id)) continue;
      try {
        await migrate(connection, log);
        served.add(id);
        fleet.add(roles.map(role => ({ role, connection, cell: id })));
      } catch (error) {
        log.error({ cell: id, error: (error as Error).message }, 'cell not served yet');
      }
    }
    return lookMs;
  };
  if (roles.length === 0) return { stop: async () => {} };
  await look();
  return startLoop('cells served', log, look);
}

export function servesCell({ PEYK_CELLS }: Config, cell: number): boolean {
  return PEYK_CELLS === 'all' || PEYK_CELLS.includes(cell);
}

/** What a node has a process for in each cell that it serves. */
export function rolesOfCell({ PEYK_ROLES }: Config): ChildRole[] {
  const has = (role: Role) => PEYK_ROLES.includes(role);
  return [
    ...(has('dispatch') ? ['dispatch' as const] : []),
    ...(has('webhooks') || has('consent') ? ['background' as const] : []),
  ];
}

/** A program over a cell would open accounts that its home does not know of. */
export async function requireHome(db: Db): Promise<void> {
  const cell = await membershipOf(db);
  if (cell)
    throw new ConfigError(
      `DATABASE_URL is cell ${cell.id} of another database: give the address of its home; PEYK_CELLS says which cells a node works for`,
    );
}
