// Sequences exist on one server each: where a schema arrives they must continue after every id that another server gave.
import type { Place } from '../../settings/database-places.ts';
import pg from '../driver.ts';
import { probeMs } from '../statement-limits.ts';
import type { Coordinator } from './coordinator.ts';
import { numbersOf } from './names.ts';
import type { SchemaObjects } from './schema-objects.ts';

type Order = { coordinator: Coordinator; schema: string; config: pg.ClientConfig; holding: Place };
type Reached = Map<string, bigint>;

const lastText = `select sequencename as name, last_value::text as last from pg_sequences where schemaname = $1 and last_value is not null`;

// Sequences that belong to no column, and the columns that have their ids.
const freeNumbers: Record<string, string[]> = {
  order_ids: ['orders.id', 'smpp_parts.id'],
  message_ids: ['messages.id'],
  webhook_keys: [],
  lease_tokens: [],
};
/** Added to the highest stored id where a server does not answer: it may have given ids that are not stored. */
const unknownGap = 10_000_000n;

/** Statements that set the sequences of this server forward; none where they are ahead of all others. */
export async function reachedNumbers(client: pg.Client, order: Order, objects: SchemaObjects): Promise<string[]> {
  const { schema, config } = order;
  const own = await lastNumbers(client, numbersOf(schema));
  const others = new Map(objects.sequences.map(one => [one.name, BigInt(one.last ?? BigInt(one.start) - 1n)]));
  let silent = false;
  for (const place of await order.coordinator.servers()) {
    if (place.host === order.holding.host && place.port === order.holding.port) continue;
    const theirs = await lastOf(config, place, numbersOf(schema)).catch(() => undefined);
    silent ||= theirs === undefined;
    for (const [name, last] of theirs ?? []) raise(others, name, last);
  }
  if (silent) await addStored(client, schema, objects, others);
  return objects.sequences.flatMap(({ name }) => {
    const last = others.get(name)! + (silent ? unknownGap : 0n);
    return last <= (own.get(name) ?? -1n) ? [] : [`select setval('${numbersOf(schema)}.${name}', ${last + 1n}, false)`];
  });
}

async function lastNumbers(client: pg.Client, schema: string): Promise<Reached> {
  const { rows } = await client.query(lastText, [schema]);
  return new Map(rows.map(one => [one.name, BigInt(one.last)]));
}

async function lastOf(config: pg.ClientConfig, place: Place, schema: string): Promise<Reached> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
  Object.assign(client, { host: place.host, port: place.port });
  client.on('error', () => {});
  try {
    await client.connect();
    return await lastNumbers(client, schema);
  } finally {
    client.end().catch(() => {});
  }
}

async function addStored(client: pg.Client, schema: string, { tables, numbered }: SchemaObjects, reached: Reached) {
  const shards = new Map(tables.map(one => [one.name, one.shard]));
  const places = [
    ...numbered.map(({ table, column, sequence }) => ({ table, column, sequence })),
    ...Object.entries(freeNumbers).flatMap(([sequence, columns]) =>
      columns.map(one => ({ sequence, table: one.split('.')[0]!, column: one.split('.')[1]! })),
    ),
  ];
  for (const { table, column, sequence } of places) {
    const { rows } = await client.query(`select max(${column})::text as last from ${schema}.${shards.get(table)}`);
    if (rows[0].last !== null) raise(reached, sequence, BigInt(rows[0].last));
  }
}

function raise(reached: Reached, name: string, last: bigint): void {
  if (last > (reached.get(name) ?? -1n)) reached.set(name, last);
}
