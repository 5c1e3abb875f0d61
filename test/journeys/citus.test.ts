// A cell that is a distributed schema of a Citus cluster: PEYK_TEST_CITUS_URL is the address of its coordinator. It has to have two
// servers that take tables, and wal_level = logical on all of them. Without it there is nothing to try on.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openPool } from '../../src/db/db.ts';
import { plainNumbers } from '../support/journey-numbers.ts';
import { Customer, type Program, startProgram } from '../support/program.ts';
import { wait } from '../support/wait.ts';

const cluster = process.env.PEYK_TEST_CITUS_URL ?? '';
const schema = `cell_${randomBytes(4).toString('hex')}`;
const address = `${cluster}${cluster.includes('?') ? '&' : '?'}schema=${schema}`;
const numbers = plainNumbers(2_200);

type Server = { id: number; host: string; port: number; holds: boolean };

// PEYK_TEST_CITUS_URL names no cluster: skipped.
describe.runIf(cluster)('on a Citus cluster', () => {
  let program: Program;
  let customer: Customer;
  let coordinator: Db;
  let cell: Db;

  beforeAll(async () => {
    coordinator = openPool({ connectionString: cluster }, { max: 2, name: 'test', onError: () => {} });
    program = await startProgram({ env: { PEYK_WORKERS: '1' } });
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
    for (const { host, port } of await servers()) await forgetOn(host, port);
    await coordinator.query(`drop schema ${schema} cascade`);
    await coordinator.end();
  });

  const servers = async (): Promise<Server[]> =>
    (
      await coordinator.query(
        `select n.nodeid as id, n.nodename as host, n.nodeport as port, exists (select 1 from citus_shards c
           where c.nodename = n.nodename and c.nodeport = n.nodeport and c.table_name::text like $1) as holds
         from pg_dist_node n where n.shouldhaveshards order by 1`,
        [`${schema}.%`],
      )
    ).rows;

  async function forgetOn(host: string, port: number): Promise<void> {
    const there = new URL(cluster);
    Object.assign(there, { hostname: host, port: String(port) });
    const db = openPool({ connectionString: there.href }, { max: 1, name: 'test', onError: () => {} });
    const names = `${schema}_here, ${schema}_numbers`;
    await db.query(`set citus.enable_ddl_propagation = off; drop schema if exists ${names} cascade`);
    await db.end();
  }

  /** To the server that does not have it. */
  async function move(): Promise<Server> {
    const target = (await servers()).find(one => !one.holds)!;
    const { host, port } = target;
    const mover = openPool({ connectionString: cluster }, { max: 1, name: 'test', onError: () => {} });
    await mover
      .query('select citus_schema_move($1::text::regnamespace, $2, $3::int)', [schema, host, port])
      .finally(() => mover.end());
    return target;
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

  test('what it stores is consistent, and nothing holds dispatch back', async () => {
    expect(await program.cli('audit')).toEqual({ ok: true, findings: [] });
    expect(await program.cli('cell', 'list')).toMatchObject([{ state: 'ok' }, { cell: 1, state: 'ok', accounts: 1 }]);
    expect((await cell.query('select count(*)::int as held from dispatch_hold')).rows).toEqual([{ held: 0 }]);
  });
});
