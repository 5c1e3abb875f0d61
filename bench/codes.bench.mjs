// One-time codes, from the HTTP answer to their submit_sm at the carrier: alone, beside another account's campaign of 300,000
// at full speed, and beside a campaign of the same account at its rate limit. Callers and carrier are separate processes on the
// same cores. Goal: p50 at most 20 ms, p99 at most 80 ms. BENCH_PROGRAM: the folder of another build.
import { sendCodes } from './code-sender.mjs';
import { body, numbersFrom, percentile, startProgram, until } from './program.mjs';
import { launchSmsc } from './smsc.mjs';

const seconds = Number(process.env.BENCH_SECONDS ?? 12);
const rate = Number(process.env.BENCH_CODES ?? 25);
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
const campaign = Number(process.env.BENCH_CAMPAIGN ?? 300_000);
const perOrder = 50_000;
const ownRate = 500;
const codePrefix = '90555';

const smsc = await launchSmsc();
const program = await startProgram({ PEYK_SIMULATORS: '', PEYK_DEMO_TRAFFIC: 'off' });
let nextCode = 905_550_000_000;
let nextNumber = 905_300_000_000;
try {
  const address = ['--host', '127.0.0.1', '--port', String(smsc.port), '--system-id', 'peyk', '--password', 'peyk'];
  program.cli('carrier', 'add', '--name', 'bench', ...address, '--window', '100');
  await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
  const bank = opened('bank', 1_000);
  const shop = opened('shop', ownRate);
  const scenes = {
    alone: () => codesOf(bank),
    'beside the campaign of another account': () => beside(program.account, campaign, bank),
    'beside its own campaign at its rate limit': () => beside(shop, ownRate * (seconds + 6), shop),
  };
  await codesOf(bank, 4);
  const found = Object.fromEntries(Object.keys(scenes).map(name => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, scene] of Object.entries(scenes)) {
      const one = await scene();
      found[name].push(one);
      console.log(`${name}: ${said(one)}`);
      await until(nothingWaits, 250);
    }
  const of = (name, key) =>
    percentile(
      found[name].map(one => one[key]),
      0.5,
    );
  for (const name of Object.keys(scenes)) {
    const times = key => `${(of(name, key) / Math.max(1, of('alone', key))).toFixed(1)} × alone`;
    console.log(
      `${name}: answer to submit_sm p50 ${of(name, 'p50').toFixed(1)} ms (${times('p50')}), p99 ${of(name, 'p99').toFixed(1)} ms ` +
        `(${times('p99')}); goal 20 and 80`,
    );
  }
} finally {
  await program.stop();
  smsc.stop();
}

function opened(name, perSecond) {
  const account = program.cli('account', 'create', '--name', name);
  program.cli('sender', 'approve', account.id, 'BENCH');
  program.cli('credit', 'grant', account.id, '10000000');
  program.cli('account', 'set', account.id, `rate=${perSecond}`);
  return account;
}

async function codesOf(account, duration = seconds) {
  await smsc.set({ watch: codePrefix });
  const template = body(account, program.order(['@'], 'code @'));
  const url = `${program.ready.api}/v1/send-sms/json`;
  const firstNumber = nextCode;
  nextCode += rate * duration;
  const { answered, times, codes } = await sendCodes({ url, template, firstNumber, rate, seconds: duration });
  const numbers = Object.keys(answered);
  const { seen } = await until(async () => {
    const read = await smsc.read();
    return numbers.every(one => read.seen[one]) && read;
  }, 100);
  const waits = numbers.map(one => seen[one] - answered[one]);
  const http = { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  return { codes, http, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), most: Math.max(...waits) };
}

/** Codes during a campaign, whose rate is measured over the same time. */
async function beside(owner, count, account) {
  const orders = [];
  const before = (await smsc.read()).submits;
  for (let left = count; left > 0; left -= perOrder) {
    const numbers = numbersFrom(nextNumber, Math.min(left, perOrder));
    nextNumber = Number(numbers.at(-1)) + 1;
    orders.push(program.callOf(owner, 'send-sms', program.order(numbers, `campaign ${nextNumber}`)));
  }
  for (const answer of await Promise.all(orders)) if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  await until(async () => (await smsc.read()).submits - before > Math.min(1_000, count / 10));
  const from = { submits: (await smsc.read()).submits, at: performance.now() };
  const found = await codesOf(account);
  const perSecond = ((await smsc.read()).submits - from.submits) / ((performance.now() - from.at) / 1_000);
  const waiting = count - ((await smsc.read()).submits - before);
  return { ...found, perSecond, waiting: Math.max(0, waiting) };
}

function said({ codes, http, p50, p99, most, perSecond, waiting }) {
  const beside =
    perSecond === undefined ? '' : `; ${perSecond.toFixed(0)} submits/s meanwhile, ${waiting} left at the end`;
  return (
    `answered ${JSON.stringify(codes)} in p50 ${http.p50.toFixed(1)} / p99 ${http.p99.toFixed(1)} ms, then submit_sm after p50 ${p50.toFixed(1)} / ` +
    `p99 ${p99.toFixed(1)} / most ${most.toFixed(0)} ms${beside}`
  );
}

async function nothingWaits() {
  const text = await (await fetch(`${program.ready.api}/metrics`)).text();
  const waiting = [...text.matchAll(/^peyk_queue_messages\{[^}]*\} (\d+)/gm)];
  return waiting.length > 0 && waiting.every(one => one[1] === '0');
}
