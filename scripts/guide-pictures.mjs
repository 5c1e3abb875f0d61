// Makes the pictures of the guide and the README from the real pages, with the example account of a first start: docs/images/guide.
// `npm run pictures` after a change of these pages; needs a build and a Chromium.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './stale.mjs';

/** Name → address in the panel, and what must be visible before the picture is taken. */
const pages = {
  overview: ['', 'main h1, h1'],
  send: ['gonder', 'h1'],
  orders: ['siparisler', 'table, [role="table"], h1'],
  blacklist: ['kara-liste', 'h1'],
  reports: ['raporlar', 'h1'],
};
const text = 'Merhaba {ad}, siparişiniz kargoya verildi.';
const view = { width: 1280, height: 800 };

const folder = join(root, 'docs', 'images', 'guide');
const data = mkdtempSync(join(tmpdir(), 'peyk-pictures-'));
const free = Object.fromEntries(
  ['PEYK_PORT', 'PEYK_SMPP_PORT', 'PEYK_SMSC_PORT', 'PEYK_SMSC_HTTP_PORT', 'PEYK_REGISTRY_PORT'].map(one => [one, '0']),
);
const program = spawn(process.execPath, [join(root, 'bin', 'peyk'), 'start'], {
  env: { ...process.env, ...free, PEYK_DATA: join(data, 'data'), PEYK_WORKERS: '1' },
  stdio: ['ignore', 'pipe', 'ignore'],
});
const ended = new Promise(resolve => program.once('exit', resolve));
try {
  const ready = await readyLine();
  mkdirSync(folder, { recursive: true });
  await takePictures(ready);
} finally {
  program.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}

function readyLine() {
  return new Promise((resolve, reject) => {
    createInterface({ input: program.stdout }).on('line', line => {
      if (line.startsWith('peyk ready ')) resolve(JSON.parse(line.slice('peyk ready '.length)));
    });
    void ended.then(code => reject(new Error(`the program ended (${code})`)));
  });
}

async function takePictures({ panel, owner, smscHttp, demo, api }) {
  const { chromium } = createRequire(join(root, 'package.json'))('playwright-core');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const context = await browser.newContext({
    viewport: view,
    locale: 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  const headers = { 'x-peyk-panel': '1' };
  const call = async (name, input) =>
    (await (await context.request.post(`${panel}api/${name}`, { headers, data: input })).json()).data;
  // The example account is created in the background; its owner gets access last.
  let signedIn = false;
  for (;;) {
    const me = await call(signedIn ? 'session.me' : 'session.signIn', signedIn ? {} : owner);
    signedIn = true;
    if (me.accounts.length > 1) break;
    await pause(500);
  }
  await call('session.signOut', {});
  await call('session.signIn', owner);
  const shoot = async (name, address, seen) => {
    await page.goto(new URL(address, panel).href);
    await page.locator(seen).first().waitFor();
    await pause(1_500);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
  for (const [name, [address, seen]] of Object.entries(pages)) if (name !== 'send') await shoot(name, address, seen);
  const { rows } = await call('orders.list', {});
  const largest = rows.reduce((best, one) => (one.total > best.total ? one : best));
  await shoot('order', `siparisler/${largest.id}`, 'h1');
  await page.goto(new URL(pages.send[0], panel).href);
  await page.locator('textarea').first().waitFor();
  await page.locator('textarea').first().fill('ad\tnumara\nAyşe\t0555 000 00 01\nAli\t0555 000 00 02');
  const message = page.locator('textarea').nth(1);
  if (await message.count()) await message.fill(text);
  await pause(2_500);
  await page.screenshot({ path: join(folder, 'send.png') });
  await fetch(`${api}/v1/send-sms/json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.key}:${demo.hash}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      request: {
        order: {
          sender: 'APITEST',
          message: { text: 'Merhaba! Bu, Peyk ile gönderilen ilk SMS.', receipents: { number: ['5550000000'] } },
        },
      },
    }),
  });
  await page.goto(smscHttp);
  await page.locator('.bubble').first().waitFor();
  await page.screenshot({ path: join(folder, 'phones.png') });
  await browser.close();
}
