// A cell that is a distributed schema of a Citus cluster: moved, rebalanced, its server lost for a while. Which cluster: test/support/database/citus.ts.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Db, openPool } from '../../src/db/db.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import {
  type ClusterServer,
  clusterServers,
  clusterUrl,
  newSchema,
  removeSchema,
  serverProcess,
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

  beforeAll(async () => {
    coordinator = openPool({ connectionString: clusterUrl }, { max: 2, name: 'test', onError: () => {} });
    // Its home is not on the cluster.
    program = await startProgram({ data: join(temporaryFolder(), 'data') });
    await program.cli('carrier', 'add', '--name', 'simulator', '--binds', '4');
    await program.cli('distribute', address);
    cell = openPool({ connectionString: `${address}&citus=on` }, { max: 2, name: 'test', onError: () => {} });
    const made = await program.cli<Record<string, string>>('account', 'create', '--name', 'Küme', '--cell', '1');
    await program.cli('credit', 'grant', made.id!, '50000', '--reason', 'test');
    await program.cli('account', 'set', made.id!, 'rate=100000');
    customer = new Customer(program, made.id!, made.key!, made.hash!);
  });

  afterAll(async () => {
    await program.stop();
    await cell.end();
    await removeSchema(schema);
    await coordinator.end();
  });

  const servers = () => clusterServers(coordinator, schema);

  /** To the server that does not have it. */
  async function move(): Promise<ClusterServer> {
    const target = (await servers()).find(one => !one.holds)!;
    const { host, port } = target;
    const mover = openPool({ connectionString: clusterUrl }, { max: 1, name: 'test', onError: () => {} });
    await mover
      .query('select citus_schema_move($1::text::regnamespace, $2, $3::int)', [schema, host, port])
      .finally(() => mover.end());
    return target;
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

  test('the rebalancer empties its server: the program follows, and sending goes on', async () => {
    const { host, port } = (await servers()).find(one => one.holds)!;
    const traffic = Array.from({ length: 40 }, (_, i) => i);
    const accepted: string[] = [];
    const emptied = coordinator.query('select citus_drain_node($1, $2::int)', [host, port]);
    try {
      for (const i of traffic) accepted.push(await sendUntilTaken(`Dengede ${i}`, numbers[2_160]!));
      await emptied;
      await wait('the program to follow', async () => (await place()) !== port);
      accepted.push(await sendUntilTaken('Dengelendi', numbers[2_160]!));
    } finally {
      await emptied.catch(() => {});
      await coordinator.query(`select citus_set_node_property($1, $2::int, 'shouldhaveshards', true)`, [host, port]);
    }
    for (const id of accepted) expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
    expect((await program.carrier.copies([numbers[2_160]!])).get(numbers[2_160]!)).toBe(accepted.length);
  }, 400_000);

  test('a schema that a server of the cluster refuses to us is not distributed: the error names the server, and nothing is changed', async () => {
    const refused = newSchema();
    const role = `${refused.schema}_role`;
    // The servers do not know it.
    await coordinator.query(`set citus.enable_create_role_propagation = off; create role ${role} login superuser;
      reset citus.enable_create_role_propagation`);
    onTestFinished(async () => {
      await coordinator.query(`set citus.enable_create_role_propagation = off; drop role ${role};
        reset citus.enable_create_role_propagation`);
    });
    const cells = await program.cli('cell', 'list');
    const url = new URL(refused.address);
    url.username = role;
    const [server] = await servers();
    await expect(program.cli('distribute', url.href)).rejects.toThrow(`${server!.host}:${server!.port}`);
    expect(await program.cli('cell', 'list')).toEqual(cells);
    const left = 'select to_regnamespace($1) as schema';
    expect((await coordinator.query(left, [refused.schema])).rows).toEqual([{ schema: null }]);
  });

  test('a cluster that distributes new schemas by itself takes a cell like any other', async () => {
    const other = newSchema();
    const [{ name }] = (await coordinator.query('select current_database() as name')).rows;
    await coordinator.query(`alter database ${name} set citus.enable_schema_based_sharding = on`);
    onTestFinished(async () => {
      await coordinator.query(`alter database ${name} reset citus.enable_schema_based_sharding`);
      await removeSchema(other.schema);
    });
    await program.cli('distribute', other.address);
    expect(await program.cli('cell', 'list')).toMatchObject([
      { state: 'ok' },
      { state: 'ok' },
      { cell: 2, state: 'ok' },
    ]);
    await program.cli('cell', 'drain', '2');
    await program.cli('cell', 'remove', '2');
    expect(await program.cli('cell', 'list')).toMatchObject([{ cell: 0 }, { cell: 1 }]);
  }, 200_000);

  // Before a server is killed: PostgreSQL loses its counters of rows in a crash.
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

  test('its server dies under an order and comes back: 503 meanwhile, for its accounts alone; every 200 is sent', async () => {
    const server = await serverProcess((await servers()).find(one => one.holds)!);
    const large = await customer.send('Kesilen {{to}}', numbers.slice(0, 2_000));
    await server.stop();
    try {
      await wait('503', async () => (await customer.trySend('Yok', [numbers[2_170]!])).code === 503);
      expect(await program.demoCustomer.trySend('Evde', [numbers[2_171]!])).toMatchObject({ code: 200 });
    } finally {
      await server.start();
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
});
