// Does anything slow down with ten million stored messages? Two programs, one empty and one full, do the same work alternately;
// the result is how much longer the full one takes. Loading takes a minute (BENCH_STORED: another number of messages).
import pg from 'pg';
import { body, hammer, numbersFrom, percentile, startProgram, until } from './program.mjs';

const stored = Number(process.env.BENCH_STORED ?? 10_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const recipients = 50_000;
const connections = 32;
const singles = 6_000;
const repeats = 15;

/** Each returns how long it took in ms, whatever the unit: less is better. */
const actions = {
  'single sends, one': ({ program, next }) => singleSends(program, next),
  'accept 50,000': side => acceptLarge(side),
  'deliver 50,000': side => deliverLarge(side),
  'report, page 1': ({ program, order }) => reading(program, 'get-report', { order: { id: order, page: 1 } }),
  'report, page 50': ({ program, order }) => reading(program, 'get-report', { order: { id: order, page: 50 } }),
  'orders of today': ({ program }) => reading(program, 'get-reports', { filter: { start: day(0), end: day(0) } }),
  'orders of ten days': ({ program }) => reading(program, 'get-reports', { filter: { start: day(-9), end: day(0) } }),
  balance: ({ program }) => reading(program, 'get-balance', {}),
  'schedule and cancel': ({ program, next }) => scheduleAndCancel(program, next),
  'panel: overview of a month': side => page(side, 'overview.read', { period: '30d' }),
  'panel: orders': side => page(side, 'orders.list', {}),
  'panel: an order': side => page(side, 'orders.read', { id: Number(side.order) }),
  'panel: its recipients': side => page(side, 'orders.recipients', { id: Number(side.order) }),
  'panel: a number': side => page(side, 'number.read', { number: '905300000000' }),
  'panel: orders to a number': side => page(side, 'orders.list', { search: '905300000000' }),
  'panel: ledger': side => page(side, 'balance.ledger', {}),
};

const sides = [];
try {
  for (const full of [false, true]) {
    const program = await startProgram();
    const pool = new pg.Pool({ host: program.socketFolder, user: 'peyk', database: 'peyk', max: 2 });
    let number = 905_300_000_000;
    const next = count => {
      number += count;
      return number - count;
    };
    await until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
    const side = { program, pool, next, cookie: '', order: 0, began: 0 };
    sides.push(side);
    side.cookie = await signIn(program, pool);
    if (full) await fill(side);
  }
  const took = Object.fromEntries(Object.keys(actions).map(name => [name, [[], []]]));
  for (let round = -1; round < rounds; round++)
    for (const [name, action] of Object.entries(actions))
      for (const i of round % 2 ? [0, 1] : [1, 0]) {
        const ms = await action(sides[i]);
        if (round >= 0) took[name][i].push(ms);
        await idle(sides[i]);
      }
  for (const [name, [empty, full]] of Object.entries(took)) {
    const ratio = percentile(
      full.map((ms, i) => ms / empty[i]),
      0.5,
    );
    const shown = times => percentile(times, 0.5).toFixed(times[0] < 10 ? 2 : 0);
    console.log(
      `${name}: empty ${shown(empty)} ms, ${stored.toLocaleString('en')} stored ${shown(full)} ms; ratio ${ratio.toFixed(2)}`,
    );
  }
  const began = performance.now();
  const { ok } = sides[1].program.cli('audit');
  console.log(`audit of all of it: ${ok ? 'ok' : 'FINDINGS'} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
} finally {
  for (const { program, pool } of sides) {
    await pool.end();
    await program.stop();
  }
}

/** Orders of 50,000 delivered over the last hundred days, as sending would have left them. */
async function fill({ program, pool }) {
  const began = performance.now();
  const { id } = program.account;
  const orders = Math.round(stored / recipients);
  for (let k = 0; k < orders; k++) {
    const at = `now() - interval '1 day' * ${(100 * (orders - k)) / orders}`;
    const first = (await pool.query("select nextval('order_ids') as o, take_message_ids($1) as m", [recipients]))
      .rows[0];
    await pool.query(
      `insert into orders (id, account_id, sender, lane, source, state, total, delivered, consumed, first_message_id, submit_at,
         send_at, close_after, finished_at, fingerprint, text, encoding, parts)
       select $1, $2, 'BENCH', 0, 'api', 'finished', n, n, n, $3, at, at, at, at, $1, 'stored', 0, 1
       from (select ${recipients} as n, ${at} as at) x`,
      [first.o, id, first.m],
    );
    await pool.query(
      `with m as (
         insert into messages (id, account_id, order_id, number, text_no, credits, status, final_at)
         select $3::bigint + i, $2, $1, 905010000000 + $4::bigint + i, 1, 1, 111, ${at} from generate_series(0, ${recipients - 1}) i
         returning account_id, number, id)
       insert into message_numbers select account_id, number, id from m`,
      [first.o, id, first.m, k * recipients],
    );
    await pool.query(
      `insert into ledger_entries (account_id, kind, sms, reserved, order_id, created_at)
       select $1::bigint, kind, sms * ${recipients}, held * ${recipients}, $2::bigint, ${at}
       from (values ('grant', 1, 0), ('reserve', -1, 1), ('consume', 0, -1)) x(kind, sms, held)`,
      [id, first.o],
    );
  }
  // Autovacuum would have done this over months.
  for (const table of ['orders', 'messages', 'message_numbers', 'ledger_entries'])
    await pool.query(`vacuum (freeze, analyze) ${table}`);
  await pool.query('checkpoint');
  console.log(
    `${(orders * recipients).toLocaleString('en')} messages stored in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
}

async function singleSends(program, next) {
  const numbers = numbersFrom(next(2 * singles), singles);
  const { perSecond } = await hammer(program.ready.api, '/v1/send-sms/json', connections, singles, i =>
    body(program.account, program.order([numbers[i]], `code ${numbers[i]}`)),
  );
  return 1_000 / perSecond;
}

async function acceptLarge(side) {
  const first = side.next(2 * recipients);
  side.began = performance.now();
  const answer = await side.program.call(
    'send-sms',
    side.program.order(numbersFrom(first, recipients), `bulk ${first}`),
  );
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  side.order = answer.order.id;
  return performance.now() - side.began;
}

/** From the request to the last receipt; a new order, because the other actions waited for the last one's end. */
async function deliverLarge(side) {
  await acceptLarge(side);
  const { program, order } = side;
  await until(
    async () => (await program.call('get-report', { order: { id: order, rowCount: 1 } })).order.status === 114,
    20,
  );
  return performance.now() - side.began;
}

async function repeated(work) {
  const all = [];
  for (let i = 0; i < repeats; i++) {
    const began = performance.now();
    await work();
    all.push(performance.now() - began);
  }
  return percentile(all, 0.5);
}

function reading(program, operation, members) {
  return repeated(async () => {
    const answer = await program.call(operation, members);
    if (answer.code !== 200) throw new Error(`${operation}: ${answer.code}`);
  });
}

function page({ program, cookie }, operation, input) {
  return repeated(() => panel(program, cookie, operation, input));
}

async function panel({ ready }, cookie, operation, input) {
  const headers = { 'content-type': 'application/json', 'x-peyk-panel': '1', cookie };
  const answer = await fetch(new URL(`/panel/api/${operation}`, ready.api), {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
  });
  const { ok, error } = await answer.json();
  if (!ok) throw new Error(`${operation}: ${JSON.stringify(error)}`);
  return answer.headers.get('set-cookie')?.split(';')[0];
}

/** As the demo account's owner, who becomes a member of the benchmark's account. */
async function signIn(program, pool) {
  const { email, password } = program.ready.owner;
  await pool.query(`insert into memberships select $1, id, 'owner' from users where email = $2`, [
    program.account.id,
    email,
  ]);
  const cookie = await panel(program, '', 'session.signIn', { email, password });
  await panel(program, cookie, 'session.switchAccount', { accountId: Number(program.account.id) });
  return cookie;
}

function scheduleAndCancel(program, next) {
  const sendDateTime = `${day(7)} 12:00`;
  return repeated(async () => {
    const [number] = numbersFrom(next(1), 1);
    const { order } = await program.call('send-sms', program.order([number], `later ${number}`, { sendDateTime }));
    const { code } = await program.call('cancel-order', { order: { id: order.id } });
    if (code !== 200) throw new Error(`cancel-order: ${code}`);
  });
}

/** A date this many days from now, as the interface writes it (Turkey time, UTC+3). */
function day(offset) {
  return new Date(Date.now() + offset * 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);
}

/**
 * Waits until nothing is in flight, so that the next action does not pay for the previous one. (Numbering continues in both, in
 * small steps.)
 */
async function idle({ pool }) {
  await until(
    async () => (await pool.query(`select 1 from orders where state = 'sending' limit 1`)).rowCount === 0,
    50,
  );
}
