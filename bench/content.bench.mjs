// The cost of sealed content (PEYK_CONTENT=sealed): two programs side by side, one unsealed, one sealed, alternating with the
// same work: single sends, a campaign with one text, a campaign with a text for each recipient; accepted, sent, and reported.
// CPU of all processes of a program per message, and of the cipher alone.
import pg from 'pg';
import { body, hammer, numbersFrom, percentile, startProgram, until } from './program.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const each = Number(process.env.BENCH_MESSAGES ?? 5_000);
const kinds = { 'single sends': singles, 'one text': oneText, 'a text each': textEach };

await cipherAlone();
const settings = { PEYK_WORKERS: '1', PEYK_SIMULATORS: 'smsc', PEYK_DEMO_TRAFFIC: 'off' };
const programs = [await startProgram(settings), await startProgram({ ...settings, PEYK_CONTENT: 'sealed' })];
try {
  for (const [name, work] of Object.entries(kinds)) {
    const costs = [[], []];
    for (let round = -1; round < rounds; round++)
      for (const [i, program] of programs.entries()) {
        const before = cpuOf(program);
        await work(program, round + 1);
        await ended(program);
        if (round >= 0) costs[i].push(((cpuOf(program) - before) * 1e6) / each);
      }
    const [plain, sealed] = costs.map(one => percentile(one, 0.5));
    console.log(
      `${name}: plain ${plain.toFixed(0)} µs a message, sealed ${sealed.toFixed(0)} µs (${(sealed - plain).toFixed(0)} µs more, ×${(sealed / plain).toFixed(2)})`,
    );
  }
} finally {
  for (const one of programs) await one.stop();
}

async function cipherAlone() {
  const content = await import(new URL('../dist/src/content.js', import.meta.url));
  content.useContentKeys(Buffer.alloc(32, 1), 'sealed');
  const texts = Array.from({ length: 50_000 }, (_, i) => `Sayın müşterimiz, ${i} TL tutarındaki faturanız hazırdır.`);
  const sealed = timed('seal', texts, one => content.sealText(one));
  timed('open', sealed, one => content.openText(one));
  content.useContentKeys(Buffer.alloc(32, 1), 'plain');
  timed('seal, off', texts, one => content.sealText(one));
  timed('open, plain', texts, one => content.openText(one));
}

function timed(name, list, work) {
  for (const one of list.slice(0, 5_000)) work(one);
  const before = process.cpuUsage();
  const done = list.map(work);
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: ${((user + system) / list.length).toFixed(2)} µs a text`);
  return done;
}

function cpuOf(program) {
  return program
    .processes()
    .filter(one => !one.name.startsWith('simulator'))
    .reduce((sum, one) => sum + one.cpuSeconds, 0);
}

async function singles(program, round) {
  const numbers = numbersFrom(905_300_000_000 + round * 1_000_000, each);
  const bodies = i => body(program.account, program.order([numbers[i]], `Kodunuz ${round} ${i}`));
  await hammer(program.ready.api, '/v1/send-sms/json', 16, each, bodies);
}

async function oneText(program, round) {
  await accepted(program.call('send-sms', program.order(numbersFrom(905_400_000_000, each), `Kampanya ${round}`)));
}

async function textEach(program, round) {
  const message = numbersFrom(905_500_000_000, each).map((number, i) => ({
    text: `Sayın müşterimiz, ${round}${i} TL tutarındaki faturanız hazırdır.`,
    receipents: { number: [number] },
  }));
  await accepted(program.call('send-sms', { order: { sender: 'BENCH', message } }));
}

async function accepted(answering) {
  const { status } = await answering;
  if (status.code !== 200) throw new Error(`answered ${status.code} ${status.message}`);
}

/** Waits until no message is pending. */
async function ended(program) {
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  await db.connect();
  await until(async () => (await db.query("select 1 from orders where state = 'sending' limit 1")).rowCount === 0, 100);
  await db.end();
}
