// `node scripts/kannel-customer.mjs` after a build: Kannel as a customer of ours. It binds to the SMPP server of the whole program
// and sends texts of every kind, which must show on the simulated phones as they were written. It gets the carrier's receipts and
// what a phone writes. Everything is on loopback, on free ports and in a temporary folder. Not part of `npm test`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd, check, expectSoon, failures, runChecks } from './interop-checks.mjs';
import { findKannel, startKannel } from './kannel-peer.mjs';

const command = fileURLToPath(new URL('../bin/peyk', import.meta.url));
const complaintsShownMax = 15;
const sender = 'PEYK';
const shortNumber = '7889';
const texts = [
  { to: '905550000101', text: 'Merhaba @ {Peyk} [1] €5', isUcs2: false },
  { to: '905550000102', text: 'Şişli İğdır: ağaç, ığ 🙂', isUcs2: true },
  { to: '905550000103', text: `${'Uzun metin gider. '.repeat(20)}Son.`, isUcs2: false },
  { to: '905550000104', text: `${'Uzun yazı da gider, şüphesiz. '.repeat(5)}Son.`, isUcs2: true },
];
const undelivered = '905550009001';

async function startProgram(folder) {
  const ports = ['PEYK_PORT', 'PEYK_SMPP_PORT', 'PEYK_SMSC_PORT', 'PEYK_SMSC_HTTP_PORT', 'PEYK_REGISTRY_PORT'];
  const off = { PEYK_DEMO_TRAFFIC: 'off', PEYK_SIMULATORS: 'smsc', PEYK_LOG_LEVEL: 'error', PEYK_WORKERS: '1' };
  const env = {
    ...process.env,
    PEYK_DATA: join(folder, 'data'),
    ...Object.fromEntries(ports.map(name => [name, '0'])),
    ...off,
  };
  const child = spawn(process.execPath, [command, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.once('exit', resolve));
  atEnd(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const ready = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', part => {
      printed += part;
      const line = printed.split('\n').find(one => one.startsWith('peyk ready '));
      if (line) resolve(JSON.parse(line.slice('peyk ready '.length)));
    });
    child.once('exit', code => reject(new Error(`the program ended (${code})`)));
  });
  const cli = (...words) => {
    const done = spawnSync(process.execPath, [command, ...words, '--json'], { cwd: folder, env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${words.join(' ')}: ${done.stderr}`);
    return JSON.parse(done.stdout);
  };
  return { ready, cli };
}

async function shown(ready, number) {
  const list = await (await fetch(`${ready.smscHttp}/messages?to=${number}`)).json();
  return list.map(one => one.text.replace(/ B186$/, ''));
}

async function checkTexts(ready, kannel) {
  for (const { to, text, isUcs2 } of texts) {
    const answer = await kannel.send(text, isUcs2, { from: sender, to });
    check(`${to}: Kannel takes the text`, answer.startsWith('202 '), answer);
    let seen = [];
    const arrived = async () => {
      seen = await shown(ready, to);
      return seen.length === 1 && seen[0] === text;
    };
    await expectSoon(`${to}: the phone shows it as it was written`, arrived, () =>
      seen[0] === text ? '' : seen.join(' / '),
    );
  }
  await kannel.send('kapalı', true, { from: sender, to: undelivered });
}

async function checkReceipts({ calls }) {
  const count = type => new Set(calls.receipt.filter(call => call.type === type).map(call => call.id)).size;
  const counts = () => `${count('1')} delivered, ${count('2')} not`;
  await expectSoon('receipts: each text is reported delivered', () => count('1') >= texts.length, counts);
  await expectSoon('receipts: the one to a phone that is off is reported failed', () => count('2') === 1, counts);
}

async function checkInbound(ready, cli, account, { calls }) {
  cli('number', 'add', account, shortNumber);
  const message = { from: texts[0].to, to: shortNumber, text: 'Gelen yazı: ığdır' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${ready.smscHttp}/inbound`, { method: 'POST', headers, body: JSON.stringify(message) });
  const isOurs = call => call.text === message.text && call.from === `+${message.from}` && call.to === shortNumber;
  await expectSoon(
    'inbound: what a phone writes reaches Kannel',
    () => calls.inbound.some(isOurs),
    () => JSON.stringify(calls.inbound),
  );
}

async function main() {
  const programs = findKannel();
  const folder = mkdtempSync(join(tmpdir(), 'peyk-kannel-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { ready, cli } = await startProgram(folder);
  const { id } = cli('account', 'create', '--name', 'Kannel');
  cli('sender', 'approve', id, sender);
  const user = cli('smpp', 'add', id, '--addresses', '127.0.0.1');
  const kannel = await startKannel(programs, folder, ready.smpp.split(':').at(-1), user);
  atEnd(() => kannel.destroy());
  const bound = () => cli('smpp', 'binds', id).some(one => one.kind === 'transceiver');
  if (await expectSoon('bind: Kannel is bound as a transceiver', bound)) {
    kannel.startSmsbox();
    await checkTexts(ready, kannel);
    await checkReceipts(kannel);
    await checkInbound(ready, cli, id, kannel);
    await kannel.stop();
    await expectSoon('end: Kannel unbinds, and nobody is bound', () => cli('smpp', 'binds', id).length === 0);
    const { findings } = cli('audit');
    check('the ledger and the counters agree', findings.length === 0, findings.join('; '));
    const complaints = kannel.complaints().filter(line => /SMPP|PDU/.test(line));
    check('quiet: Kannel complains of no PDU', complaints.length === 0, complaints[0] ?? '');
  }
  if (failures() > 0) console.log(['', ...kannel.complaints().slice(-complaintsShownMax)].join('\n'));
}

await runChecks(main);
