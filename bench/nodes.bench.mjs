// One database with one node and with two: the same 50,000-recipient orders over the same two binds, alternating, so that other
// load on the machine affects both. The second node only dispatches. Numbers are indexed after the orders (decision 4): each
// round waits for its own, or the next would pay for them.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import {
  cost,
  end,
  launch,
  numbersFrom,
  percentile,
  processes,
  startProgram,
  temporaryFolder,
  until,
} from './program.mjs';

const recipients = 50_000;
const ordersPerTurn = 2;
const turns = Number(process.env.BENCH_ROUNDS ?? 3);
const settings = { PEYK_SECRET_KEY: randomBytes(32).toString('base64'), PEYK_LEASE_SECONDS: '2' };

const program = await startProgram({ ...settings, PEYK_DEMO_TRAFFIC: 'off' });
const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
await db.connect();
let base = 905_300_000_000;
const results = { one: [], two: [] };
try {
  program.cli('carrier', 'add', '--name', 'simulator', '--binds', '2');
  await shared(1);
  await turn('warm-up', []);
  for (let at = 0; at < turns; at++) {
    results.one.push(await turn('one node', []));
    const second = await joined();
    await shared(2);
    // A new process is slower until V8 has compiled it: 35 µs of dispatch a message in the first round, then 29, 28, 27, 27,
    // 26; the first node has run for longer.
    for (let young = 0; young < 5; young++) await turn('the second warms up', [second.pid]);
    results.two.push(await turn('two nodes', [second.pid]));
    await second.leave();
    await shared(1);
  }
  const median = (name, what) =>
    percentile(
      results[name].map(one => one[what]),
      0.5,
    );
  const ratio = what => (median('two', what) / median('one', what)).toFixed(2);
  console.log(`two nodes / one: rate ${ratio('rate')} (bar 1), CPU a message ${ratio('cpu')} (bar 1.10)`);
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  await db.end();
  await program.stop();
}

async function joined() {
  const url = `postgresql://peyk@localhost/peyk?host=${encodeURIComponent(program.socketFolder)}`;
  const folder = temporaryFolder();
  const env = { ...settings, DATABASE_URL: url, PEYK_ROLES: 'dispatch', PEYK_SIMULATORS: '' };
  const { child } = await launch(folder, env);
  return {
    pid: child.pid,
    async leave() {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until each dispatcher has its share of the two binds. */
function shared(nodes) {
  return until(async () => {
    const { rows } = await db.query(`
      select count(*)::integer as binds from carrier_links
      where state = 'bound' and dispatcher_id in (select id from dispatchers) group by dispatcher_id`);
    return rows.length === nodes && rows.every(one => one.binds === 2 / nodes);
  }, 200);
}

async function turn(name, others) {
  const all = () => [...program.processes(), ...processes(others)];
  const before = all();
  const began = performance.now();
  const ids = await Promise.all(Array.from({ length: ordersPerTurn }, (_, at) => send(`${name} ${at}`)));
  for (const id of ids) await until(async () => (await report(id)).status === 114, 50);
  const messages = ordersPerTurn * recipients;
  const rate = messages / ((performance.now() - began) / 1000);
  await until(nothingToNumber, 200);
  const { cpuUsPerMessage: cpu, perMessage } = cost(before, all(), messages);
  console.log(
    `${name}: ${rate.toFixed(0)} messages/s end to end, CPU ${cpu} µs a message ${JSON.stringify(perMessage)}`,
  );
  return { rate, cpu };
}

async function nothingToNumber() {
  const { rows } = await db.query(`select not exists (select 1 from number_queue) as done`);
  return rows[0].done;
}

async function send(text) {
  const numbers = numbersFrom(base, recipients);
  base += 100_000;
  const answer = await program.call('send-sms', program.order(numbers, text));
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  return answer.order.id;
}

async function report(id) {
  return (await program.call('get-report', { order: { id, rowCount: 1 } })).order;
}
