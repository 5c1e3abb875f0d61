// The same messages in one database, in two and in three, each on its own server on this machine, alternating: the cost of a
// message must not depend on the number of cells. First without any cell, for the cost to accounts at home.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  body,
  cost,
  numbersFrom,
  percentile,
  post,
  processes,
  startProgram,
  temporaryFolder,
  until,
} from './program.mjs';

const load = name => import(new URL(`../dist/src/${name}`, import.meta.url).href);
const [{ startEmbedded }, { silentLog }] = await Promise.all(['db/embedded/server.js', 'log.js'].map(load));

const messagesPerTurn = Number(process.env.BENCH_MESSAGES ?? 48_000);
const turns = Number(process.env.BENCH_ROUNDS ?? 3);
const binds = 6;
let base = 905_300_000_000;

const program = await startProgram({
  PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
  PEYK_DEMO_TRAFFIC: 'off',
  PEYK_WORKERS: '1',
});
const servers = [];
const results = { 'no cells': [], one: [], two: [], three: [] };
const clients = [];
try {
  program.cli('carrier', 'add', '--name', 'simulator', '--binds', String(binds));
  const accounts = [program.account];
  await connectTo(program.socketFolder);
  await bound(1);
  await turn('warm-up', accounts);
  for (let at = 0; at < turns; at++) results['no cells'].push(await turn('no cells', accounts));
  for (const cell of [1, 2]) accounts.push(await added(cell));
  await bound(3);
  await turn('warm-up', accounts);
  for (let at = 0; at < turns; at++)
    for (const [name, count] of [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ])
      results[name].push(await turn(`${name} of three cells`, accounts.slice(0, count)));
  const median = (name, what) =>
    percentile(
      results[name].map(one => one[what]),
      0.5,
    );
  for (const name of ['one', 'two', 'three'])
    console.log(
      `${name} / no cells: CPU a message ${(median(name, 'cpu') / median('no cells', 'cpu')).toFixed(2)}, of one in three ${(median(name, 'cpu') / median('one', 'cpu')).toFixed(2)} (bar 1.05)`,
    );
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  for (const client of clients) await client.end();
  await program.stop();
  for (const { server, folder } of servers) {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds a server as a cell, with an account in it. */
async function added(cell) {
  const folder = temporaryFolder();
  const server = await startEmbedded({ dataDir: join(folder, 'data'), log: silentLog, reserveBytes: 0 });
  servers.push({ server, folder });
  const { host, user, database } = server.connection;
  program.cli('cell', 'add', `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`);
  await connectTo(host);
  const account = program.cli('account', 'create', '--name', `cell ${cell}`, '--cell', String(cell));
  program.cli('sender', 'approve', account.id, 'BENCH');
  program.cli('credit', 'grant', account.id, '500000000');
  program.cli('account', 'set', account.id, 'rate=1000000');
  return account;
}

async function connectTo(host) {
  const client = new pg.Client({ host, user: 'peyk', database: 'peyk' });
  await client.connect();
  clients.push(client);
}

/** Waits until every cell has its part of the binds. */
function bound(cells) {
  return until(async () => {
    const counts = await Promise.all(
      clients.map(async one => {
        const text = `select count(*)::integer as binds from carrier_links where state = 'bound'`;
        return (await one.query(text)).rows[0].binds;
      }),
    );
    return counts.length === cells && counts.every(one => one === binds / cells);
  }, 200);
}

function everything() {
  const databases = servers.map(({ folder }) =>
    Number(readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
  );
  return [...program.processes(), ...processes(databases)];
}

async function turn(name, accounts) {
  const before = everything();
  const began = performance.now();
  const sent = await Promise.all(
    accounts.map(account => send(account, `${name} ${base}`, messagesPerTurn / accounts.length)),
  );
  for (const { account, id } of sent) await until(async () => (await report(account, id)).status === 114, 50);
  const rate = messagesPerTurn / ((performance.now() - began) / 1000);
  const { cpuUsPerMessage: cpu, perMessage } = cost(before, everything(), messagesPerTurn);
  console.log(
    `${name}: ${rate.toFixed(0)} messages/s end to end, CPU ${cpu} µs a message ${JSON.stringify(perMessage)}`,
  );
  return { rate, cpu };
}

function ask(account, operation, members) {
  return post(new URL(`/v1/${operation}/json`, program.ready.api), body(account, members));
}

async function send(account, text, recipients) {
  const numbers = numbersFrom(base, recipients);
  base += 100_000;
  const answer = await ask(account, 'send-sms', program.order(numbers, text));
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  return { account, id: answer.order.id };
}

async function report(account, id) {
  return (await ask(account, 'get-report', { order: { id, rowCount: 1 } })).order;
}
