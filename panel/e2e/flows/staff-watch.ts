// What staff monitor: a carrier with traffic and with errors, failing webhooks, a registry that does not answer.
import { expect, test } from 'vitest';
import { startHookReceiver } from '../../../simulators/hook-receiver/main.ts';
import { startHttpCarrier } from '../../../simulators/http-carrier/main.ts';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer, program, staffMember } from '../people.ts';
import { eventually, type Visitor } from '../visitor.ts';

const faultSeconds = 120;

test('the page of a carrier moves by itself: speed, window, throttling, errors and charts', async ({
  onTestFinished,
}) => {
  // Every other test sends through this carrier.
  onTestFinished(async () => {
    for (const kind of ['answer-late', 'throttle']) await program.carrier.fault(kind, 0);
  });
  const person = await customer({ credits: 2_000, rate: 100 });
  const staff = await staffMember();
  await staff.open(paths.staffCarrier('simulator'), 'simulator');
  await staff.reads(tr.carrierStates.bound);
  const before = await figure(staff, tr.carriers.receipts);
  // Each phase has its own order of three seconds, so there is traffic however slow the page is.
  const orders: number[] = [];
  const send = async (text: string) => {
    const recipients = plainNumbers(300, 600);
    orders.push((await person.sendOrder(text, recipients)).orderId);
  };
  await send('Canli');
  await staff.reads(/^Saniyede \d+ SMS alıyor$/);
  await eventually(() => figure(staff, tr.carriers.receipts)).toBeGreaterThan(before);

  await program.carrier.fault('answer-late', faultSeconds);
  await send('Gec yanit');
  await eventually(() => figure(staff, tr.carriers.window)).toBeGreaterThan(0);
  await program.carrier.fault('answer-late', 0);

  await program.carrier.fault('throttle', faultSeconds);
  await send('Yavas');
  await staff.reads(tr.carrierStates.throttling);
  expect(await figure(staff, tr.carriers.throttled)).toBeGreaterThan(0);
  const errors = staff.card(tr.carriers.errors);
  await staff.reads(tr.carrierErrors.throttled, errors);
  await staff.reads('submit refused: ESME_RTHROTTLED', errors);
  await program.carrier.fault('throttle', 0);
  await staff.reads(tr.carrierStates.bound);

  // The figures of the chart: messages were sent, and the window was used.
  for (const title of [tr.carriers.chart, tr.carriers.windowChart]) {
    const chart = staff.card(title);
    await chart.locator('.recharts-line path').first().waitFor();
    await staff.press(tr.charts.menu, chart);
    await staff.page.getByRole('menuitem', { name: tr.table.asTable }).click();
    const cells = () => chart.locator('tbody td:nth-child(2)').allInnerTexts();
    await eventually(async () => (await cells()).map(digits).some(value => value > 0)).toBe(true);
  }

  await program.carrier.fault('drop', 1);
  await staff.reads(tr.carrierErrors.closed, errors);
  await staff.reads(tr.carrierStates.bound);
  await staff.open(paths.staffCarriers(), tr.carriers.title);
  // Either may be the last error; it is shown in words.
  const sentences = Object.values(tr.carrierErrors);
  const row = staff.row('simulator');
  const shownErrors = async () => {
    const text = await row.innerText();
    return sentences.filter(one => text.includes(one));
  };
  await eventually(shownErrors).toHaveLength(1);
  for (const id of orders)
    await eventually(async () => (await person.call('orders.read', { id })).state).toBe('finished');
});

test('a provider over HTTP is described in the panel: faults by member, secrets by name, tried, saved, and its addresses shown', async ({
  onTestFinished,
}) => {
  const name = 'kendi-http';
  const provider = await startHttpCarrier({ provider: 'generic', password: 'gizli-parola' });
  // Resumed by name, the simulator of the other tests is not paused by a new carrier.
  await program.cli('carrier', 'resume', 'simulator');
  onTestFinished(async () => {
    await provider.stop();
    await program.cli('carrier', 'pause', name);
    await wait('it to be removed', () => program.cli('carrier', 'remove', name, '--force'));
  });
  const staff = await staffMember();
  const words = tr.carrierDescription;
  await staff.open(paths.staffCarriers(), tr.carriers.title);
  await staff.press(tr.carriers.add);
  await staff.field(/^Ad( \*)?$/, staff.dialog).fill(name);
  await staff.select('Bağlantı türü', staff.dialog).selectOption('http');
  await staff.field(words.label, staff.dialog).fill('{ "version": 2 }');
  await staff.press(tr.common.save, staff.dialog);
  await staff.reads(/^title: eksik$/, staff.dialog.getByRole('list', { name: words.faultList }));

  await staff.select('Sağlayıcı', staff.dialog).selectOption('generic');
  await staff.press(words.edit, staff.dialog);
  const text = await staff.field(words.label, staff.dialog).inputValue();
  // Asked for receipts, it needs no public address of ours.
  const { send, ...others } = JSON.parse(text.replace('{{secret:password}}', '{{secret:anahtar}}'));
  const { callback: _, ...tree } = send.body.tree;
  const request = { method: 'GET', path: '/reports', body: { kind: 'none' } };
  const poll = {
    request,
    everySeconds: 86_400,
    batch: 1,
    read: 'json',
    id: '/id',
    state: '/state',
    states: { delivered: 'DELIVRD' },
  };
  const own = JSON.stringify({ ...others, send: { ...send, body: { ...send.body, tree } }, poll });
  await staff.field(words.label, staff.dialog).fill(own);
  await staff.dialog.getByLabel(new RegExp(`^${words.secret} anahtar`)).fill('gizli-parola');
  await staff.field('Sağlayıcı adresi', staff.dialog).fill(provider.url);
  await staff.press(tr.carriers.more, staff.dialog);
  await staff.dialog.getByRole('switch', { name: 'Özel ağda ya da http ile' }).check();
  await staff.field('Yalnız bu numara başları', staff.dialog).fill('0');
  await staff.field(tr.carrierCare.trySender, staff.dialog).fill('DENEME');
  await staff.field(tr.carrierCare.tryNumber, staff.dialog).fill('0555 000 00 00');
  await staff.press(tr.carrierCare.trySms, staff.dialog);
  await staff.reads(/^Operatör deneme mesajını kabul etti/, staff.dialog);
  expect(provider.taken.map(one => one.to)).toEqual(['905550000000']);
  await staff.press(tr.common.save, staff.dialog);
  await staff.reads(tr.carriers.saved);

  await staff.open(paths.staffCarrier(name), name);
  const card = staff.card(words.addresses);
  await staff.press(words.showAddresses, card);
  const addresses = () => card.locator('.mono').allInnerTexts();
  const ends = async () => (await addresses()).map(one => one.split('/').at(-1));
  await eventually(ends).toEqual(['receipts', 'inbound']);
  for (const url of await addresses()) expect((await fetch(url, { method: 'POST', body: '[]' })).status).toBe(200);
  await staff.press(tr.carriers.edit);
  const shown = async () => JSON.parse(await staff.field(words.label, staff.dialog).inputValue());
  await eventually(shown).toEqual(JSON.parse(own));
  await staff.dialog.getByText(tr.carriers.passwordKeep).first().waitFor();
});

test('the form of a carrier tells its faults together and is tried before it is saved; one that may send is bound anew but not removed', async () => {
  const staff = await staffMember();
  const [host, port] = program.ready.smsc!.split(':') as [string, string];
  await staff.open(paths.staffCarriers(), tr.carriers.title);
  await staff.press(tr.carriers.add);
  await staff.field(/^Ad( \*)?$/, staff.dialog).fill('deneme-op');
  await staff.press(tr.common.save, staff.dialog);
  await staff.reads(tr.carrierCare.faults(3), staff.dialog);
  await staff.field('Sunucu adresi', staff.dialog).fill(host);
  await staff.field('Kapı (port)', staff.dialog).fill('1');
  await staff.field('Kullanıcı adı (system ID)', staff.dialog).fill('peyk');
  await staff.dialog.getByLabel(tr.carriers.password).fill('peyk');
  await staff.press(tr.carrierCare.tryBind, staff.dialog);
  await staff.reads(tr.carrierErrors.connectionRefused, staff.dialog);
  await staff.field('Kapı (port)', staff.dialog).fill(port);
  await staff.press(tr.carriers.more, staff.dialog);
  // Not for the numbers of the other tests.
  await staff.field('Yalnız bu numara başları', staff.dialog).fill('0');
  await staff.press(tr.carrierCare.tryBind, staff.dialog);
  await staff.reads(/^Operatör bağlantıyı kabul etti/, staff.dialog);
  await staff.press(tr.common.cancel, staff.dialog);

  await staff.open(paths.staffCarrier('simulator'), 'simulator');
  await staff.press(tr.carrierCare.reconnect);
  await staff.reads(tr.carrierCare.reconnected);
  await staff.reads(tr.carrierStates.bound);
  const history = staff.card(tr.carrierCare.history);
  await history.locator('.recharts-surface, .chart-words').first().waitFor();
  await staff.press(tr.carrierCare.remove);
  await staff.confirm(tr.carrierCare.remove, 'Deneme');
  await staff.reads('Operatör şu anda gönderiyor olabilir; önce duraklatın.');
});

test('a webhook that refuses is listed with its cause, counted on the status page, and gone once it answers', async () => {
  const first = await startHookReceiver();
  const { port, url } = first;
  await first.stop();
  const person = await customer();
  const staff = await staffMember();
  await person.call('webhook.add', { url: `${url}/kanca` });
  await person.call('webhook.test', { id: 1 });
  await eventually(() => isFailing(staff, person)).toBe(true);
  await staff.open(paths.staffWebhooks(), tr.staffWebhooks.title);
  const row = staff.row(`${url}/kanca`);
  await row.getByText('Sunucu bağlantıyı kabul etmedi').waitFor();
  await row.getByText(tr.webhook.failing, { exact: true }).waitFor();
  await staff.open(paths.staffStatus(), tr.staffStatus.title);
  const { failing, paused } = (await staff.call('staff.status', {})).webhooks;
  await staff.link(tr.staffStatus.webhooksFailing(String(failing), String(paused))).click();
  await row.getByRole('link', { name: 'Deneme Ltd' }).click();
  await staff.heading('Deneme Ltd').waitFor();

  const again = await startHookReceiver({ port });
  try {
    await person.call('webhook.test', { id: 1 });
    await eventually(() => isFailing(staff, person)).toBe(false);
    await staff.open(paths.staffWebhooks(), tr.staffWebhooks.title);
    await staff.quiet();
    expect(await row.count()).toBe(0);
  } finally {
    await again.stop();
  }
});

test('a registry that does not answer is named with what waits, and a sync by hand goes on when it answers', async ({
  onTestFinished,
}) => {
  onTestFinished(() => registryFault('none'));
  const person = await customer({ brand: 701_720 });
  const staff = await staffMember();
  await consent(person, '5550000701');
  await eventually(async () => (await person.call('consent.list', {})).rows[0]!.syncState).toMatch(/sent|accepted/);
  await registryFault('down');
  await consent(person, '5550000702');
  await staff.open(paths.staffRegistry(), tr.registry.title);
  await staff.reads(/^İYS şu anda yanıt veremiyor/);
  await staff.reads(queued('1'));
  await eventually(async () => digits(await staff.row('701720').getByRole('cell').nth(2).innerText())).toBeGreaterThan(
    0,
  );
  await staff.open(paths.staffStatus(), tr.staffStatus.title);
  await staff.reads(tr.staffStatus.registryTrouble);
  await staff.reads(/^İYS şu anda yanıt veremiyor/);
  await person.open(paths.consents(), tr.consents.title);
  await person.reads(/^İYS şu anda yanıt veremiyor/);

  await registryFault('none');
  await staff.open(paths.staffRegistry(), tr.registry.title);
  await staff.press(tr.registry.sync);
  await staff.reads(tr.registry.synced);
  await staff.reads(queued('0'));
  await staff.page.getByText(/^İYS şu anda yanıt veremiyor/).waitFor({ state: 'detached' });
});

const queued = (n: string): string => tr.registry.standing(n, '', '').split(',')[0]!;
const digits = (text: string): number => Number(/[\d.]+/.exec(text)?.[0].replaceAll('.', '') ?? 0);

/** A figure at the head of the page, by its label. */
async function figure(staff: Visitor, label: string): Promise<number> {
  const measured = staff.page.locator('.share-words > span').filter({ hasText: label });
  return digits(await measured.locator('b').innerText());
}

async function isFailing(staff: Visitor, person: Customer): Promise<boolean> {
  const { endpoints } = await staff.call('staff.webhooks', {});
  return endpoints.some(one => one.accountId === person.accountId);
}

async function consent(person: Customer, recipient: string): Promise<void> {
  const consentDate = new Date(Date.now() + 3 * 3_600_000 - 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const rest = { recipientType: 'BIREYSEL', type: 'MESAJ', status: 'ONAY', source: 'HS_WEB', consentDate } as const;
  await person.call('consent.add', { brand: 701_720, rows: [{ recipient, ...rest }] });
}

async function registryFault(kind: string): Promise<void> {
  const body = JSON.stringify({ kind, seconds: faultSeconds });
  const answer = await fetch(`${program.ready.registry}/control/fault`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}
