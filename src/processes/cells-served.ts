// The cells besides the home that this node works for. Each gets a dispatcher and a background process, started when the cell
// appears in the directory and ended when it is removed. A cell that cannot be reached is retried without delaying the others.
import { home, membershipOf, readCells } from '../cells/directory.ts';
import { onceThere } from '../db/away.ts';
import { type Connection, type Db, openPool } from '../db/db.ts';
import { migrate } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import { inTime } from '../loops/in-time.ts';
import { startLoop } from '../loops/loop.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { type Config, ConfigError, type Role } from '../settings/config.ts';
import type { Fleet } from './fleet.ts';
import type { ChildRole } from './messages.ts';

const lookMs = 2_000;
/** A cell that hangs does not keep the home waiting any longer. */
const firstMaxMs = 5_000;

type Parts = { db: Db; key: SecretKey; config: Config; log: Log; stopping: AbortSignal };

/** `places`: the home and every cell of this node, reachable or not; for metrics. `served`: null if it cannot be read. */
export type ServedCells = {
  places(): [cell: number, db: Db][];
  served(): [cell: number, db: Db | null][];
  /** Starts their processes, also those of cells that are served later. */
  work(fleet: Fleet): void;
  stop(): Promise<void>;
};

/** Returns when every cell was migrated or refused once, or after some seconds: API workers that start before that answer its accounts 503. */
export async function serveCells({ db, key, config, log, stopping }: Parts): Promise<ServedCells> {
  let fleet: Fleet | undefined;
  const served = new Map<number, Connection>();
  const addresses = new Map<number, string>();
  const pools = new Map<number, Db>();
  const roles = rolesOfCell(config);
  const begin = (cell: number, connection: Connection) => fleet?.add(roles.map(role => ({ role, connection, cell })));
  const serve = async (id: number, connection: Connection) => {
    const address = JSON.stringify(connection);
    // Its processes were working before.
    if ((addresses.get(id) ?? address) !== address) await leave(id, pools.get(id)!);
    addresses.set(id, address);
    if (!pools.has(id)) pools.set(id, openPool(connection, { max: 1, name: 'peyk first process', onError: () => {} }));
    if (served.has(id)) return;
    try {
      await migrate(connection, log);
      served.set(id, connection);
      begin(id, connection);
    } catch (error) {
      log.error({ cell: id, error: (error as Error).message }, 'cell not served yet');
    }
  };
  const leave = async (id: number, pool: Db) => {
    log.info({ cell: id }, 'cell no longer served');
    pools.delete(id);
    addresses.delete(id);
    served.delete(id);
    fleet?.remove(id);
    await pool.end();
  };
  const look = async () => {
    const cells = (await readCells(db, key)).filter(({ id }) => servesCell(config, id));
    for (const { id, connection } of cells) if (connection) await serve(id, connection);
    for (const [id, pool] of pools) if (!cells.some(one => one.id === id)) await leave(id, pool);
    return lookMs;
  };
  const first = onceThere(log, look, stopping);
  await inTime(first, firstMaxMs);
  const loop = startLoop('cells served', log, () => first.then(look));
  return {
    places: () => [[home, db], ...pools],
    served: () => [
      [home, db],
      ...[...pools].map(([id, pool]): [number, Db | null] => [id, served.has(id) ? pool : null]),
    ],
    work(given) {
      fleet = given;
      for (const [id, connection] of served) begin(id, connection);
    },
    async stop() {
      await loop.stop();
      await Promise.all([...pools.values()].map(pool => pool.end()));
    },
  };
}

export function servesCell({ PEYK_CELLS }: Config, cell: number): boolean {
  return PEYK_CELLS === 'all' || PEYK_CELLS.includes(cell);
}

/** The processes that a node runs in each cell. */
export function rolesOfCell({ PEYK_ROLES }: Config): ChildRole[] {
  const has = (role: Role) => PEYK_ROLES.includes(role);
  return [
    ...(has('dispatch') ? ['dispatch' as const] : []),
    ...(has('webhooks') || has('consent') ? ['background' as const] : []),
  ];
}

/** A program started with a cell's address would open accounts that the home does not know. */
export async function requireHome(db: Db): Promise<void> {
  const cell = await membershipOf(db);
  if (cell)
    throw new ConfigError(
      `DATABASE_URL is cell ${cell.id} of another database: give the address of its home; PEYK_CELLS says which cells a node works for`,
    );
}
