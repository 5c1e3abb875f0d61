// A cell that is a distributed schema of a Citus cluster: moved, rebalanced, its server lost for a while, beside a schema of somebody else that
// nothing happens to. Which cluster: test/support/database/citus.ts.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Db, openPool } from '../../src/db/db.ts';
import { receiptRetention } from '../../src/receipts/retention.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import {
  type ClusterServer,
  cleared,
  clusterServers,
  clusterUrl,
  moveSchema,
  newSchema,
  removeSchema,
  waysToServers,
} from '../support/database/citus.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

const { schema, address } = newSchema();
const numbers = plainNumbers(2_200);

// PEYK_TEST_CITUS_URL names no cluster: skipped.
describe.runIf(clusterUrl)('on a Citus cluster', () => {
  let program: Program;
  let customer: Customer;
  let coordinator: Db;
  let cell: Db;
  let ways: Awaited<ReturnType<typeof waysToServers>>;
  /** Schemas of somebody else who uses the same cluster, one on each server. */
  const strangers: string[] = [];
  let before: unknown;

  beforeAll(async () => {
    coordinator = openPool({ connectionString: clusterUrl }, { max: 2, name: 'test', onError: () => {} });
    ways = await waysToServers(coordinator);
    // Its home is not on the cluster.
    program = await startProgram({ data: join(temporaryFolder(), 'data') });
    await program.cli('carrier', 'add', '--name', 'simulator', '--binds', '4');
    await program.cli('distribute', `${address}&citus_hosts=${ways.hosts}`);
    for (const { id } of await servers()) strangers.push(await makeStranger(id));
    before = await ofOthers();
    cell = openPool({ connectionString: `${address}&citus=on` }, { max: 2, name: 'test', onError: () => {} });
    const made = await program.cli<Record<string, string>>('account', 'create', '--name', 'Küme', '--cell', '1');
    await program.cli('credit', 'grant', made.id!, '50000', '--reason', 'test');
    await program.cli('account', 'set', made.id!, 'rate=100000');
    customer = new Customer(program, made.id!, made.key!, made.hash!);
  });

  afterAll(async () => {
    await program.stop();
    await cell?.end();
    await removeSchema(schema);
    for (const one of strangers) await removeSchema(one);
    await coordinator.end();
  });

  const servers = () => clusterServers(coordinator, schema);

  async function makeStranger(server: number): Promise<string> {
    const { schema: name } = newSchema();
    await coordinator.query(`create schema ${name}; create table ${name}.things (id int primary key, what text)`);
    await coordinator.query('select citus_schema_distribute($1)', [name]);
    await coordinator.query(`insert into ${name}.things select i, 'thing ' || i from generate_series(1, 500) i`);
    const target = (await clusterServers(coordinator, name)).find(one => one.id === server)!;
    if (!target.holds) await moveSchema(coordinator, name, target);
    return name;
  }

  /** To the server that does not have it. */
  async function move(): Promise<ClusterServer> {
    const target = (await servers()).find(one => !one.holds)!;
    await moveSchema(coordinator, schema, target);
    return target;
  }

  /** Where the rows of strangers are and what they hold, and what the cluster has for all of its users. */
  async function ofOthers(): Promise<unknown> {
    const things = strangers.map(one => `select * from ${one}.things`).join(' union all ');
    const { rows } = await coordinator.query(
      `select (select array_agg((shardid, nodename, nodeport)::text) from citus_shards
           where split_part(table_name::text, '.', 1) = any ($1)) as places,
         (select md5(string_agg(id || what, ',' order by id)) from (${things}) s) as things,
         (select array_agg(n::text order by nodeid) from pg_dist_node n) as servers,
         (select array_agg(name order by name) from pg_dist_rebalance_strategy) as strategies,
         (select array_agg((setdatabase, setrole, setconfig)::text) from pg_db_role_setting) as settings`,
      [strangers],
    );
    return rows[0];
  }

  /** The id of the first that is answered 200; before it only 503. */
  async function sendUntilTaken(text: string, number: string): Promise<string> {
    const reply = await wait('200', async () => {
      const one = await customer.trySend(text, [number]);
      expect([200, 503]).toContain(one.code);
      return one.code === 200 ? one : undefined;
    });
    return reply.response.order!.id;
  }

  const cells = async () =>
    (await program.cli<{ cell: number; state: string }[]>('cell', 'list')).map(({ cell, state }) => ({ cell, state }));

  /** Schemas that begin so, at the coordinator or another server. */
  async function schemasLike(name: string, host?: string, port?: number): Promise<string[]> {
    const url = new URL(clusterUrl);
    if (host) Object.assign(url, { hostname: host, port: String(port) });
    const db = openPool({ connectionString: url.href }, { max: 1, name: 'test', onError: () => {} });
    const text = 'select nspname as name from pg_namespace where starts_with(nspname, $1)';
    return (await db.query(text, [name]).finally(() => db.end())).rows.map(one => one.name);
  }

  const place = async () => (await cell.query('select inet_server_port() as port')).rows[0].port;

  test('a large order and single ones are accepted, sent once and settled on the server that has the schema', async () => {
    const large = await customer.send('Toplu {{to}}', numbers.slice(0, 2_000));
    const singles = await Promise.all(numbers.slice(2_000, 2_050).map(one => customer.send('Tek', [one])));
    expect(await customer.finished(large)).toMatchObject({ status: 114, total: 2_000, delivered: 2_000 });
    for (const id of singles) expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
    expect(Number(large)).toBeGreaterThan(1_000_000_000_000);
    const holding = (await servers()).find(one => one.holds)!;
    expect(await place()).toBe(holding.port);
  });

  test('moved by the cluster under traffic, there and back: every 200 is stored and sent once, and sending goes on', async () => {
    const accepted: string[] = [];
    const codes = new Map<number, number>();
    for (let round = 0; round < 2; round++) {
      let moved = false;
      const traffic = (async () => {
        for (let i = 0; !moved; i++) {
          const number = numbers[2_050 + (i % 100)]!;
          const { code, response } = await customer.trySend(`Yolda ${round} ${i}`, [number]);
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (code === 200) accepted.push(response.order!.id);
        }
      })();
      const target = await move();
      await wait('the program to follow', async () => (await place()) === target.port);
      await wait(
        'calls to be taken',
        async () => (await customer.trySend(`Vardı ${round}`, [numbers[2_151]!])).code === 200,
      );
      moved = true;
      await traffic;
    }
    console.info(`answers while the schema moved: ${JSON.stringify([...codes])}`);
    expect([...codes.keys()].filter(code => code !== 200 && code !== 503)).toEqual([]);
    for (const id of accepted) expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
    const copies = await program.carrier.copies(numbers.slice(0, 2_150));
    const sent = [...copies.values()].reduce((sum, one) => sum + one, 0);
    expect(sent).toBe(2_050 + accepted.length);
  }, 400_000);

  test('the rebalancer takes it from its server: the program follows, and sending goes on', async () => {
    const { id, port } = (await servers()).find(one => one.holds)!;
    // A strategy that allows this schema no place on its server; others’ schemas are not asked about.
    const name = `${schema}_elsewhere`;
    await coordinator.query(`begin; set local citus.enable_ddl_propagation = off;
      create function public.${name}(bigint, int) returns bool language sql as 'select $2 <> ${id}'; commit`);
    await coordinator.query(
      `select citus_add_rebalance_strategy('${name}', 'citus_shard_cost_1', 'citus_node_capacity_1', 'public.${name}', 0)`,
    );
    onTestFinished(async () => {
      await coordinator.query('delete from pg_dist_rebalance_strategy where name = $1', [name]);
      await coordinator.query(
        `begin; set local citus.enable_ddl_propagation = off; drop function public.${name}; commit`,
      );
    });
    await cleared(coordinator, schema);
    const traffic = Array.from({ length: 40 }, (_, i) => i);
    const accepted: string[] = [];
    const moved = coordinator.query('select rebalance_table_shards($1, rebalance_strategy => $2)', [
      `${schema}.orders`,
      name,
    ]);
    try {
      for (const i of traffic) accepted.push(await sendUntilTaken(`Dengede ${i}`, numbers[2_160]!));
      await moved;
      await wait('the program to follow', async () => (await place()) !== port);
      accepted.push(await sendUntilTaken('Dengelendi', numbers[2_160]!));
    } finally {
      await moved.catch(() => {});
    }
    for (const one of accepted) expect(await customer.finished(one)).toMatchObject({ status: 114, delivered: 1 });
    expect((await program.carrier.copies([numbers[2_160]!])).get(numbers[2_160]!)).toBe(accepted.length);
  }, 400_000);

  test('a schema that a server of the cluster refuses to us is not distributed: the error names the server, and nothing is changed', async () => {
    const refused = newSchema();
    const role = `${refused.schema}_role`;
    const here = (text: string) =>
      coordinator.query(`begin; set local citus.enable_ddl_propagation = off;
      set local citus.enable_create_role_propagation = off; ${text}; commit`);
    const database = new URL(clusterUrl).pathname.slice(1);
    // The servers do not know it.
    await here(`create role ${role} login; grant create on database ${database} to ${role}`);
    onTestFinished(async () => {
      await here(`revoke create on database ${database} from ${role}`);
      await coordinator.query(`drop role ${role}`);
    });
    const known = await cells();
    const url = new URL(refused.address);
    url.username = role;
    const [server] = await servers();
    const place = `${server!.host}:${server!.port} of the cluster:`;
    const left = 'select to_regnamespace($1) as schema';
    const refuses = async (why: string) => {
      await expect(program.cli('distribute', url.href)).rejects.toThrow(`${place} ${why}`);
      expect(await cells()).toEqual(known);
      expect((await coordinator.query(left, [refused.schema])).rows).toEqual([{ schema: null }]);
    };
    await refuses(`role "${role}" does not exist`);
    // They know it and let it in, and give it no schema.
    await here(`drop owned by ${role}; drop role ${role}`);
    await coordinator.query(`create role ${role} login`);
    await here(`grant create on database ${database} to ${role}`);
    await refuses(`the role ${role} may not create schemas there`);
  });

  test('a home that cannot store the new cell leaves no schema in the cluster', async () => {
    const refused = newSchema();
    const home = await program.db();
    await home.query(`create function refuse_cell() returns trigger language plpgsql as $$ begin raise 'no new cell'; end $$;
      create constraint trigger refuse_cell after insert on cells deferrable initially deferred for each row execute function refuse_cell()`);
    onTestFinished(async () => void (await home.query('drop function refuse_cell cascade')));
    const known = await cells();
    await expect(program.cli('distribute', refused.address)).rejects.toThrow('no new cell');
    expect(await cells()).toEqual(known);
    for (const { host, port } of await servers()) expect(await schemasLike(refused.schema, host, port)).toEqual([]);
    expect(await schemasLike(refused.schema)).toEqual([]);
  }, 200_000);

  test('a cluster that distributes new schemas by itself takes a cell like any other', async () => {
    const other = newSchema();
    onTestFinished(() => removeSchema(other.schema));
    // As if the cluster's default were so: for our sessions alone.
    await program.cli('distribute', `${other.address}&options=-c%20citus.enable_schema_based_sharding%3Don`);
    expect(await program.cli('cell', 'list')).toMatchObject([
      { state: 'ok' },
      { state: 'ok' },
      { cell: 2, state: 'ok' },
    ]);
    await program.cli('cell', 'drain', '2');
    await program.cli('cell', 'remove', '2');
    expect(await program.cli('cell', 'list')).toMatchObject([{ cell: 0 }, { cell: 1 }]);
  }, 200_000);

  test('metrics and the planner know how its tables grow, like those of any other cell', async () => {
    const metric = async () =>
      (await (await fetch(`${program.ready.api}/metrics`)).text())
        .split('\n')
        .find(
          line => /^peyk_table_rows\{/.test(line) && line.includes('table="messages"') && line.includes('cell="1"'),
        );
    await wait('the metric', async () => Number((await metric())?.split(' ').at(-1)) >= 2_050);
    const believed = `select max(reltuples) as rows from pg_class
      where relname ~ '^messages_[0-9]+$' and relnamespace = $1::text::regnamespace`;
    await wait('the planner to know', async () => (await cell.query(believed, [schema])).rows[0].rows >= 1_000);
  });

  test('submits of a day that is over are emptied at once, by the role that owns the schema', async () => {
    const day = `submit_day(now() + interval '1 day')`;
    await cell.query(`insert into submits (day, carrier_id, smsc_id, message_id, part, parts, submitted_at)
      select ${day}, 0, 'old-' || i, -i, 1, 1, now() - interval '11 days' from generate_series(1, 30000) i`);
    const counts = `select count(*) filter (where day = ${day})::int as old, count(*) filter (where day <> ${day})::int as kept from submits`;
    const { kept } = (await cell.query(counts)).rows[0];
    expect(kept).toBeGreaterThan(2_000);
    await receiptRetention(cell);
    expect((await cell.query(counts)).rows).toEqual([{ old: 0, kept }]);
  });

  test('its server is away under an order and comes back: 503 meanwhile, for its accounts alone; every 200 is sent', async () => {
    const server = ways.to((await servers()).find(one => one.holds)!);
    const large = await customer.send('Kesilen {{to}}', numbers.slice(0, 2_000));
    await server.close();
    try {
      await wait('503', async () => (await customer.trySend('Yok', [numbers[2_170]!])).code === 503);
      expect(await program.demoCustomer.trySend('Evde', [numbers[2_171]!])).toMatchObject({ code: 200 });
    } finally {
      await server.open();
    }
    const after = await sendUntilTaken('Geldi', numbers[2_172]!);
    expect(await customer.finished(large)).toMatchObject({ status: 114, total: 2_000, delivered: 2_000 });
    expect(await customer.finished(after)).toMatchObject({ status: 114, delivered: 1 });
  }, 400_000);

  test('what it stores is consistent, and nothing holds dispatch back', async () => {
    expect(await program.cli('audit')).toEqual({ ok: true, findings: [] });
    expect(await program.cli('cell', 'list')).toMatchObject([{ state: 'ok' }, { cell: 1, state: 'ok', accounts: 1 }]);
    expect((await cell.query('select count(*)::int as held from dispatch_hold')).rows).toEqual([{ held: 0 }]);
  });

  test('what others have on the cluster is where it was and as it was, and so are its settings', async () => {
    expect(await ofOthers()).toEqual(before);
  });
});
