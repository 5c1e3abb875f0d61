// Callers without a key, or with a wrong one, against a customer that sends single messages: some give up large bodies half-way, some
// pipeline, some guess logins. How long the customer waits beside each of them, and beside all at once (bar: p99 under 1 s).
import { connect } from 'node:net';
import { body, percentile, post, startProgram, until } from './program.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const strangers = Number(process.env.BENCH_CALLERS ?? 50);
const barMs = 1_000;

const program = await startProgram({ PEYK_DEMO_TRAFFIC: 'off' });
const { hostname, port } = new URL(program.ready.api);
let nextNumber = 905_320_000_000;

const head = (path, length) =>
  `POST /v1/${path}/json HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
const wrong = () => ({ key: 'f'.repeat(32), hash: Math.random().toString(16).padEnd(64, '0').slice(0, 64) });
const login = () => body(wrong(), {});
const piece = Buffer.alloc(64 * 1024, ' ');

/** Each is one connection's life; it is begun anew as long as the scene lasts. */
const kinds = {
  'give up large bodies': socket => {
    socket.write(head('send-sms', 8_000_000));
    for (let i = 0; i < 16; i++) socket.write(piece);
    setTimeout(() => socket.destroy(), 50);
  },
  'pipeline a thousand requests': socket => {
    const text = login();
    socket.write((head('get-balance', text.length) + text).repeat(1_000));
    setTimeout(() => socket.destroy(), 200);
  },
  'guess logins': socket => {
    const guess = () => {
      const text = login();
      socket.write(head('get-balance', text.length) + text);
    };
    socket.on('data', guess);
    guess();
  },
};

try {
  await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
  await scene('nobody', []);
  for (const [name, live] of Object.entries(kinds)) await scene(name, [live]);
  await scene('all of them', Object.values(kinds));
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  await program.stop();
}

async function scene(name, lives) {
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;
  let begun = 0;
  const crowd = Array.from({ length: lives.length === 0 ? 0 : strangers }, async (_, i) => {
    while (!isOver()) {
      begun++;
      await lived(lives[i % lives.length], end);
    }
  });
  const times = [];
  const others = {};
  while (!isOver()) {
    const began = performance.now();
    const number = String(nextNumber++);
    const text = body(program.account, program.order([number], `single ${number}`));
    const { code } = await post(new URL('/v1/send-sms/json', program.ready.api), text).catch(error => ({
      code: error.code,
    }));
    times.push(performance.now() - began);
    if (code !== 200) others[code] = (others[code] ?? 0) + 1;
  }
  await Promise.all(crowd);
  const [p50, p99] = [0.5, 0.99].map(share => percentile(times, share));
  console.log(
    `${name}: ${begun} connections of strangers; the customer's ${times.length} orders p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms ` +
      `(${p99 < barMs ? 'ok' : 'OVER THE BAR'}), other answers ${JSON.stringify(others)}`,
  );
}

function lived(live, end) {
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
    socket.on('error', () => {});
    socket.resume();
    socket.once('connect', () => live(socket));
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
