// From HTTP to a settled receipt over SMPP, against the simulator on the same machine: 50,000-recipient orders over one bind;
// a small window; a carrier that answers after 20 ms; one-time codes while a campaign runs. Durable throughout.
import pg from 'pg';
import { cost, numbersFrom, percentile, startProgram, until } from './program.mjs';

const recipients = 50_000;

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
try {
  await ready();
  await endToEnd('warm-up', 1);
  const wide = await endToEnd('window 100', 4);
  await setWindow(10);
  const narrow = await endToEnd('window 10', 2);
  console.log(`window 10 / window 100: ${(narrow / wide).toFixed(2)} (bar 0.5)`);
  await setWindow(100);
  await slowCarrier();
  await oneTimeCodes();
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

/** 100 in flight and 20 ms each: 5,000 a second is all that arithmetic allows. */
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
      // The simulator stamps the arrival, so asking it seldom costs no precision and does not slow it down.
    }, 50);
    latencies.push(Date.parse(message.receivedAt) - began);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await campaigns;
  console.log(
    `one-time codes beside campaigns: ${latencies.length} sent, HTTP to wire p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms (bars 10 and 50)`,
  );
}

/** The registry is told of the consents first: that is preparation, not part of a campaign. */
async function consentsSynced() {
  const db = new pg.Client({ host: program.socketFolder, user: 'peyk', database: 'peyk' });
  await db.connect();
  const open = "select 1 from consent_records where sync_state in ('queued', 'sent') limit 1";
  await until(async () => (await db.query(open)).rowCount === 0, 250);
  await db.end();
}
