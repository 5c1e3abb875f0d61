// Hours of a working day at half load, with a short retention: one-time codes, single sends with a webhook, campaigns, reports,
// balances, panel pages. The last tenth is compared with the first: rate, one-time codes from HTTP to the wire, CPU per
// message, memory and open files of each process, size and dead rows of each table and index. Unbounded growth shows. Exit code
// 1 below the bars. BENCH_MINUTES: how long (120). BENCH_RATE: messages a second; default: half of the rate of a short run at
// full speed.
import { Agent, createServer } from 'node:http';
import { openPool } from '../dist/src/db/db.js';
import { OrderRetention } from '../dist/src/orders/retention.js';
import { body, cost, freshNumbers, paced, percentile, post, startProgram, ticksPerSecond, until } from './program.mjs';
import { compare, openFiles, ownMemory, storage } from './soak-readings.mjs';

const minutes = Number(process.env.BENCH_MINUTES ?? 120);
const tenths = 10;
/** Finished orders are kept this long: it passes several times within the run. */
const keptMinutes = Math.max(0.5, minutes / 20);
const bulkShare = 0.6;
/** At every distance from the large orders. */
const ticksPerCode = 21;

const receiver = createServer((request, answer) => {
  request.resume().on('end', () => answer.end());
  posts++;
});
let posts = 0;
await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve));
const program = await startProgram({ PEYK_DEMO_TRAFFIC: 'off', PEYK_ALLOW_PRIVATE_WEBHOOKS: 'true' });
const smsc = program.ready.smscHttp;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const db = openPool(
  { host: program.socketFolder, user: 'peyk', database: 'peyk' },
  { max: 2, name: 'bench', onError() {} },
);
const fresh = freshNumbers();
let failed = 0;
let lastOrder = 0;
let ending = false;
const stats = async () => (await fetch(`${smsc}/stats`)).json();

try {
  await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
  const shop = await openShop();
  const rate = Number(process.env.BENCH_RATE ?? 0) || (await fullSpeed(shop)) / 2;
  console.log(`${rate.toFixed(0)} messages/s, orders kept for ${keptMinutes} min`);
  const removing = removeOld();
  await load(shop, rate, keptMinutes * 2.5, 'until as much goes as comes');
  const seen = [];
  for (let at = 0; at < tenths; at++) seen.push(await load(shop, rate, minutes / tenths, `${at + 1} of ${tenths}`));
  ending = true;
  await removing;
  const wrong = compare(seen[0], seen.at(-1));
  console.log(`requests that failed: ${failed}, webhook posts: ${posts}`);
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
  for (const one of wrong) console.log(`BELOW THE BAR: ${one}`);
  if (wrong.length > 0 || failed > 0) process.exitCode = 1;
} catch (error) {
  // Before the requests in flight are cut off, whose failures mean nothing.
  console.error(error);
  process.exitCode = 1;
} finally {
  ending = true;
  agent.destroy();
  await db.end();
  await program.stop();
  receiver.close();
}

/** An account with a user who looks at its pages, and a webhook. */
async function openShop() {
  const staff = await panel('session.signIn', program.ready.staff);
  const opened = await panel('staff.openAccount', { name: 'shop', ownerEmail: 'bench@ornek.com' }, staff.cookie);
  const own = { token: opened.data.invite.token, mobile: '5550004322', password: 'uzun bir parola 1' };
  const { cookie } = await panel('session.acceptInvite', own);
  const { id } = opened.data;
  program.cli('sender', 'approve', id, 'BENCH');
  program.cli('credit', 'grant', id, '500000000');
  program.cli('account', 'set', id, 'rate=1000000');
  program.cli('webhook', 'add', id, `http://127.0.0.1:${receiver.address().port}/`);
  return { ...program.cli('key', 'add', id, '--name', 'bench'), cookie, staff: staff.cookie };
}

async function panel(operation, input, cookie = '') {
  const answer = await fetch(`${program.ready.panel}api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-peyk-panel': '1', cookie },
    body: JSON.stringify(input),
  });
  const { data, error } = await answer.json();
  if (error) throw new Error(`${operation}: ${error.code}`);
  return { data, cookie: answer.headers.getSetCookie().join().split(';')[0] };
}

/** The same mixture at full speed, for as long as it takes to send this many. */
async function fullSpeed(shop) {
  const rounds = 6;
  const single = 1_500;
  const bulk = (single / (1 - bulkShare)) * bulkShare;
  const before = (await stats()).accepted;
  let began = 0;
  for (let at = 0; at <= rounds; at++) {
    // The first round lets V8 compile the code.
    if (at === 1) began = performance.now();
    const campaign = send(program.account, bulk);
    await inTurns(single, 32, () => send(shop, 1));
    await campaign;
    if (at === 0) await until(async () => (await stats()).accepted - before >= single + bulk, 50);
  }
  await until(async () => (await stats()).accepted - before >= (rounds + 1) * (single + bulk), 50);
  const rate = (rounds * (single + bulk)) / ((performance.now() - began) / 1000);
  console.log(`full speed: ${rate.toFixed(0)} messages/s`);
  return rate;
}

async function inTurns(count, atOnce, work) {
  let left = count;
  const one = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** What the program does after a day, for orders that are minutes old. */
async function removeOld() {
  const retention = new OrderRetention(db, keptMinutes / 1440);
  while (!ending) {
    const left = await retention.round().catch(() => {});
    await new Promise(resolve => setTimeout(resolve, left ?? 5_000));
  }
}

/** The load for this long, and its measurements. */
async function load(shop, rate, forMinutes, name) {
  const seconds = Math.max(10, Math.round(forMinutes * 60));
  const before = program.processes();
  const acceptedBefore = (await stats()).accepted;
  const began = performance.now();
  const codes = [];
  const singlesPerTick = (rate * (1 - bulkShare)) / ticksPerSecond;
  let due = 0;
  const running = await paced(seconds, (tick, track) => {
    for (due += singlesPerTick; due >= 1; due--) track(send(shop, 1));
    if (tick % ticksPerSecond === 0) track(send(program.account, Math.round(rate * bulkShare)));
    if (tick % ticksPerCode === 0) track(code(shop).then(ms => codes.push(ms)));
    if (tick % ticksPerSecond === ticksPerSecond / 2) for (const poll of polls(shop)) track(poll);
  });
  const messages = (await stats()).accepted - acceptedBefore;
  const reached = messages / ((performance.now() - began) / 1000);
  await running.settled();
  failed += running.failed;
  const after = program.processes();
  const { cpuUsPerMessage: cpu, perMessage } = cost(before, after, messages);
  const seen = {
    rate: reached,
    messages,
    cpu,
    p50: percentile(codes, 0.5),
    p99: percentile(codes, 0.99),
    memory: ownMemory(after),
    files: openFiles(after),
    storage: await storage(db),
  };
  console.log(
    `${name}: ${seconds} s, ${reached.toFixed(0)} messages/s, codes p50 ${seen.p50} ms, p99 ${seen.p99} ms, CPU ${cpu} µs a message (${shares(perMessage)})`,
  );
  return seen;
}

function shares(perMessage) {
  return Object.entries(perMessage)
    .map(one => one.join(' '))
    .join(', ');
}

async function send(account, count) {
  const numbers = fresh(count);
  const answer = await ask('send-sms', account, program.order(numbers, `text ${numbers[0]}`));
  if (account === program.account) lastOrder = answer.order.id;
}

async function ask(operation, account, members) {
  const answer = await post(new URL(`/v1/${operation}/json`, program.ready.api), body(account, members), agent);
  if (answer.code !== 200) throw new Error(`${operation}: ${answer.code}`);
  return answer;
}

/** From the request to the wire, as recorded by the simulator. */
async function code(account) {
  const [to] = fresh(1);
  const began = Date.now();
  await ask('send-sms', account, program.order([to], `code ${to} ${began}`));
  const message = await until(async () => {
    const shown = await (await fetch(`${smsc}/messages?to=${to}`)).json();
    return shown.find(one => Date.parse(one.receivedAt) >= began - 1_000);
  }, 200);
  return Date.parse(message.receivedAt) - began;
}

function today() {
  return new Date().toISOString().slice(0, 10);
}

function polls(shop) {
  return [
    ask('get-report', program.account, { order: { id: lastOrder, page: 1, rowCount: 100 } }),
    ask('get-reports', shop, { filter: { start: today(), end: today(), page: 1 } }),
    ask('get-balance', shop, {}),
    panel('overview.read', { period: '30d' }, shop.cookie),
    panel('orders.list', { limit: 50 }, shop.cookie),
    panel('staff.health', {}, shop.staff),
  ];
}
