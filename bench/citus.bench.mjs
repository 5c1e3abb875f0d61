// The same messages in a schema of a Citus cluster and in a plain PostgreSQL of the same settings, all of them on this machine, two programs in
// turns: CPU of the database servers for a message, less what they use while nothing happens. BENCH_CITUS_URL: the coordinator; BENCH_PLAIN_URL:
// an empty database.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { body, freshNumbers, hammer, percentile, processes, startProgram, until } from './program.mjs';

const load = name => import(new URL(`../dist/src/${name}`, import.meta.url).href);
const [{ migrate }, { distributeSchema }, { openPool }, { silentLog }] = await Promise.all(
  ['db/migrate.js', 'db/citus/distribute.js', 'db/db.js', 'log.js'].map(load),
);

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const warmUps = Number(process.env.BENCH_WARM_UPS ?? 2);
const loads = {
  singles: { what: 'a single send', calls: Number(process.env.BENCH_SINGLES ?? 8_000), recipients: 1, connections: 32 },
  orders: { what: 'a message of 20,000', calls: 1, recipients: 20_000, connections: 1 },
};
const wanted = process.env.BENCH_ONLY?.split(',') ?? Object.keys(loads);
const { BENCH_CITUS_URL: cluster, BENCH_PLAIN_URL: plain } = process.env;
if (!cluster || !plain) throw new Error('set BENCH_CITUS_URL and BENCH_PLAIN_URL');

const schema = `bench_${randomBytes(4).toString('hex')}`;
const distributed = `${cluster}${cluster.includes('?') ? '&' : '?'}schema=${schema}`;
await migrate({ connectionString: distributed }, silentLog);
const maker = openPool({ connectionString: distributed }, { max: 1, name: 'bench', onError: () => {} });
await distributeSchema(maker, schema);
await maker.end();

const places = [
  await openPlace('plain', plain, [plain]),
  await openPlace('citus', `${distributed}&citus=on`, await serversOf(cluster)),
];
const fresh = freshNumbers();
try {
  for (const place of places) place.idle = await idle(place);
  for (const name of wanted) {
    const { what, ...how } = loads[name];
    const costs = { plain: [], citus: [] };
    for (let round = -warmUps; round < rounds; round++)
      for (const place of round % 2 ? places : places.toReversed()) {
        const us = await turn(place, `${what} ${round}`, how);
        if (round >= 0) costs[place.name].push(us);
      }
    const [of, citus] = [costs.plain, costs.citus].map(list => percentile(list, 0.5));
    console.log(`${what}: database CPU, plain ${costs.plain.join(', ')} µs; Citus ${costs.citus.join(', ')} µs`);
    console.log(`${what}: median ${of} and ${citus} µs, ratio ${(citus / of).toFixed(2)}`);
  }
  for (const { name, program } of places)
    console.log(`audit of ${name}: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  for (const { program, db } of places) {
    await program.stop();
    await db.end();
  }
  const coordinator = new pg.Client({ connectionString: cluster });
  await coordinator.connect();
  await coordinator.query(`drop schema ${schema} cascade`);
  await coordinator.end();
}

async function serversOf(address) {
  const db = new pg.Client({ connectionString: address });
  await db.connect();
  const { rows } = await db.query('select nodename as host, nodeport as port from pg_dist_node');
  await db.end();
  return rows.map(({ host, port }) => Object.assign(new URL(address), { hostname: host, port }).href);
}

/** `servers`: an address of each server whose work counts. */
async function openPlace(name, address, servers) {
  const program = await startProgram({
    DATABASE_URL: address,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: 'smsc',
    PEYK_DEMO_TRAFFIC: 'off',
    PEYK_WORKERS: '1',
  });
  const roots = await Promise.all(servers.map(rootOf));
  const db = openPool({ connectionString: address }, { max: 1, name: 'bench', onError: () => {} });
  return { name, program, db, roots };
}

/** The server's first process; its file needs a superuser. */
async function rootOf(address) {
  const db = new pg.Client({ connectionString: address });
  await db.connect();
  const { rows } = await db.query(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`);
  await db.end();
  return rows[0].pid;
}

/** CPU seconds of the servers. */
function spent({ roots }) {
  return processes(roots).reduce((sum, one) => sum + one.cpuSeconds, 0);
}

async function idle(place) {
  await new Promise(resolve => setTimeout(resolve, 5_000));
  const [before, began] = [spent(place), performance.now()];
  await new Promise(resolve => setTimeout(resolve, 10_000));
  const share = (spent(place) - before) / ((performance.now() - began) / 1_000);
  console.log(`${place.name} idle: ${Math.round(share * 1_000)} ms of CPU a second`);
  return share;
}

async function turn(place, text, { calls, recipients, connections }) {
  const { program, db } = place;
  const orders = Array.from({ length: calls }, () => fresh(recipients));
  const [before, began] = [spent(place), performance.now()];
  await hammer(program.ready.api, '/v1/send-sms/json', connections, calls, i =>
    body(program.account, program.order(orders[i], `${text} ${i}`)),
  );
  await until(async () => (await db.query("select 1 from orders where state = 'sending' limit 1")).rowCount === 0, 100);
  const seconds = (performance.now() - began) / 1_000;
  return Math.round(((spent(place) - before - place.idle * seconds) * 1e6) / (calls * recipients));
}
