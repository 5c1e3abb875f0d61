// Ten times the sustainable load, by callers who ignore Retry-After: what is refused and how soon, another customer's one-time
// codes meanwhile, memory, and the rate afterwards. Then 10,000 silent connections, and callers that write a byte a second or
// read nothing. The callers use the same two cores, and more of them than the program.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { body, hammer, numbersFrom, percentile, post, startProgram, until } from './program.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const callers = Number(process.env.BENCH_CALLERS ?? 2_000);
const idleConnections = 10_000;
const slowCallers = 500;

const program = await startProgram({ PEYK_DEMO_TRAFFIC: 'off' });
const { hostname, port } = new URL(program.ready.api);
const crowd = fork(fileURLToPath(new URL('./crowd.mjs', import.meta.url)));
let nextNumber = 905_310_000_000;
let nextCode = 0;
try {
  await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
  const bank = program.cli('account', 'create', '--name', 'bank');
  program.cli('sender', 'approve', bank.id, 'BENCH');
  program.cli('credit', 'grant', bank.id, '1000000');
  let sustained = 0;
  for (let round = 0; round < 3; round++) sustained = await sustainable(round);
  await scene('what can be sustained', sustained / 2, bank);
  await scene('ten times as much', sustained * 10, bank);
  await until(nothingWaits, 250);
  const after = await sustainable(3);
  console.log(`afterwards ${after.toFixed(0)}/s, ${((after / sustained) * 100).toFixed(0)} % of before (bar 90 %)`);
  await slow(bank);
  await idle(bank);
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  crowd.kill();
  await program.stop();
}

async function sustainable(round) {
  const count = 8_000;
  const numbers = numbersFrom(905_300_000_000 + round * 100_000, count);
  const text = i => body(program.account, program.order([numbers[i]], `single ${round} ${i}`));
  return (await hammer(program.ready.api, '/v1/send-sms/json', 32, count, text)).perSecond;
}

async function scene(name, rate, bank) {
  const codes = sendCodes(bank);
  const [head, tail] = body(program.account, program.order(['@'], 'flood')).split('@');
  const request = { host: hostname, port: Number(port), head, tail, firstNumber: nextNumber };
  const said = await new Promise(resolve => {
    crowd.once('message', resolve);
    crowd.send({ ...request, rate, connections: callers, seconds });
  });
  nextNumber = said.number;
  const { times, refused: refusedCodes } = await codes.stop();
  const ms = ({ p50, p99 }) => `p50 ${p50} ms, p99 ${p99} ms`;
  console.log(
    `${name}: ${said.offered} wanted to send, ${said.none} found no connection; ${said.accepted} accepted (${ms(said.times.accepted)}), ` +
      `${said.refused} refused (${ms(said.times.refused)}; ${said.withRetryAfter} with Retry-After), ${said.lost + said.silent} without an answer, others ${JSON.stringify(said.others)}`,
  );
  console.log(
    `  another customer's codes: ${times.length} sent, ${refusedCodes} refused, answered p50 ${percentile(times, 0.5).toFixed(0)} ms, ` +
      `p99 ${percentile(times, 0.99).toFixed(0)} ms; memory ${memory()}`,
  );
}

/** One after another, each over a connection of its own. */
function sendCodes(bank) {
  const times = [];
  let refused = 0;
  let running = true;
  const done = (async () => {
    while (running) {
      const began = performance.now();
      if ((await code(bank)) !== 200) refused++;
      times.push(performance.now() - began);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    return { times, refused };
  })();
  return {
    stop() {
      running = false;
      return done;
    },
  };
}

async function code(bank) {
  const i = nextCode++;
  const text = body(bank, program.order([String(905_010_000_000 + i)], `code ${i}`));
  return (await post(new URL('/v1/send-sms/json', program.ready.api), text)).code;
}

async function othersMs(bank) {
  const times = [];
  for (let i = 0; i < 100; i++) {
    const began = performance.now();
    await code(bank);
    times.push(performance.now() - began);
  }
  return `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`;
}

async function slow(bank) {
  const before = await othersMs(bank);
  const start = `POST /v1/send-sms/json HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`;
  const report = body(program.account, { order: { rowCount: 1_000 } });
  const asked = `POST /v1/get-reports/json HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${report.length}\r\n\r\n${report}`;
  const writers = await connected(slowCallers, start);
  const readers = await connected(slowCallers, asked.repeat(50));
  const drip = setInterval(() => {
    for (const one of writers) one.write(' ');
  }, 1_000);
  console.log(
    `${slowCallers} that write a byte a second and ${slowCallers} that ask and do not read: others ${await othersMs(bank)} (before: ${before}); memory ${memory()}`,
  );
  clearInterval(drip);
  for (const one of [...writers, ...readers]) one.destroy();
}

async function idle(bank) {
  const before = memory();
  const sockets = await connected(idleConnections);
  let cut = 0;
  for (const one of sockets) one.resume().once('close', () => cut++);
  const began = performance.now();
  console.log(`${idleConnections} idle connections: memory ${before} -> ${memory()}; others ${await othersMs(bank)}`);
  await until(() => cut === idleConnections, 500);
  console.log(`  all cut after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}

async function connected(count, first = '') {
  const sockets = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => connect(Number(port), hostname));
    await Promise.all(some.map(one => new Promise(resolve => one.once('connect', resolve))));
    for (const one of some) {
      one.on('error', () => {});
      if (first) one.write(first);
    }
    sockets.push(...some);
  }
  return sockets;
}

async function nothingWaits() {
  return (await program.call('get-balance', {})).code === 200;
}

/** Memory of our processes now, in MB, without the database and the simulators. */
function memory() {
  return program
    .processes()
    .filter(one => one.name !== 'database' && !one.name.startsWith('simulator'))
    .map(one => `${one.name} ${residentMb(one.pid)}`)
    .join(', ');
}

function residentMb(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}
