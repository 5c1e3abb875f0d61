// Customers over SMPP: submits accepted durably at window 100 and 10 over one bind, beside single sends over HTTP; then the whole
// way in → carrier → receipt back, with one text and with a text each, beside the same number of messages as one HTTP order (bar: half of it). All in one run; the loader is our own
// client in this process and costs about 15 µs a submit. BENCH_ONLY=acceptance or way: one of the two. BENCH_SMSBENCH=path: an SMPP client in C (`esme`) submits as well.
import { spawnSync } from 'node:child_process';
import { connect } from '../dist/src/smpp/client.js';
import { submitTemplate } from '../dist/src/smpp/submit-body.js';
import { body, cost, hammer, numbersFrom, percentile, startProgram, until } from './program.mjs';

const count = Number(process.env.BENCH_COUNT ?? 20_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const warmUps = 3;

const program = await startProgram({ PEYK_SMPP_PORT: '0', PEYK_SIMULATORS: 'smsc', PEYK_WORKERS: '1' });
try {
  program.cli('dispatch', 'hold', '--reason', 'bench');
  const user = program.cli('smpp', 'add', program.account.id, '--addresses', '127.0.0.1');
  program.cli('smpp', 'set', program.account.id, user.systemId, 'binds=10', 'window=200', 'receipt-window=200');
  if (process.env.BENCH_ONLY !== 'way') await acceptance(user);
  program.cli('dispatch', 'release', '--close');
  await until(nothingWaits, 1_000);
  if (process.env.BENCH_ONLY !== 'acceptance') await endToEnd(user);
} finally {
  await program.stop();
}

function bind(user, window, handler = {}) {
  const [host, port] = program.ready.smpp.split(':');
  const options = { host, port: Number(port), bind: 'transceiver', ...user, window };
  const times = { responseTimeoutMs: 60_000, enquireLinkMs: 30_000, connectTimeoutMs: 10_000 };
  const nothing = { onSubmitAnswer() {}, onSubmitLost() {}, onRequest() {}, onClose() {} };
  return connect({ ...options, ...times }, { ...nothing, ...handler });
}

/** One text for all, or `own`: each message has one of its own, as one-time codes have. */
function bodies(registeredDelivery, own) {
  const fields = { sourceAddrTon: 5, sourceAddr: 'BENCH', destAddrTon: 1, destAddrNpi: 1, registeredDelivery };
  const template = text => submitTemplate({ ...fields, shortMessage: Buffer.from(text) });
  const common = template('bench');
  return number => (own ? template(`bench ${number}`) : common).encode(number);
}

/** Submits so many and resolves when the last is answered: how many in a second. */
async function submits(user, window, numbers, handler = {}, { registeredDelivery = 0, own = false } = {}) {
  const bodyFor = bodies(registeredDelivery, own);
  let next = 0;
  let answered = 0;
  let finish;
  const done = new Promise(resolve => {
    finish = resolve;
  });
  const more = () => {
    while (next < numbers.length && session.room() > 0) session.submit(bodyFor(numbers[next++]), next);
  };
  const session = await bind(user, window, {
    ...handler,
    onSubmitAnswer(_token, status) {
      if (status !== 0) throw new Error(`submit refused: ${status}`);
      if (++answered === numbers.length) finish();
    },
    onRoom: more,
  });
  const began = performance.now();
  more();
  await done;
  const perSecond = numbers.length / ((performance.now() - began) / 1000);
  return { perSecond, session, began };
}

async function acceptance(user) {
  const kinds = Object.fromEntries(['100', '10', 'http'].map(name => [name, { rates: [], costs: [] }]));
  let base = 905_300_000_000;
  const fresh = () => {
    base += 1_000_000;
    return numbersFrom(base, count);
  };
  for (let round = -warmUps; round < rounds; round++)
    for (const [name, { rates, costs }] of Object.entries(kinds)) {
      const before = program.processes();
      const cpu = process.cpuUsage();
      rates.push(name === 'http' ? await singleSends(fresh()) : await overOneBind(user, Number(name), fresh()));
      const { user: own, system } = process.cpuUsage(cpu);
      const { perMessage } = cost(before, program.processes(), count);
      costs.push({ loader: Math.round((own + system) / count), ...perMessage });
    }
  for (const [name, { rates, costs }] of Object.entries(kinds)) {
    const of = role => median(costs.slice(warmUps).map(one => one[role] ?? 0));
    const parts = ['smpp', 'api', 'database', 'loader'].map(role => `${role} ${of(role)}`).join(', ');
    const what = name === 'http' ? 'HTTP single sends over 32 connections' : `submits accepted durably, window ${name}`;
    console.log(`${what}: ${median(rates.slice(warmUps))}/s; CPU µs ${parts}`);
  }
  if (process.env.BENCH_SMSBENCH) inC(user);
}

function median(list) {
  return Math.round(percentile(list, 0.5));
}

async function overOneBind(user, window, numbers) {
  const { perSecond, session } = await submits(user, window, numbers);
  await session.unbind(1_000);
  return perSecond;
}

async function singleSends(numbers) {
  const { perSecond } = await hammer(program.ready.api, '/v1/send-sms/json', 32, count, i =>
    body(program.account, program.order([numbers[i]], 'bench')),
  );
  return perSecond;
}

function inC(user) {
  const port = program.ready.smpp.split(':').at(-1);
  for (const window of ['100', '10']) {
    const args = [
      'esme',
      '--port',
      port,
      '--system-id',
      user.systemId,
      '--password',
      user.password,
      '--window',
      window,
      '--n',
      String(count),
      '--dlr',
      '0',
    ];
    const done = spawnSync(process.env.BENCH_SMSBENCH, args, { encoding: 'utf8' });
    console.log(`C client, window ${window}: ${(done.stdout + done.stderr).trim().split('\n').at(-1)}`);
  }
}

async function endToEnd(user) {
  const ways = Object.fromEntries(
    ['one text', 'a text each'].map(name => [name, { rates: [], ratios: [], costs: [] }]),
  );
  const bulks = [];
  let base = 905_500_000_000;
  const fresh = () => {
    base += 1_000_000;
    return numbersFrom(base, count);
  };
  for (let round = -1; round < rounds; round++) {
    const results = {};
    for (const name of Object.keys(ways)) {
      const before = program.processes();
      const rate = await backAndForth(user, fresh(), name === 'a text each');
      const { cpuUsPerMessage, perMessage } = cost(before, program.processes(), count);
      results[name] = { rate, costs: { all: cpuUsPerMessage, ...perMessage } };
    }
    const http = await bulk(fresh());
    if (round < 0) continue;
    bulks.push(http);
    for (const [name, { rate, costs }] of Object.entries(results)) {
      ways[name].rates.push(rate);
      ways[name].ratios.push(rate / http);
      ways[name].costs.push(costs);
    }
  }
  console.log(`HTTP bulk of as many: ${median(bulks)}/s`);
  for (const [name, { rates, ratios, costs }] of Object.entries(ways)) {
    const of = role => median(costs.map(one => one[role] ?? 0));
    const parts = ['smpp', 'dispatch', 'database'].map(role => `${role} ${of(role)}`).join(', ');
    const ratio = percentile(ratios, 0.5).toFixed(2);
    console.log(
      `in, out and receipt back, ${name}: ${median(rates)}/s, ${ratio} of bulk; CPU ${of('all')} µs a message: ${parts}`,
    );
  }
}

/** What was accepted and held before is closed: it must not be in the way of what is measured next. */
async function nothingWaits() {
  const text = await (await fetch(`${program.ready.api}/metrics`)).text();
  const waiting = [...text.matchAll(/^peyk_queue_messages\{[^}]*\} (\d+)/gm)];
  return waiting.length > 0 && waiting.every(one => one[1] === '0');
}

async function backAndForth(user, numbers, own) {
  let receipts = 0;
  const onRequest = (pdu, link) => {
    receipts++;
    link.respond('deliver_sm_resp', pdu.sequence, 0, { messageId: '' });
  };
  const { session, began } = await submits(user, 100, numbers, { onRequest }, { registeredDelivery: 1, own });
  await until(() => receipts >= numbers.length);
  const perSecond = numbers.length / ((performance.now() - began) / 1000);
  await session.unbind(1_000);
  return perSecond;
}

async function bulk(numbers) {
  const began = performance.now();
  const { order } = await program.call('send-sms', program.order(numbers, `bulk ${numbers[0]}`));
  await until(async () => {
    const report = await program.call('get-report', { order: { id: order.id, page: 1, rowCount: 1 } });
    return report.order.status === '114' || report.order.status === 114;
  });
  return numbers.length / ((performance.now() - began) / 1000);
}
