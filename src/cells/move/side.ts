// The databases of a move, with one session each that holds the advisory lock of this move. A mover that lost its sessions lost its locks and
// its open transactions with them; another one begins only then.
import { type Connection, openClient, type Queryable } from '../../db/db.ts';
import { statementLimits } from '../../db/statement-limits.ts';
import type { Log } from '../../log.ts';
import { type Cell, CellFault, home } from '../directory.ts';

export type Client = Awaited<ReturnType<typeof openClient>>;

export async function query<Row>(client: Queryable, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query(text, values)).rows as Row[];
}

export async function within<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const lock = `select pg_try_advisory_lock(hashtextextended('peyk move ' || $1::text, 0) # lock_salt()) as ours`;

export class Sides {
  readonly #open = new Map<number, Client>();
  readonly #connections: Map<number, Connection>;
  readonly #account: number;
  readonly #log: Log;

  constructor(account: number, homeAt: Connection, cells: readonly Cell[], log: Log) {
    this.#account = account;
    this.#connections = new Map(cells.map(one => [one.id, one.connection ?? homeAt]));
    this.#connections.set(home, homeAt);
    this.#log = log;
  }

  connection(cell: number): Connection {
    const found = this.#connections.get(cell);
    if (!found) throw new CellFault(`there is no cell ${cell}`);
    return found;
  }

  /** Throws where another mover holds the lock. */
  async at(cell: number): Promise<Client> {
    const known = this.#open.get(cell);
    if (known) return known;
    const onError = (error: Error) => this.#log.warn({ cell, error: error.message }, 'move: database connection lost');
    const client = await openClient(this.connection(cell), {
      name: 'peyk move',
      onError,
      limit: statementLimits.audit,
    });
    const [found] = await query<{ ours: boolean }>(client, lock, [this.#account]);
    if (!found!.ours) {
      await client.end();
      throw new CellFault(`account ${this.#account} is being moved by somebody else at this moment`);
    }
    this.#open.set(cell, client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(client => client.end().catch(() => {})));
  }
}
