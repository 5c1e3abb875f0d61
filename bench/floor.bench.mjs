// The lower bound of a message's cost on this stack, as a single send and in an order of 50,000: two processes that take a call
// over HTTP, store a row for each number, submit, take the receipts, mark the rows, and acknowledge. Everything is durable
// before its answer and done in batches, and nothing else: no sign-in, credit, sums, search, pace, webhooks, dispatch between
// processes or recovery after a kill. Alternating with the program itself, over the same database and the same simulator.
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import pg from 'pg';
import { connect } from '../dist/src/smpp/client.js';
import { parseReceipt } from '../dist/src/smpp/receipt.js';
import { submitTemplate } from '../dist/src/smpp/submit-body.js';

const window = 100;
const fronts = 2;
// V8 keeps compiling for tens of thousands of calls.
const warmUps = 3;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const loads = {
  'a single send': { calls: 12_000, recipients: 1, connections: 32 },
  'a message of 50,000': { calls: 2, recipients: 50_000, connections: 2 },
};

if (cluster.isPrimary) await compare();
else await front(JSON.parse(process.env.BENCH_FRONT));

async function compare() {
  const { body, cost, freshNumbers, hammer, percentile, processes, startProgram, until } = await import(
    './program.mjs'
  );
  const program = await startProgram({ PEYK_SIMULATORS: 'smsc' });
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  try {
    await db.connect();
    // With free space on each page, so that rows are updated in place and the index is unchanged.
    await db.query(`create table floor (id bigint primary key, number bigint, text text, status smallint, given text)
      with (fillfactor = 50)`);
    const smsc = program.ready.smsc;
    for (let no = 0; no < fronts; no++)
      cluster.fork({ BENCH_FRONT: JSON.stringify({ no, smsc, socketFolder: program.socketFolder }) });
    const port = await new Promise(resolve => cluster.on('listening', (_, { port }) => resolve(port)));
    const ways = {
      floor: {
        api: `http://127.0.0.1:${port}`,
        open: 'select 1 from floor where status = 0 limit 1',
        spent: () => [...processes(Object.values(cluster.workers).map(one => one.process.pid)), ...program.processes()],
      },
      program: {
        api: program.ready.api,
        open: "select 1 from orders where state = 'sending' limit 1",
        spent: program.processes,
      },
    };
    const fresh = freshNumbers();
    for (const [what, { calls, recipients, connections }] of Object.entries(loads)) {
      const results = Object.fromEntries(Object.keys(ways).map(name => [name, { costs: [], rates: [] }]));
      for (let round = -warmUps; round < rounds; round++)
        for (const [name, { api, open, spent }] of Object.entries(ways)) {
          const orders = Array.from({ length: calls }, () => fresh(recipients));
          const text = i => body(program.account, program.order(orders[i], `${what} ${round} ${i}`));
          const before = spent();
          const began = performance.now();
          await hammer(api, '/v1/send-sms/json', connections, calls, text);
          await until(async () => (await db.query(open)).rowCount === 0, 20);
          const seconds = (performance.now() - began) / 1_000;
          const { cpuUsPerMessage, perMessage } = cost(before, spent(), calls * recipients);
          if (round < 0) continue;
          results[name].costs.push(cpuUsPerMessage);
          results[name].rates.push((calls * recipients) / seconds);
          console.log(`${what}, ${name}: ${cpuUsPerMessage} µs ${JSON.stringify(perMessage)}`);
        }
      const [floor, whole] = Object.values(results).map(({ costs, rates }) => ({
        us: percentile(costs, 0.5),
        rate: percentile(rates, 0.5),
      }));
      console.log(
        `${what}: ${whole.us} µs, ${whole.rate.toFixed(0)}/s; the least on this stack: ${floor.us} µs, ${floor.rate.toFixed(0)}/s`,
      );
    }
  } finally {
    for (const one of Object.values(cluster.workers)) one.kill();
    await db.end();
    await program.stop();
  }
}

async function front({ no, smsc, socketFolder }) {
  const pool = new pg.Pool({ host: socketFolder, user: 'peyk', database: 'peyk', max: 2 });
  const fields = { sourceAddrTon: 5, sourceAddr: 'BENCH', destAddrTon: 1, destAddrNpi: 1, registeredDelivery: 1 };
  const byCarrierId = new Map();
  /** Rows of each batch that is not all submitted, and how many of the first are. */
  const outgoing = [];
  let submitted = 0;
  let nextId = (no + 1) * 1_000_000_000;

  const stored = inBatches(async calls => {
    const rows = calls.flatMap(({ numbers, text }) => {
      const template = submitTemplate({ ...fields, shortMessage: Buffer.from(text) });
      return numbers.map((number, i) => ({ id: nextId++, number, text: i === 0 ? `"${text}"` : 'null', template }));
    });
    const text = 'insert into floor select *, 0, null from unnest($1::bigint[], $2::bigint[], $3::text[])';
    // Arrays as text: the driver's own arrays cost 20 times as much for an order of 50,000.
    const columns = [rows.map(one => one.id), rows.map(one => one.number), rows.map(one => one.text)];
    await pool.query({ name: 'store', text, values: columns.map(list => `{${list.join()}}`) });
    outgoing.push(rows);
    for (const { response } of calls) {
      const answer = `{"response":{"status":{"code":200},"order":{"id":"${nextId}"}}}`;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
    }
    submit();
  });
  const submit = () => {
    while (outgoing.length > 0) {
      const rows = outgoing[0];
      for (; submitted < rows.length; submitted++) {
        const { id, number, template } = rows[submitted];
        if (session.room() === 0 || !session.submit(template.encode(number), id)) return;
      }
      outgoing.shift();
      submitted = 0;
    }
  };
  const settled = inBatches(async receipts => {
    const text = `update floor set status = 114, given = got.given from unnest($1::bigint[], $2::text[]) as got (id, given)
      where floor.id = got.id`;
    const columns = [receipts.map(one => byCarrierId.get(one.given)), receipts.map(one => one.given)];
    await pool.query({ name: 'settle', text, values: columns.map(list => `{${list.join()}}`) });
    for (const { given, sequence } of receipts) {
      byCarrierId.delete(given);
      session.respond('deliver_sm_resp', sequence, 0);
    }
  });
  const [host, port] = smsc.split(':');
  const times = { responseTimeoutMs: 60_000, enquireLinkMs: 30_000, connectTimeoutMs: 10_000 };
  const session = await connect(
    { host, port: Number(port), bind: 'transceiver', systemId: `floor${no}`, password: 'floor', window, ...times },
    {
      onSubmitAnswer: (id, _status, given) => void byCarrierId.set(given, id),
      onSubmitLost() {},
      onRoom: submit,
      onRequest: pdu => settled({ given: parseReceipt(pdu).messageId, sequence: pdu.sequence }),
      onClose: () => process.exit(),
    },
  );
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      const { message } = JSON.parse(parts.length === 1 ? parts[0] : Buffer.concat(parts)).request.order;
      stored({ numbers: message.receipents.number, text: message.text, response });
    });
  });
  server.listen(0, '127.0.0.1');
}

/** While one batch is stored the next one gathers. */
function inBatches(work) {
  const waiting = [];
  let running = false;
  const run = async () => {
    while (waiting.length) await work(waiting.splice(0));
    running = false;
  };
  return one => {
    waiting.push(one);
    if (running) return;
    running = true;
    setImmediate(run);
  };
}
