// Starts the built program for a benchmark in a temporary folder, with an account without limits, and reads the CPU of its
// processes from /proc. Everything is removed at the end.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The same benchmarks can measure another built checkout.
export const root = process.env.BENCH_PROGRAM ?? fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'bin', 'peyk');

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'peyk-bench-'));

/** Starts the program over the data in this folder and waits until it is ready. */
export async function launch(folder, settings = {}) {
  const env = {
    ...process.env,
    PEYK_DATA: join(folder, 'data'),
    PEYK_PORT: '0',
    PEYK_SMPP_PORT: 'off',
    PEYK_SMSC_PORT: '0',
    PEYK_SMSC_HTTP_PORT: '0',
    PEYK_REGISTRY_PORT: '0',
    PEYK_LOG_LEVEL: 'error',
    ...settings,
  };
  const child = spawn(process.execPath, [command, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', part => {
      text += part;
      const line = text.split('\n').find(one => one.startsWith('peyk ready '));
      if (line) resolve(JSON.parse(line.slice('peyk ready '.length)));
    });
    child.once('exit', code => reject(new Error(`the program ended (${code})`)));
  });
  child.removeAllListeners('exit');
  return { child, env, ready };
}

/** Ends it with this signal and waits for its end. */
export async function end(child, signal) {
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** The process id of the embedded database. */
export function databaseOf(folder) {
  return Number(readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

export async function startProgram(settings = {}) {
  const folder = temporaryFolder();
  const { child, env, ready } = await launch(folder, settings);
  const cli = (...args) => {
    const done = spawnSync(process.execPath, [command, ...args, '--json'], { cwd: folder, env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`);
    return JSON.parse(done.stdout);
  };
  const account = cli('account', 'create', '--name', 'bench');
  cli('sender', 'approve', account.id, 'BENCH');
  cli('credit', 'grant', account.id, '500000000');
  cli('account', 'set', account.id, 'rate=1000000');
  // With DATABASE_URL the program has no database of its own.
  const roots = [child.pid, ...(env.DATABASE_URL ? [] : [databaseOf(folder)])];
  return {
    ready,
    folder,
    env,
    account,
    cli,
    socketFolder: join(folder, 'data', 'run'),
    call: (operation, members) => post(new URL(`/v1/${operation}/json`, ready.api), body(account, members)),
    callOf: (owner, operation, members) => post(new URL(`/v1/${operation}/json`, ready.api), body(owner, members)),
    order: (numbers, text, more = {}) => ({
      order: { sender: 'BENCH', message: { text, receipents: { number: numbers } }, ...more },
    }),
    processes: () => processes(roots),
    async stop() {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function body(account, members) {
  return JSON.stringify({ request: { authentication: { key: account.key, hash: account.hash }, ...members } });
}

export function post(url, text, agent) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method: 'POST', agent, headers }, answer => {
      let got = '';
      answer.setEncoding('utf8').on('data', part => {
        got += part;
      });
      answer.on('end', () => resolve({ code: answer.statusCode, ...JSON.parse(got).response }));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

export const ticksPerSecond = 100;

/**
 * Ticks a hundred times a second for `seconds`: `tick(n, track)` starts what is due and passes it to `track`. `settled` waits
 * for everything in flight; `failed` counts failures, `failures` by their message.
 */
export async function paced(seconds, tick) {
  const pending = new Set();
  const load = {
    failed: 0,
    failures: {},
    async settled() {
      while (pending.size) await Promise.all(pending);
    },
  };
  const track = promise => {
    const settled = promise.catch(failed).finally(() => pending.delete(settled));
    pending.add(settled);
  };
  const failed = error => {
    load.failed++;
    load.failures[error.message] = (load.failures[error.message] ?? 0) + 1;
  };
  const began = performance.now();
  for (let n = 0; n < seconds * ticksPerSecond; n++) {
    const wait = began + (n * 1_000) / ticksPerSecond - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    // A load generator that cannot keep up must not pile up requests of its own.
    if (pending.size <= 2_000) tick(n, track);
  }
  return load;
}

/**
 * Requests over kept connections, each sending its next when the last was answered. They are built before the clock starts and
 * sent as bytes on bare sockets: node:http's client costs 100 µs a request, more than the measured server; this one costs 15.
 */
export async function hammer(api, path, connections, count, bodyOf, headerOf = () => '') {
  const { hostname, port } = new URL(api);
  let next = 0;
  const requests = Array.from({ length: count }, (_, i) => {
    const text = bodyOf(i);
    return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headerOf(i)}\r\n${text}`;
  });
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise(
          resolve =>
            void connect(Number(port), hostname, function opened() {
              resolve(this.setNoDelay());
            }),
        ),
    ),
  );
  const began = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    sockets.map(
      socket =>
        new Promise((resolve, reject) => {
          let got = '';
          const send = () => {
            if (next >= count) return resolve(socket.end());
            socket.write(requests[next++]);
          };
          socket.on('error', reject).on('data', part => {
            got += part.latin1Slice();
            const head = got.indexOf('\r\n\r\n');
            if (head < 0 || got.length < head + 4 + Number(/content-length: (\d+)/i.exec(got)[1])) return;
            if (!got.startsWith('HTTP/1.1 200')) return reject(new Error(got.slice(0, 200)));
            got = '';
            send();
          });
          send();
        }),
    ),
  );
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: count / ((performance.now() - began) / 1000),
    loaderUs: Math.round((user + system) / count),
  };
}

/** Consecutive numbers, without those whose last digits have a special fate at the simulator (9001–9011). */
export function numbersFrom(base, count) {
  const numbers = [];
  for (let number = base; numbers.length < count; number++) if (number % 10_000 < 9_000) numbers.push(String(number));
  return numbers;
}

/** The next numbers, none of them a second time, so that each phone shows one message. */
export function freshNumbers(first = 905_300_000_000) {
  let next = first;
  return count => {
    const numbers = numbersFrom(next, count);
    next = Number(numbers.at(-1)) + 1;
    return numbers;
  };
}

/** CPU seconds and peak memory of each process, the database's backends as one. */
export function processes(roots) {
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const parent = Number(fields[1]);
      const seen = children.get(parent) ?? [];
      seen.push(Number(entry));
      children.set(parent, seen);
    } catch {}
  }
  const list = [];
  const visit = pid => {
    list.push(measure(pid));
    for (const one of children.get(pid) ?? []) visit(one);
  };
  for (const one of new Set(roots)) visit(one);
  return [...new Map(list.filter(Boolean).map(one => [one.pid, one])).values()];
}

function measure(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return {
      pid,
      name: roleOf(pid, line),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
      peakMb: Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
    };
  } catch {
    return null;
  }
}

function roleOf(pid, line) {
  if (line.startsWith('postgres') || line.includes('/postgres ')) return 'database';
  if (line.includes('simulators/')) return `simulator ${/simulators\/([a-z-]+)/.exec(line)[1]}`;
  try {
    const task = /PEYK_CHILD=(\{[^\0]*\})/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'));
    return task ? JSON.parse(task[1]).role : 'first process';
  } catch {
    return 'process';
  }
}

/** The difference of two readings: CPU µs per message by role (without simulators) and the largest process. */
export function cost(before, after, messages) {
  const spent = new Map();
  for (const one of after) {
    const earlier = before.find(old => old.pid === one.pid)?.cpuSeconds ?? 0;
    spent.set(one.name, (spent.get(one.name) ?? 0) + one.cpuSeconds - earlier);
  }
  const perMessage = Object.fromEntries(
    [...spent].map(([name, seconds]) => [name, Math.round((seconds * 1e6) / messages)]),
  );
  const ours = [...spent].filter(([name]) => !name.startsWith('simulator'));
  const total = ours.reduce((sum, [, seconds]) => sum + seconds, 0);
  const own = after.filter(one => one.name !== 'database' && !one.name.startsWith('simulator'));
  return {
    cpuUsPerMessage: Math.round((total * 1e6) / messages),
    perMessage,
    peakMb: Math.max(...own.map(one => one.peakMb)),
  };
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export async function until(condition, pauseMs = 20, maxMs = 180_000) {
  const end = performance.now() + maxMs;
  while (performance.now() < end) {
    const value = await condition();
    if (value) return value;
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  throw new Error('the condition was not met in time');
}
