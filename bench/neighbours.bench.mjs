// What one account notices of another: its rate of single sends, their answers and the time to their submit_sm while the other
// is refused, throttled, exporting, erasing or uploading; its receipts over SMPP while the other's bind acknowledges nothing.
// Quiet rounds and rounds with the neighbour alternate; results are ratios to the quiet ones (a refused neighbour: to one who
// pays and sends as much). BENCH_ONLY=name: one scene.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sendCodes } from './code-sender.mjs';
import { body, hammer, numbersFrom, percentile, root, startProgram, until } from './program.mjs';
import { boundCustomer } from './smpp-customer.mjs';
import { launchSmsc, now } from './smsc.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const singles = Number(process.env.BENCH_COUNT ?? 1_500);
const codesPerSecond = 25;
const neighbourPerSecond = 100;
const stored = 50_000;
const codePrefix = '90555';
const slowPrefix = '90540';

const fast = await launchSmsc();
const slow = await launchSmsc();
const settings = { PEYK_SIMULATORS: '', PEYK_DEMO_TRAFFIC: 'off', PEYK_SMPP_PORT: '0', PEYK_WORKERS: '2' };
const program = await startProgram(settings);
const url = `${program.ready.api}/v1/send-sms/json`;
let nextCode = 905_550_000_000;
let nextNumber = 905_300_000_000;
let nextSlow = 905_400_000_000;
const take = count => {
  const numbers = numbersFrom(nextNumber, count);
  nextNumber = Number(numbers.at(-1)) + 1;
  return numbers;
};

try {
  addCarrier('fast', fast, '--window', '100');
  addCarrier('slow', slow, '--window', '100', '--prefixes', slowPrefix, '--priority', '1');
  await until(() => program.cli('carrier', 'list').every(one => one.state === 'bound'), 200);
  const a = opened('a', 10_000_000);
  const poor = opened('poor', 0);
  const payer = opened('payer', 10_000_000);
  const list = await exporter();
  const scenes = {
    'refused for lack of credit': { quiet: () => singleSends(payer), busy: () => singleSends(poor) },
    'throttled by its carrier': { busy: () => slowCampaign(payer, { refusing: true }) },
    'at a carrier that answers after a second': { busy: () => slowCampaign(payer, { answerMs: 1_000 }) },
    exporting: { busy: () => exports(list) },
    'erasing numbers': { quiet: () => commands('--version'), busy: () => commands('privacy', 'erase', '905300000000') },
    'uploading a large body slowly': { busy: () => uploads(payer) },
  };
  for (const [name, scene] of Object.entries(scenes))
    if (!process.env.BENCH_ONLY || name.startsWith(process.env.BENCH_ONLY))
      await compare(name, scene, () => measured(a));
  if (!process.env.BENCH_ONLY || 'a slow SMPP bind'.startsWith(process.env.BENCH_ONLY)) await slowBind(a, payer);
} finally {
  await program.stop();
  fast.stop();
  slow.stop();
}

function addCarrier(name, smsc, ...more) {
  const address = ['--host', '127.0.0.1', '--port', String(smsc.port), '--system-id', 'peyk', '--password', 'peyk'];
  program.cli('carrier', 'add', '--name', name, ...address, ...more);
}

function opened(name, credit) {
  const account = program.cli('account', 'create', '--name', name);
  program.cli('sender', 'approve', account.id, 'BENCH');
  const { balance } = program.cli('account', 'show', account.id);
  const change = credit - (balance?.sms ?? balance);
  if (change !== 0) program.cli('credit', 'grant', account.id, String(change));
  program.cli('account', 'set', account.id, 'rate=100000');
  return account;
}

/** Starts, runs until its `stop`, which waits for its end. */
function repeated(action) {
  let running = true;
  const done = (async () => {
    while (running) await action();
  })();
  return {
    stop() {
      running = false;
      return done;
    },
  };
}

async function compare(name, { quiet = () => ({ stop() {} }), busy }, measure) {
  const found = { quiet: [], busy: [] };
  for (let round = -1; round < rounds; round++)
    for (const kind of round % 2 ? ['quiet', 'busy'] : ['busy', 'quiet']) {
      const neighbour = await (kind === 'busy' ? busy() : quiet());
      const results = await measure();
      await neighbour.stop();
      await until(nothingWaits, 100);
      if (round >= 0) found[kind].push(results);
    }
  const parts = Object.keys(found.quiet[0]).map(key => {
    const [quiet, busy] = [found.quiet, found.busy].map(list =>
      percentile(
        list.map(one => one[key]),
        0.5,
      ),
    );
    return `${key} ${busy.toFixed(1)} against ${quiet.toFixed(1)} (${(busy / quiet).toFixed(2)} ×)`;
  });
  console.log(`a neighbour ${name}: ${parts.join(', ')}`);
}

async function measured(account) {
  await fast.set({ watch: codePrefix });
  const numbers = take(singles);
  const { perSecond } = await hammer(program.ready.api, '/v1/send-sms/json', 8, singles, i =>
    body(account, program.order([numbers[i]], `single ${numbers[i]}`)),
  );
  const template = body(account, program.order(['@'], 'code @'));
  const firstNumber = nextCode;
  nextCode += codesPerSecond * seconds;
  const { answered, times } = await sendCodes({ url, template, firstNumber, rate: codesPerSecond, seconds });
  const codes = Object.keys(answered);
  const { seen } = await until(async () => {
    const read = await fast.read();
    return codes.every(one => read.seen[one]) && read;
  }, 50);
  const waits = codes.map(one => seen[one] - answered[one]);
  return {
    'rate/s': perSecond,
    'answered p50 ms': percentile(times, 0.5),
    'p99 ms': percentile(times, 0.99),
    'to submit_sm p50 ms': Math.max(0.1, percentile(waits, 0.5)),
    'submit_sm p99 ms': Math.max(0.1, percentile(waits, 0.99)),
  };
}

function singleSends(account) {
  const template = body(account, program.order(['@'], 'neighbour @'));
  return repeated(() =>
    sendCodes({
      url,
      template,
      firstNumber: Number(take(neighbourPerSecond).at(0)),
      rate: neighbourPerSecond,
      seconds: 1,
    }),
  );
}

/** Enough for the whole measurement; the rest is sent at once when the carrier recovers. */
async function slowCampaign(account, how) {
  await slow.set(how);
  const numbers = numbersFrom(nextSlow, 3_000);
  nextSlow = Number(numbers.at(-1)) + 1;
  await program.callOf(account, 'send-sms', program.order(numbers, `slow ${nextSlow}`));
  return { stop: () => slow.set({ answerMs: 0, refusing: false }) };
}

/** An account with a user of its own, and a list long enough to be exported in the background. */
async function exporter() {
  const staff = await panel('session.signIn', program.ready.staff);
  const opened = await panel('staff.openAccount', { name: 'exporter', ownerEmail: 'bench@ornek.com' }, staff.cookie);
  const own = { token: opened.data.invite.token, mobile: '5550004322', password: 'uzun bir parola 1' };
  const { cookie } = await panel('session.acceptInvite', own);
  const { id } = opened.data;
  program.cli('sender', 'approve', id, 'BENCH');
  program.cli('credit', 'grant', id, '10000000');
  program.cli('account', 'set', id, 'rate=1000000');
  const key = program.cli('key', 'add', id, '--name', 'bench');
  const { order } = await program.callOf(key, 'send-sms', program.order(take(stored), 'to be exported'));
  await until(nothingWaits, 100);
  return { cookie, filter: { id: Number(order.id) } };
}

async function exports({ cookie, filter }) {
  const request = { kind: 'recipients', format: 'xlsx', language: 'tr', filter };
  return repeated(async () => {
    const { data } = await panel('exports.start', request, cookie);
    await until(async () => {
      const live = await panel('live', {}, cookie);
      return live.data.exports.some(one => one.id === data.id && one.state === 'ready');
    }, 100);
  });
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

/** By the operators' command. Starting it costs most, so the quiet side starts commands that erase nothing. */
function commands(...args) {
  return repeated(
    () =>
      new Promise(resolve => {
        const child = spawn(process.execPath, [join(root, 'bin', 'peyk'), ...args, '--json'], {
          cwd: program.folder,
          env: program.env,
          stdio: 'ignore',
        });
        child.once('exit', () => setTimeout(resolve, 500));
      }),
  );
}

/** Bodies of 4 MB that arrive at 20 kB/s, as many as a customer may have in flight. */
function uploads(account) {
  const { hostname, port } = new URL(program.ready.api);
  const start = body(account, program.order(['5'], 'x'))
    .slice(0, 200)
    .padEnd(70_000);
  const head =
    'POST /v1/send-sms/json HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\n\r\n';
  const sockets = Array.from({ length: 50 }, () =>
    connect(Number(port), hostname, function opened() {
      this.write(head + start);
    }).on('error', () => {}),
  );
  const drip = setInterval(() => {
    for (const one of sockets) if (one.writable) one.write(' '.repeat(2_000));
  }, 100);
  return {
    stop() {
      clearInterval(drip);
      for (const one of sockets) one.destroy();
    },
  };
}

/** A thousand receipts wait at a bind that acknowledges none; how soon do another account's receipts arrive? */
async function slowBind(a, b) {
  const [mine, other] = [a, b].map(account => {
    const user = program.cli('smpp', 'add', account.id, '--addresses', '127.0.0.1');
    program.cli('smpp', 'set', account.id, user.systemId, 'window=100', 'receipt-window=10');
    return user;
  });
  const customer = await boundCustomer(program.ready.smpp, mine);
  const busy = async () => {
    const deaf = await boundCustomer(program.ready.smpp, other, { acknowledges: false });
    await Promise.all(take(90).map(number => deaf.submit(number, `deaf ${number}`)));
    const more = repeated(() =>
      Promise.all(take(20).map(number => deaf.submit(number, `deaf ${number}`).catch(() => {}))),
    );
    return {
      async stop() {
        await more.stop();
        deaf.end();
      },
    };
  };
  const quiet = async () => {
    const well = await boundCustomer(program.ready.smpp, other);
    const more = repeated(() =>
      Promise.all(take(20).map(number => well.submit(number, `well ${number}`).catch(() => {}))),
    );
    return {
      async stop() {
        await more.stop();
        well.end();
      },
    };
  };
  await compare('whose SMPP bind acknowledges nothing', { quiet, busy }, () => overSmpp(customer));
  customer.end();
}

async function overSmpp(customer) {
  const answers = [];
  const answered = [];
  const began = now();
  for (let i = 0; i < codesPerSecond * seconds; i++) {
    const wait = began + (i * 1_000) / codesPerSecond - now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    const at = now();
    answers.push(
      customer.submit(take(1)[0], `code ${i}`).then(one => {
        answered.push(one.at - at);
        return one;
      }),
    );
  }
  const all = await Promise.all(answers);
  await until(() => all.every(one => customer.receipts.has(one.id)), 20);
  const waits = all.map(one => customer.receipts.get(one.id) - one.at);
  return {
    'submit_sm_resp p50 ms': percentile(answered, 0.5),
    'p99 ms': percentile(answered, 0.99),
    'receipt p50 ms': percentile(waits, 0.5),
    'receipt p99 ms': percentile(waits, 0.99),
  };
}

async function nothingWaits() {
  const text = await (await fetch(`${program.ready.api}/metrics`)).text();
  const waiting = [...text.matchAll(/^peyk_queue_messages\{[^}]*\} (\d+)/gm)];
  return waiting.length > 0 && waiting.every(one => one[1] === '0');
}
