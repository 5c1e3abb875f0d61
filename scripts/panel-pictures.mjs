// Makes the pictures of docs/panel-design.md and the README from the pages of a running server with its example account:
// node scripts/panel-pictures.mjs ADDRESS OWNER_EMAIL OWNER_PASSWORD STAFF_EMAIL STAFF_PASSWORD [FOLDER [NAME...]]
// With FOLDER, each picture is taken at 1440 px in light, dark and English and at 390 px, to be compared with the design.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startHookReceiver } from '../dist/simulators/hook-receiver/main.js';
import { root } from './stale.mjs';

const [address, ownerEmail, ownerPassword, staffEmail, staffPassword, compareIn, ...names] = process.argv.slice(2);
const folder = compareIn ?? join(root, 'docs', 'images');
const headers = { 'X-Peyk-Panel': '1' };
let receiver;
let hook;
const recipients = 'ad\tnumara\nŞükrü\t0555 000 00 01\nİpek\t0555 000 00 02\nAyşe\t0555 000 00 03';
const pictures = [
  { name: 'sign-in', path: '/giris', who: null },
  { name: 'overview', path: '/' },
  { name: 'overview-dark', path: '/', scheme: 'dark' },
  { name: 'overview-phone', path: '/', width: 390, height: 760 },
  { name: 'orders', path: '/siparisler' },
  { name: 'order', path: '/siparisler', act: openLargest },
  { name: 'message', path: '/siparisler', act: openMessage },
  { name: 'first', path: '/', account: 'new' },
  { name: 'start', path: '/baslarken', account: 'new' },
  { name: 'send', path: '/gonder', act: compose },
  { name: 'reports', path: '/raporlar' },
  { name: 'status', path: '/isletmeci', who: 'staff' },
  { name: 'webhook', path: '/gelistirici/bildirim', before: traffic, width: 1440, height: 900 },
  { name: 'inbox', path: '/gelen-kutusu' },
  { name: 'webhook-first', path: '/gelistirici/bildirim', account: 'new' },
  { name: 'balance', path: '/bakiye' },
  { name: 'consents', path: '/izinler' },
  { name: 'senders', path: '/basliklar' },
  { name: 'settings', path: '/ayarlar/gonderim' },
];
const compared = { width: 1440, height: 900 };
const variants = [
  { suffix: '', ...compared },
  { suffix: '-dark', ...compared, scheme: 'dark' },
  { suffix: '-en', ...compared, language: 'en' },
  { suffix: '-390', width: 390, height: 844 },
];

async function openLargest(page) {
  // A row of the table or, on a phone, of the list.
  await page.locator('tr, .rows li').filter({ hasText: '280' }).first().click();
  await page.locator('.route').waitFor();
}

async function openMessage(page) {
  await openLargest(page);
  await page
    .locator('tr.opens, .rows li')
    .filter({ hasText: /İletilemedi|Not delivered/ })
    .first()
    .click();
  await page.locator('.drawer-answer').waitFor();
}

async function compose(page) {
  await page.locator('#istasyon-alicilar textarea').fill(recipients);
  await page.locator('#istasyon-mesaj textarea').fill('Sayın {ad}, siparişiniz hazır. Mağazamızdan alabilirsiniz.');
  await page.locator('.sum-rows > div').nth(3).waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
}

/**
 * An address that first answers and then fails. The server must allow addresses of this machine
 * (PEYK_ALLOW_PRIVATE_WEBHOOKS=on).
 */
async function traffic(call) {
  if (receiver) return;
  receiver = await startHookReceiver();
  hook = (await call('webhook.add', { url: `${receiver.url}/peyk/olaylar` })).id;
  const order = { sendAt: null, commercial: false };
  const [sender] = (await call('send.options', {})).senders;
  for (const [mode, count] of [
    [{ mode: 'ok' }, 18],
    [{ mode: 'failing', status: 500 }, 6],
  ]) {
    const before = receiver.count();
    receiver.setMode(mode);
    const recipients = Array.from({ length: count }, (_, at) => String(5_550_000_100 + at));
    // A new text each time: an order equal to the last one is refused.
    const text = `Siparisiniz kargoya verildi. Takip no: ${Date.now() % 10_000_000}`;
    await call('send.submit', { ...order, text, sender, recipients, idempotencyKey: `resim-${Date.now()}` });
    while (receiver.count() < before + count) await new Promise(resolve => setTimeout(resolve, 200));
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const wanted = pictures
  .filter(one => names.length === 0 || names.includes(one.name))
  .flatMap(one =>
    compareIn ? variants.map(({ suffix, ...look }) => ({ ...one, ...look, name: one.name + suffix })) : one,
  );
const lastWithTraffic = wanted.findLast(one => one.before === traffic);
for (const picture of wanted) {
  const {
    name,
    path,
    who = 'owner',
    scheme = 'light',
    language = 'tr',
    width = 1280,
    height = 800,
    account,
    act,
    before,
  } = picture;
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width, height },
    // Controls are taller for touch.
    isMobile: width < 500,
    hasTouch: width < 500,
    locale: language === 'tr' ? 'tr-TR' : 'en-GB',
    timezoneId: 'Europe/Istanbul',
    reducedMotion: 'reduce',
  });
  const call = async (operation, data) => {
    const answer = await (await context.request.post(`/panel/api/${operation}`, { data, headers })).json();
    if (!answer.ok) throw new Error(`${operation}: ${answer.error.en}`);
    return answer.data;
  };
  if (who === 'staff') await call('session.signIn', { email: staffEmail, password: staffPassword });
  if (who === 'owner') {
    const me = await call('session.signIn', { email: ownerEmail, password: ownerPassword });
    const example = me.accounts.find(account => account.name.includes('(')) ?? me.accounts[0];
    const chosen = account === 'new' ? me.accounts.find(one => one.id !== example.id) : example;
    await call('session.switchAccount', { accountId: chosen.id });
  }
  await before?.(call);
  const page = await context.newPage();
  const look = { 'peyk-scheme': scheme, 'peyk-language': language };
  await page.addInitScript(chosen => Object.assign(localStorage, chosen), look);
  await page.goto(`/panel${path}`);
  await page.waitForLoadState('networkidle');
  await page.locator('h1').waitFor();
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]'));
  await act?.(page);
  await page.evaluate(() => document.fonts.ready);
  const devtools = await context.newCDPSession(page);
  const format = compareIn ? { format: 'png' } : { format: 'webp', quality: 82 };
  const { data } = await devtools.send('Page.captureScreenshot', format);
  writeFileSync(join(folder, `panel-${name}.${format.format}`), Buffer.from(data, 'base64'));
  if (picture === lastWithTraffic) await call('webhook.remove', { id: hook });
  await context.close();
}
await receiver?.stop();
await browser.close();
