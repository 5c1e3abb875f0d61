// An account with a million stored messages (BENCH_STORED; a tenth of them single orders) and 200,000 scheduled ones (BENCH_SCHEDULED; a tenth of
// them single orders) moves to a cell on another server while it and a neighbour send single messages: how long its calls got no 200, and how
// long the neighbour's slowest took, without a move and during it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root, startProgram, temporaryFolder } from './program.mjs';

const load = name => import(new URL(`../dist/src/${name}`, import.meta.url).href);
const [{ startEmbedded }, { silentLog }] = await Promise.all(['db/embedded/server.js', 'log.js'].map(load));

const stored = Number(process.env.BENCH_STORED ?? 1_000_000);
const scheduled = Number(process.env.BENCH_SCHEDULED ?? 200_000);
const moves = Number(process.env.BENCH_ROUNDS ?? 2);
const everyMs = 50;
const firstNumber = 905_300_000_000;
let number = firstNumber;

const program = await startProgram({
  PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
  PEYK_DEMO_TRAFFIC: 'off',
  PEYK_WORKERS: '1',
});
const folder = temporaryFolder();
const server = await startEmbedded({ dataDir: join(folder, 'data'), log: silentLog, reserveBytes: 0 });
const { host, user, database } = server.connection;
const homeDb = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
await homeDb.connect();
try {
  program.cli('carrier', 'add', '--name', 'simulator', '--binds', '4');
  program.cli('cell', 'add', `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`);
  const neighbour = program.cli('account', 'create', '--name', 'neighbour');
  program.cli('sender', 'approve', neighbour.id, 'BENCH');
  program.cli('credit', 'grant', neighbour.id, '1000000');
  const began = performance.now();
  await fill(Number(program.account.id));
  await schedule(Number(program.account.id));
  console.log(
    `${stored.toLocaleString('en')} messages stored and ${scheduled.toLocaleString('en')} scheduled in ${seconds(performance.now() - began)} s`,
  );
  const quiet = { own: caller(program.account), other: caller(neighbour) };
  await new Promise(resolve => setTimeout(resolve, 10_000));
  console.log(`without a move: ${shown(await quiet.own.end(), await quiet.other.end())}`);
  for (let nth = 0; nth < moves; nth++) {
    const [own, other] = [caller(program.account), caller(neighbour)];
    const from = performance.now();
    const { waitedSeconds } = await move(program.account.id, nth % 2 === 0 ? 1 : 0);
    const took = performance.now() - from;
    console.log(
      `move ${nth + 1}, ${seconds(took)} s in all, waited ${waitedSeconds} s: ${shown(await own.end(), await other.end())}`,
    );
  }
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  await homeDb.end();
  await program.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}

function shown(own, other) {
  return `the account ${seconds(own.gapMs)} s at most without a 200, the neighbour ${seconds(other.gapMs)}; slowest call ${seconds(own.slowestMs)} and ${seconds(other.slowestMs)} s; answers ${JSON.stringify([own.answers, other.answers])}`;
}

/** Sends singles, each some time after the answer to the one before. */
function caller(account) {
  const answers = {};
  let isOver = false;
  let gapMs = 0;
  let slowestMs = 0;
  const run = async () => {
    for (let last = performance.now(); !isOver; ) {
      const sent = performance.now();
      const { code } = await program
        .callOf(account, 'send-sms', program.order([String(++number)], `Kod ${number}`))
        .catch(() => ({ code: 'none' }));
      const now = performance.now();
      answers[code] = (answers[code] ?? 0) + 1;
      slowestMs = Math.max(slowestMs, now - sent);
      if (code === 200) {
        gapMs = Math.max(gapMs, now - last);
        last = now;
      }
      await new Promise(resolve => setTimeout(resolve, everyMs));
    }
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      return { answers, gapMs, slowestMs };
    },
  };
}

function move(id, cell) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'peyk'), 'account', 'move', id, String(cell), '--json'], {
      cwd: program.folder,
      env: program.env,
    });
    let output = '';
    let failed = '';
    child.stdout.on('data', part => (output += part));
    child.stderr.on('data', part => (failed += part));
    child.once('exit', code => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(failed))));
  });
}

/** Orders that have ended, with everything that acceptance, carriers and settling leave. */
async function fill(account) {
  const singles = stored / 10;
  const large = Math.round((stored - singles) / 50_000);
  const total = singles + large * 50_000;
  const text = `
    with ids as materialized (
      select n, nextval('order_ids') as id, case when n <= ${singles} then 1 else 50000 end as total from generate_series(1, ${singles + large}) n),
    placed as materialized (
      select i.*, b.first + sum(i.total) over (order by i.n) - i.total as first, now() - interval '5 days' + i.n * interval '1 second' as at
      from ids i, (select nextval('message_ids') as first) b),
    orders as (
      insert into orders (id, account_id, sender, lane, source, state, total, delivered, consumed, first_message_id, submit_at, send_at,
        close_after, finished_at, fingerprint, text, encoding, parts)
      select id, ${account}, 'BENCH', 0, 'api', 'finished', total, total, total, first, at, at, at + interval '3 days', at + interval '1 minute',
        id, 'Kodunuz 1234', 0, 1 from placed),
    entries as (
      insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
      select ${account}, k.kind, k.sms * total, k.reserved * total, id, at from placed
      cross join (values ('reserve', -1, 1), ('consume', 0, -1)) k(kind, sms, reserved)),
    messages as (
      insert into messages (id, account_id, order_id, number, text_no, credits, status, final_at)
      select first + g, ${account}, id, ${firstNumber} + first + g, 1, 1, 111, at + interval '1 minute'
      from placed cross join lateral generate_series(0, total - 1) g),
    numbers as (
      insert into message_numbers select ${account}, ${firstNumber} + first + g, first + g
      from placed cross join lateral generate_series(0, total - 1) g),
    paid as (update balances set sms = sms - ${total} where account_id = ${account})
    insert into submits (day, carrier_id, smsc_id, message_id, part, parts, submitted_at)
      select submit_day(at), 1, 'bench-' || first + g, first + g, 1, 1, at from placed cross join lateral generate_series(0, total - 1) g`;
  await homeDb.query('begin');
  await homeDb.query(text);
  await homeDb.query(`select setval('message_ids', (select max(id) + 128 from messages))`);
  await homeDb.query('commit');
  await homeDb.query('vacuum analyze');
}

/** Orders that are due in a year. */
async function schedule(account) {
  const singles = scheduled / 10;
  const large = Math.round((scheduled - singles) / 50_000);
  const total = singles + large * 50_000;
  const text = `
    with ids as materialized (
      select n, nextval('order_ids') as id, case when n <= ${singles} then 1 else 50000 end as total from generate_series(1, ${singles + large}) n),
    placed as materialized (
      select i.*, b.first + sum(i.total) over (order by i.n) - i.total as first from ids i, (select nextval('message_ids') as first) b),
    orders as (
      insert into orders (id, account_id, sender, lane, source, state, total, reserved, first_message_id, submit_at, send_at, close_after,
        fingerprint, text, encoding, parts)
      select id, ${account}, 'BENCH', 0, 'api', 'scheduled', total, total, first, now() - interval '1 hour', now() + interval '1 year',
        now() + interval '1 year 3 days', id, 'Kodunuz 1234', 0, 1 from placed),
    entries as (
      insert into ledger_entries (account_id, kind, sms, reserved, order_id)
      select ${account}, 'reserve', -total, total, id from placed),
    messages as (
      insert into messages (id, account_id, order_id, number, text_no, credits, status)
      select first + g, ${account}, id, ${firstNumber} + first + g, 1, 1, 110 from placed cross join lateral generate_series(0, total - 1) g)
    update balances set sms = sms - ${total} where account_id = ${account}`;
  await homeDb.query('begin');
  await homeDb.query(text);
  await homeDb.query(`select setval('message_ids', (select max(id) + 128 from messages))`);
  await homeDb.query('commit');
  await homeDb.query('vacuum analyze');
}
