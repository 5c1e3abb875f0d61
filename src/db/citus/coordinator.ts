// Queries to the coordinator of a Citus cluster, over one connection that stays open, with a limit of some seconds.
import type { Place } from '../../settings/database-places.ts';
import pg from '../driver.ts';
import { probeMs } from '../statement-limits.ts';

/** The server that has the schema, and the shard whose lock protects it there. */
export type Holding = Place & { group: number; shard: number };

// All tables of a schema are on one server, so one shard stands for all of them.
const holdingText = `
  select n.nodename as host, n.nodeport as port, n.groupid as "group", sh.shardid::float8 as shard
  from pg_dist_schema s
  join pg_dist_partition p on p.colocationid = s.colocationid
  join pg_dist_shard sh on sh.logicalrelid = p.logicalrelid
  join pg_dist_placement pl on pl.shardid = sh.shardid
  join pg_dist_node n on n.groupid = pl.groupid and n.noderole = 'primary'
  where s.schemaid = to_regnamespace($1) order by sh.shardid limit 1`;

const serversText = `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`;

type Opened = {
  driver: pg.ClientConfig;
  find(): Promise<Place | undefined>;
  /** Maps the host that the cluster knows to the host under which we reach the server. */
  hosts: ReadonlyMap<string, string>;
};

export class Coordinator {
  readonly #opened: Opened;
  #client: Promise<pg.Client> | undefined;

  /** `find`: the present coordinator among several servers; undefined: the driver's address. */
  constructor(opened: Opened) {
    this.#opened = opened;
  }

  async holding(schema: string): Promise<Holding> {
    const [found] = await this.ask<Holding>(holdingText, [schema]);
    if (!found) throw new Error(`the schema ${schema} is not distributed in this cluster: peyk distribute`);
    return this.#reached(found);
  }

  /** All servers that may have the schema. */
  async servers(): Promise<Place[]> {
    return (await this.ask<Place>(serversText, [])).map(one => this.#reached(one));
  }

  #reached<Server extends Place>(server: Server): Server {
    return { ...server, host: this.#opened.hosts.get(server.host) ?? server.host };
  }

  async ask<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#open();
    try {
      return (await client.query(text, values)).rows as Row[];
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#forget(client);
      throw error;
    }
  }

  #open(): Promise<pg.Client> {
    this.#client ??= this.#connect().catch(error => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#opened.driver,
      application_name: 'peyk coordinator',
      connectionTimeoutMillis: probeMs,
      query_timeout: probeMs,
    });
    const place = await this.#opened.find();
    if (place) Object.assign(client, place);
    client.on('error', () => this.#forget(client));
    client.once('end', () => this.#forget(client));
    await client.connect();
    // The connection does not keep the process alive.
    (client as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref();
    return client;
  }

  #forget(client: pg.Client): void {
    this.#client = undefined;
    client.end().catch(() => {});
  }
}
