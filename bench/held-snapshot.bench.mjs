// A forgotten transaction, an audit or a backup holds a snapshot while messages flow at half load: dead rows cannot be removed
// meanwhile, and queues are full of them. The same load before, during and after: the rate of sending, one-time codes from HTTP
// to the wire, CPU per message, dead rows and the size of their tables. BENCH_MINUTES: how long the snapshot is held (10); the
// phases around it take a fifth of it.

import { Agent } from 'node:http';
import pg from 'pg';
import { body, cost, freshNumbers, paced, percentile, post, startProgram, ticksPerSecond, until } from './program.mjs';

const minutes = Number(process.env.BENCH_MINUTES ?? 10);
/** Each second: this many single sends, and an order of this many recipients. */
const singlesPerSecond = Number(process.env.BENCH_SINGLES ?? 600);
const bulkPerSecond = Number(process.env.BENCH_BULK ?? 1_500);
/** About nine a second, at every distance from the large orders. */
const ticksPerCode = 11;

const program = await startProgram({ PEYK_UNSURE_HOLD_SECONDS: '1' });
const smsc = program.ready.smscHttp;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const url = new URL('/v1/send-sms/json', program.ready.api);
const fresh = freshNumbers();
let failed = 0;
const stats = async () => (await fetch(`${smsc}/stats`)).json();

try {
  const db = await session();
  await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
  await phase('warm-up', 0.5, db);
  const before = await phase('before', minutes / 5, db);
  const holder = await session();
  // The bundled server ends sessions with forgotten transactions; other servers may not, and a dump works all the time.
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from accounts');
  const held = await phase('held', minutes, db);
  await holder.query('commit');
  await holder.end();
  const after = await phase('after', minutes / 5, db);
  const share = one => `${((one.rate / before.rate) * 100).toFixed(1)} %`;
  console.log(
    `held / before: rate ${share(held)} (bar 95 %), CPU ${(held.cpu / before.cpu).toFixed(2)}; one-time codes p99 ${held.p99} ms (bar 50)`,
  );
  console.log(
    `after / before: rate ${share(after)}, CPU ${(after.cpu / before.cpu).toFixed(2)}; requests that failed: ${failed}`,
  );
  await db.end();
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  agent.destroy();
  await program.stop();
}

async function session() {
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  // The server ends it if the run is aborted.
  db.on('error', () => {});
  await db.connect();
  return db;
}

/** The load for this long, and until all of it was sent. */
async function phase(name, forMinutes, db) {
  const seconds = Math.max(10, Math.round(forMinutes * 60));
  const processes = program.processes();
  const acceptedBefore = (await stats()).accepted;
  const began = performance.now();
  const codes = [];
  let sent = 0;
  const begin = count => {
    sent += count;
    return send(count);
  };
  let due = 0;
  const load = await paced(seconds, (tick, track) => {
    for (due += singlesPerSecond / ticksPerSecond; due >= 1; due--) track(begin(1));
    if (tick % ticksPerSecond === 0) track(begin(bulkPerSecond));
    if (tick % ticksPerCode !== 0) return;
    sent++;
    track(code().then(ms => codes.push(ms)));
  });
  await load.settled();
  failed += load.failed;
  // Failed calls may be stored or not, so with one of them nothing can be awaited.
  if (load.failed > 0) throw new Error(`requests failed: ${JSON.stringify(load.failures)}`);
  await until(async () => (await stats()).accepted - acceptedBefore >= sent, 100);
  const rate = sent / ((performance.now() - began) / 1000);
  const { cpuUsPerMessage: cpu, perMessage } = cost(processes, program.processes(), sent);
  const p99 = percentile(codes, 0.99);
  console.log(
    `${name}: ${seconds} s, ${rate.toFixed(0)} messages/s of ${(sent / seconds).toFixed(0)} offered, codes p50 ${percentile(codes, 0.5)} ms, p99 ${p99} ms, CPU ${cpu} µs a message ${JSON.stringify(perMessage)}`,
  );
  console.log(`  dead rows: ${await deadRows(db)}`);
  return { rate, cpu, p99 };
}

function send(count) {
  const numbers = fresh(count);
  return post(url, body(program.account, program.order(numbers, `text ${numbers[0]}`)), agent).then(ok);
}

function ok(answer) {
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
}

/** From the request to the wire, as recorded by the simulator. */
async function code() {
  const [to] = fresh(1);
  const began = Date.now();
  await post(url, body(program.account, program.order([to], `code ${to}`)), agent).then(ok);
  const [message] = await until(async () => {
    const shown = await (await fetch(`${smsc}/messages?to=${to}`)).json();
    return shown.length ? shown : null;
  }, 200);
  return Date.parse(message.receivedAt) - began;
}

async function deadRows(db) {
  const { rows } = await db.query(
    `select relname, n_dead_tup::int as dead, pg_size_pretty(pg_total_relation_size(relid)) as size
     from pg_stat_user_tables where n_dead_tup > 500 order by n_dead_tup desc limit 8`,
  );
  return rows.map(one => `${one.relname} ${one.dead} (${one.size})`).join(', ') || 'few';
}
