// Progress of large uploads in per cent: a document of an application, and a long list of recipients. For a page the browser
// slows the connection; for the worker, which the browser does not slow, a proxy of the test does.
import { request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { slowProxy } from '../../../test/support/customers/slow-proxy.ts';
import { number } from '../../src/format.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program } from '../people.ts';
import { openFileTab } from '../send-page.ts';
import { eventually, panelCall, type Visitor } from '../visitor.ts';

const proxy = await slowProxy(program.ready.api);
afterAll(() => proxy.close());

const perOrder = 50_000;
const slowBytes = 500_000;

/** Neither 0 nor 100. */
async function partlySent(person: Visitor, label: string): Promise<void> {
  const share = person.page.getByTestId('upload-share');
  await eventually(() => share.innerText().catch(() => '')).toMatch(new RegExp(`^${label} · %[1-9]\\d?$`));
  const bar = share.getByRole('progressbar', { name: label });
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  expect(Number(await bar.getAttribute('aria-valuenow'))).toBeLessThan(100);
}

test('a document that leaves slowly shows its per cent, and is listed when it has arrived', async () => {
  const person = await customer();
  await person.open(paths.senderApply(), tr.senderApply.title);
  const buffer = Buffer.alloc(5 * 1024 * 1024, ' ');
  buffer.write('%PDF-1.7');
  const devtools = await person.context.newCDPSession(person.page);
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: slowBytes });
  const file = { name: 'imza-sirküleri.pdf', mimeType: 'application/pdf', buffer };
  await person.page.locator('input[type="file"]').setInputFiles(file);
  await partlySent(person, 'imza-sirküleri.pdf');
  await devtools.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await person.reads('imza-sirküleri.pdf (5,2 MB)');
  await person.page.getByTestId('upload-share').waitFor({ state: 'detached' });
});

test('a list of 50,000 shows its per cent while it leaves, leaves once, and a line that breaks sends nothing', async () => {
  // Slow, so that the rest of the file does not run beside 50,000 deliveries.
  const person = await customer({ credits: 4 * perOrder, rate: 1 }, { baseURL: proxy.url });
  await openFileTab(person);
  // Two parts each, 11 MB in all: more than twice what the kernels on both sides buffer (5 MB measured).
  const note = 'Siparisiniz hazir, magazamizdan alabilirsiniz. '.repeat(4).trim();
  const rows = plainNumbers(perOrder, 500).map(one => `${one};${note}`);
  const buffer = Buffer.from(`numara;not\r\n${rows.join('\r\n')}\r\n`);
  // The draft is created before the connection is held: only the list waits.
  await person.field(tr.send.text).fill('{not}');
  await person.page.waitForURL(/taslak=\d+/);
  proxy.hold();
  await person.page.locator('input[type="file"]').setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer });
  await partlySent(person, tr.send.uploading);
  proxy.open();
  const counters = person.page.getByTestId('send-counters');
  await counters.waitFor();
  await eventually(() => counters.getAttribute('aria-busy')).toBe('false');
  expect(await person.page.getByTestId('upload-share').count()).toBe(0);

  const send = person.button(tr.send.submit(number(perOrder)));
  await eventually(() => send.getAttribute('aria-disabled')).toBe(null);
  await send.click();
  await person.dialog.getByRole('textbox').fill(String(perOrder));
  proxy.cut();
  await person.press(tr.send.confirmAction, person.dialog);
  await person.reads(tr.send.waitsForNetwork);
  expect(await ordersDirectly(person)).toEqual([]);
  proxy.open();
  await person.page.waitForURL(/siparisler\/\d+$/);
  expect((await person.call('orders.list', {})).rows).toHaveLength(1);
});

/** Asks the program directly, because the proxy accepts no connection. */
async function ordersDirectly(person: Visitor): Promise<unknown[]> {
  const storageState = await person.context.storageState();
  const direct = await request.newContext({ baseURL: new URL(program.ready.api).origin, storageState });
  const { rows } = await panelCall(direct, 'orders.list', {});
  await direct.dispose();
  return rows;
}
