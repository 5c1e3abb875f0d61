// Accepting orders: 50,000 recipients against one bare COPY of the same rows; single sends against one-row commits of the same
// driver; a report's last page against its first; memory while a hundred large orders arrive at once. All in one run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { body, cost, hammer, numbersFrom, percentile, startProgram } from './program.mjs';

const recipients = 50_000;
const connections = 32;
const singlesPerRound = 16_000;
const warmUps = 3;
// V8 keeps compiling for some 40,000 requests in each process: 90 µs a request become 75.
const singlesWarmUps = 6;
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);

const program = await startProgram({ PEYK_ROLES: 'api', PEYK_SIMULATORS: '' });
const pool = new pg.Pool({ host: program.socketFolder, user: 'peyk', database: 'peyk', max: connections });
const scenes = { bulk, singles, ways, pages, memory };
const wanted = process.env.BENCH_ONLY?.split(',') ?? Object.keys(scenes);
try {
  for (const name of wanted) await scenes[name]();
} finally {
  await pool.end();
  await program.stop();
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function bulk() {
  const copies = [];
  const orders = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const numbers = numbersFrom(905_300_000_000 + round * 1_000_000, recipients);
    const order = await timed(() => accepted(program.call('send-sms', program.order(numbers, `bulk ${round}`))));
    const bare = await copy(round, numbers);
    if (round < warmUps) continue;
    orders.push(order);
    copies.push(bare);
  }
  const order = percentile(orders, 0.5);
  const bare = percentile(copies, 0.5);
  console.log(
    `accept 50,000: ${order.toFixed(0)} ms; bare COPY of the rows: ${bare.toFixed(0)} ms; ratio ${(order / bare).toFixed(2)} (bar 2, aim 1.5)`,
  );
}

/** The same rows into the same table, from a file on the server: the lower bound of such an insert. */
async function copy(round, numbers) {
  const file = join(program.folder, 'data', `rows-${round}`);
  // Ids from the same sequence: rows that always come last in the index cost half as much as others.
  const first = Number((await pool.query('select take_message_ids($1) as id', [recipients])).rows[0].id);
  const rows = numbers.map((number, i) => `${first + i}\t1\t1\t${number}\t1\t1\t110\t0\t\\N\t\\N`);
  writeFileSync(file, `${rows.join('\n')}\n`, { mode: 0o644 });
  const began = performance.now();
  await pool.query(
    `copy messages (id, account_id, order_id, number, text_no, credits, status, reason, final_at, given) from '${file}'`,
  );
  return performance.now() - began;
}

async function singles() {
  await pool.query(
    'create table if not exists bench_rows (id bigint generated always as identity primary key, a bigint, b text)',
  );
  const one = { name: 'one row', text: 'insert into bench_rows (a, b) values ($1, $2)' };
  const ratios = [];
  // The first rounds warm up the compiler of both sides.
  for (let round = -singlesWarmUps; round < rounds; round++) {
    const commits = await rate(singlesPerRound, i => pool.query({ ...one, values: [i, 'x'] }));
    const first = 905_400_000_000 + (round + singlesWarmUps) * 1_000_000;
    const before = program.processes();
    const { perSecond, loaderUs } = await hammer(
      program.ready.api,
      '/v1/send-sms/json',
      connections,
      singlesPerRound,
      i => body(program.account, program.order([String(first + i)], `code ${i}`)),
    );
    const { perMessage } = cost(before, program.processes(), singlesPerRound);
    if (round < 0) continue;
    ratios.push(perSecond / commits);
    console.log(
      `single sends: ${perSecond.toFixed(0)}/s; one-row commits: ${commits.toFixed(0)}/s; ratio ${(perSecond / commits).toFixed(2)}; ` +
        `µs a request: api ${perMessage.api}, database ${perMessage.database}, loader ${loaderUs}`,
    );
  }
  console.log(`single sends: median ratio ${percentile(ratios, 0.5).toFixed(2)} (bar 0.5, aim 0.8)`);
}

/** The cost with an idempotency key, and with three recipients instead of one; alternating. */
async function ways() {
  let base = 905_320_000_000;
  const send = async (clients, count, { recipients = 1, keyed = false }) => {
    const first = base;
    base += count * 3;
    const before = program.processes();
    const { perSecond } = await hammer(
      program.ready.api,
      '/v1/send-sms/json',
      clients,
      count,
      i => body(program.account, program.order(numbersFrom(first + 3 * i, recipients), `way ${first + i}`)),
      i => (keyed ? `idempotency-key: ${first + i}\r\n` : ''),
    );
    return { perSecond, database: cost(before, program.processes(), count).perMessage.database };
  };
  const kinds = { single: {}, 'with a key': { keyed: true }, 'three recipients': { recipients: 3 } };
  for (const [clients, count] of [
    [64, 6_000],
    [16, 4_000],
    [1, 600],
  ]) {
    const found = Object.fromEntries(Object.keys(kinds).map(name => [name, []]));
    for (let round = -2; round < Math.min(rounds, 5); round++)
      for (const [name, kind] of Object.entries(kinds)) {
        const one = await send(clients, count, kind);
        if (round >= 0) found[name].push(one);
      }
    const middle = (name, of) =>
      percentile(
        found[name].map(one => one[of]),
        0.5,
      );
    for (const name of Object.keys(kinds))
      console.log(
        `${clients} clients, ${name}: ${middle(name, 'perSecond').toFixed(0)}/s, ratio ${(middle(name, 'perSecond') / middle('single', 'perSecond')).toFixed(2)}; ` +
          `database ${middle(name, 'database')} µs an order`,
      );
  }
}

async function rate(count, work) {
  let next = 0;
  const took = await timed(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < count) await work(next++);
      }),
    ),
  );
  return count / (took / 1000);
}

async function pages() {
  const { order } = await accepted(
    program.call('send-sms', program.order(numbersFrom(905_550_000_000, recipients), 'pages')),
  );
  const read = page => program.call('get-report', { order: { id: order.id, page } });
  const time = async page => {
    const all = [];
    for (let i = 0; i < 15; i++) all.push(await timed(() => read(page)));
    return percentile(all, 0.5);
  };
  await time(1);
  const [first, last] = [await time(1), await time(50)];
  console.log(
    `report page 1: ${first.toFixed(1)} ms, page 50: ${last.toFixed(1)} ms; ratio ${(last / first).toFixed(2)}`,
  );
}

async function memory() {
  const before = program.processes();
  const calls = Array.from({ length: 100 }, (_, i) =>
    program
      .call('send-sms', program.order(numbersFrom(905_500_000_000 + i, recipients), `flood ${i}`))
      .then(answer => answer.code),
  );
  const codes = await Promise.all(calls);
  const taken = codes.filter(code => code === 200).length;
  const { peakMb } = cost(before, program.processes(), taken * recipients);
  console.log(
    `100 orders of 50,000 at once: ${taken} accepted, ${codes.length - taken} answered 503; largest process ${peakMb} MB (bar 300)`,
  );
  const began = performance.now();
  const { ok } = program.cli('audit');
  console.log(`audit: ${ok ? 'ok' : 'FINDINGS'} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function accepted(promise) {
  const answer = await promise;
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  return answer;
}
