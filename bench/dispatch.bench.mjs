// From HTTP to a settled receipt over SMPP, against the simulator on the same machine: 50,000-recipient orders over one bind; a
// small window; few unacknowledged receipts; single sends; a carrier that answers after 20 ms; one-time codes during a
// campaign. Durable throughout.
import pg from 'pg';
import { body, cost, hammer, numbersFrom, percentile, startProgram, until } from './program.mjs';

const recipients = 50_000;
const singlesPerRound = 12_000;

const program = await startProgram({ PEYK_UNSURE_HOLD_SECONDS: '1' });
const smsc = program.ready.smscHttp;
const stats = async () => (await fetch(`${smsc}/stats`)).json();
const fault = (kind, seconds, more = {}) =>
  fetch(`${smsc}/fault`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, seconds, ...more }),
  });
let base = 905_300_000_000;
/** In this order; BENCH_ONLY selects some. */
const scenes = {
  async windows() {
    const wide = await endToEnd('window 100', 4);
    await setWindow(10);
    const narrow = await endToEnd('window 10', 2);
    console.log(`window 10 / window 100: ${(narrow / wide).toFixed(2)} (bar 0.5)`);
    await setWindow(100);
  },
  async receipts() {
    for (const size of [10, 100, 0]) await receiptWindow(size);
    await setReceiptWindow(100);
  },
  // V8 keeps compiling for tens of thousands of requests, so later rounds are more reliable.
  async singles() {
    for (let round = 1; round <= 3; round++) await singles(round);
  },
  slow: slowCarrier,
  codes: oneTimeCodes,
};
const wanted = process.env.BENCH_ONLY?.split(',') ?? Object.keys(scenes);
try {
  await ready();
  await endToEnd('warm-up', 1);
  for (const name of wanted) await scenes[name]();
  console.log(`audit: ${program.cli('audit').ok ? 'ok' : 'FINDINGS'}`);
} finally {
  await program.stop();
}

function ready() {
  return until(() => program.cli('carrier', 'list')[0].state === 'bound', 200);
}

async function setWindow(size) {
  program.cli('carrier', 'add', '--name', 'simulator', '--window', String(size));
  await new Promise(resolve => setTimeout(resolve, 2_500));
  await ready();
}

async function endToEnd(name, orders) {
  const before = program.processes();
  const began = performance.now();
  const ids = await Promise.all(Array.from({ length: orders }, (_, i) => send(`${name} ${i}`)));
  const accepted = performance.now();
  for (const id of ids) await until(async () => (await report(id)).status === 114, 50);
  const seconds = (performance.now() - began) / 1000;
  const messages = orders * recipients;
  const { cpuUsPerMessage, perMessage, peakMb } = cost(before, program.processes(), messages);
  const rate = messages / seconds;
  console.log(
    `${name}: ${rate.toFixed(0)} messages/s end to end, accepted after ${((accepted - began) / 1000).toFixed(2)} s, ` +
      `CPU ${cpuUsPerMessage} µs a message ${JSON.stringify(perMessage)}, largest process ${peakMb} MB`,
  );
  return rate;
}

async function send(text, count = recipients, more = {}) {
  const numbers = numbersFrom(base, count);
  base += 100_000;
  const answer = await program.call('send-sms', program.order(numbers, text, more));
  if (answer.code !== 200) throw new Error(`answered ${answer.code}`);
  return answer.order.id;
}

async function report(id) {
  return (await program.call('get-report', { order: { id, rowCount: 1 } })).order;
}

async function setReceiptWindow(size) {
  const body = JSON.stringify({ window: size });
  await fetch(`${smsc}/receipts`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** Carriers send this many receipts before they wait for an acknowledgement, whose time limits a campaign. */
async function receiptWindow(size) {
  await setReceiptWindow(size);
  const began = performance.now();
  const name = `receipt window ${size || 'none'}`;
  const commits = bareCommits();
  await endToEnd(name, 2);
  const bare = await commits.stop();
  const { acknowledged, p50Ms, p99Ms } = await (await fetch(`${smsc}/receipts`)).json();
  const rate = acknowledged / ((performance.now() - began) / 1000);
  console.log(
    `${name}: ${rate.toFixed(0)} receipts/s, acknowledged after p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (bars 3 and 10); ` +
      `a commit of one row beside it: p50 ${percentile(bare, 0.5).toFixed(1)} ms, p99 ${percentile(bare, 0.99).toFixed(1)} ms`,
  );
}

/** What the disk and the machine allow at that time. */
function bareCommits() {
  const times = [];
  let running = true;
  const done = (async () => {
    const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
    await db.connect();
    await db.query('create table if not exists bench_commits (n integer)');
    while (running) {
      const began = performance.now();
      await db.query('insert into bench_commits values (1)');
      times.push(performance.now() - began);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    await db.end();
    return times;
  })();
  return {
    stop() {
      running = false;
      return done;
    },
  };
}

/** From acceptance to the settled receipt, message by message. */
async function singles(round) {
  const numbers = numbersFrom(base, singlesPerRound);
  base += 100_000;
  const text = i => body(program.account, program.order([numbers[i]], `single ${round} ${i}`));
  const count = singlesPerRound;
  const before = program.processes();
  const walBefore = await wal();
  const began = performance.now();
  const { perSecond } = await hammer(program.ready.api, '/v1/send-sms/json', 32, count, text);
  await settled();
  const rate = count / ((performance.now() - began) / 1000);
  const { cpuUsPerMessage, perMessage } = cost(before, program.processes(), count);
  console.log(
    `single sends, 32 connections, round ${round}: accepted ${perSecond.toFixed(0)}/s, settled ${rate.toFixed(0)}/s, ` +
      `CPU ${cpuUsPerMessage} µs a message (bar 250) ${JSON.stringify(perMessage)}, log ${Math.round(((await wal()) - walBefore) / count)} bytes`,
  );
}

async function settled() {
  const open =
    "select 1 from (select state from orders order by id desc limit 20000) o where state = 'sending' limit 1";
  await until(async () => (await ask(open)).length === 0, 50);
}

async function wal() {
  return Math.round(Number((await ask("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes"))[0].bytes));
}

async function ask(text) {
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  await db.connect();
  const { rows } = await db.query(text);
  await db.end();
  return rows;
}

/** 100 in flight and 20 ms each: 5,000 a second is the arithmetic limit. */
async function slowCarrier() {
  await fault('answer-late', 60, { delayMs: 20 });
  const count = 20_000;
  const submitsBefore = (await stats()).accepted;
  const began = performance.now();
  const id = await send('slow', count);
  await until(async () => (await stats()).accepted - submitsBefore >= count, 20);
  const rate = count / ((performance.now() - began) / 1000);
  console.log(
    `answers after 20 ms, window 100: ${rate.toFixed(0)} submits/s, ${((rate / 5_000) * 100).toFixed(0)} % of the arithmetic limit (bar 80 %)`,
  );
  await fault('answer-late', 0, { delayMs: 20 });
  await until(async () => (await report(id)).status === 114, 100);
}

/** Campaign lane: brand, consents, `iys` 1; codes are single sends of another account on the transactional lane. */
async function oneTimeCodes() {
  program.cli('brand', 'add', program.account.id, '700001');
  const campaign = numbersFrom(905_420_000_000, 20_000);
  const stamp = new Date(Date.now() + 3 * 3_600_000 - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  for (let i = 0; i < campaign.length; i += 5_000) {
    const list = campaign.slice(i, i + 5_000).map(number => ({
      recipient: number,
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
      source: 'HS_WEB',
      consentDate: stamp,
    }));
    const answer = await program.call('consent/create', { consent: { brandCode: '700001', list } });
    if (answer.code !== 200) throw new Error(`consents answered ${answer.code}`);
  }
  await consentsSynced();
  const latencies = [];
  let running = true;
  const campaigns = (async () => {
    for (let i = 0; i < 8; i++) {
      const answer = await program.call(
        'send-sms',
        program.order(campaign, `campaign ${i}`, { iys: '1', iysList: 'BIREYSEL' }),
      );
      await until(async () => (await report(answer.order.id)).status === 114, 50);
    }
    running = false;
  })();
  for (let i = 0; running; i++) {
    const number = 905_010_000_000 + i;
    const began = Date.now();
    await program.call('send-sms', program.order([String(number)], `code ${i}`));
    const [message] = await until(async () => {
      const shown = await (await fetch(`${smsc}/messages?to=${number}`)).json();
      return shown.length ? shown : null;
      // The simulator records the arrival, so polling it seldom costs no precision and does not slow it down.
    }, 50);
    latencies.push(Date.parse(message.receivedAt) - began);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await campaigns;
  console.log(
    `one-time codes beside campaigns: ${latencies.length} sent, HTTP to wire p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms (bars 10 and 50)`,
  );
}

/** Registers the consents first; that is preparation, not part of a campaign. */
async function consentsSynced() {
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  await db.connect();
  const open = "select 1 from consent_records where sync_state in ('queued', 'sent') limit 1";
  await until(async () => (await db.query(open)).rowCount === 0, 250);
  await db.end();
}
