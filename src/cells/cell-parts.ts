// The objects of a process for each cell: its pool and what uses it, from the moment the cell appears in the directory
// until it is removed. The home's part always exists; callers check `several` first.
import type { Connection, Db, Queryable } from '../db/db.ts';
import { requireSchema } from '../db/migrate.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loops/loop.ts';
import { gauge } from '../metrics/metrics.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { type Cell, home, readCells } from './directory.ts';

export type CellPart = { db: Db; stop(): Promise<void> };

const lookMs = 2_000;
const served = gauge('peyk_cell_served');

type Options<Part> = {
  homeDb: Queryable;
  key: SecretKey;
  log: Log;
  open(connection: Connection, cell: number): Promise<Part> | Part;
};

export class CellParts<Part extends CellPart> {
  readonly home: Part;
  readonly #options: Options<Part>;
  readonly #others = new Map<number, { address: string; part: Part }>();
  /** By cell: the last logged error. */
  readonly #logged = new Map<number, string>();
  #cells: Cell[] = [];
  #loop: Loop | undefined;

  constructor(ofHome: Part, options: Options<Part>) {
    this.home = ofHome;
    this.#options = options;
  }

  async start(): Promise<void> {
    served.set({ cell: String(home) }, 1);
    await this.look();
    this.#loop = startLoop('cells', this.#options.log, async () => {
      await this.look();
      return lookMs;
    });
  }

  /** There are cells besides the home. */
  get several(): boolean {
    return this.#cells.length > 1;
  }

  /** From the directory, the home first; empty with a single database. */
  get cells(): readonly Cell[] {
    return this.#cells;
  }

  of(id: number): Part {
    if (id === home) return this.home;
    const found = this.#others.get(id);
    if (!found) throw new Error(`cell ${id} is not known here`);
    return found.part;
  }

  /** The home first. */
  all(): [number, Part][] {
    return [[home, this.home], ...[...this.#others].map(([id, { part }]): [number, Part] => [id, part])];
  }

  /** Like `all`, with null for each cell of the directory that is not served. */
  places(): [number, Db | null][] {
    const beside = this.#cells.filter(one => one.id !== home);
    return [
      [home, this.home.db],
      ...beside.map(({ id }): [number, Db | null] => [id, this.#others.get(id)?.part.db ?? null]),
    ];
  }

  /** Reads the directory, opens parts of new cells and stops those of removed ones. */
  async look(): Promise<void> {
    const { homeDb, key } = this.#options;
    const cells = await readCells(homeDb, key);
    await Promise.all(cells.map(({ id, connection }) => connection && this.#openOne(id, connection)));
    this.#cells = cells;
    for (const [id, { part }] of this.#others) {
      if (cells.some(one => one.id === id)) continue;
      this.#others.delete(id);
      served.remove({ cell: String(id) });
      await part.stop();
    }
  }

  /** A cell that does not answer or has another schema is retried in the next round. */
  async #openOne(id: number, connection: Connection): Promise<void> {
    const { log, open } = this.#options;
    const address = JSON.stringify(connection);
    const known = this.#others.get(id);
    if (known?.address === address) return;
    try {
      // Nobody would send orders that were accepted over another schema: until the cell is migrated its accounts get
      // 503.
      await requireSchema(connection);
      this.#others.set(id, { address, part: await open(connection, id) });
      log.info({ cell: id }, known ? 'cell has another address' : 'cell');
      this.#logged.delete(id);
      served.set({ cell: String(id) }, 1);
      await known?.part.stop();
    } catch (error) {
      const { message } = error as Error;
      if (this.#logged.get(id) !== message) log.warn({ cell: id, error: message }, 'cell not served yet');
      this.#logged.set(id, message);
      served.set({ cell: String(id) }, 0);
    }
  }

  /** All but the home's. */
  async stop(): Promise<void> {
    await this.#loop?.stop();
    await Promise.all([...this.#others.values()].map(({ part }) => part.stop()));
  }
}
