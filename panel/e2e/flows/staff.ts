// The operator's staff: applications with their documents, carriers that are paused, accounts.
import { expect, test } from 'vitest';
import { valueIn } from '../../../test/support/program/metrics.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program, staffMember } from '../people.ts';
import { picture } from '../picture.ts';
import { eventually, type Visitor } from '../visitor.ts';

const document = { name: 'vergi-levhası.png', mimeType: 'image/png', buffer: picture };

test('a sender ID is applied for with a document, approved by staff, and ends APITEST', async () => {
  const person = await customer();
  const staff = await staffMember();
  await person.open(paths.senders(), tr.senders.title);
  await person.link(tr.senders.subscription).click();
  await fillSubscription(person);
  await person.reads(tr.subscription.applied);
  await person.press(tr.identity.begin);
  await person.page.getByRole('button', { name: 'Onayla' }).click();
  await person.reads(new RegExp(`^${tr.identity.states.confirmed}: Deneme Kişisi`));
  expect(new URL(person.page.url()).search).toBe('');
  await askAndAnswer(staff, person);
  await decide(staff, person.accountId, tr.applications.approve);
  await staff.confirm(tr.applications.approve);
  await staff.reads(tr.applications.approved);

  await person.open(paths.senderApply(), tr.senderApply.title);
  await person.field(tr.senderApply.name).fill('ÖRNEK');
  await person.press(tr.senderApply.submit);
  await person.reads(tr.senderApply.needName);
  await person.field(tr.senderApply.name).fill('ORNEK');
  await upload(person);
  await person.press(tr.senderApply.submit);
  await person.heading(tr.senders.title).waitFor();
  await person.reads(tr.senderStates.applied);

  await staff.open(paths.staffApplications(), tr.applications.title);
  await staff.row('ORNEK').getByRole('cell').first().click();
  const preview = staff.dialog.getByAltText(tr.applications.preview);
  await eventually(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  const [download] = await Promise.all([staff.page.waitForEvent('download'), staff.link(document.name).click()]);
  expect(download.suggestedFilename()).toBe(document.name);
  await staff.press(tr.applications.approve, staff.dialog);
  await staff.reads(tr.applications.approveTitle('ORNEK', 'Deneme Ltd'));
  await staff.reads(/^Belgeler: /);
  await staff.confirm(tr.applications.approve);
  await staff.reads(tr.applications.approved);

  await person.page.reload();
  await person.reads(tr.senderStates.approved);
  expect((await person.call('send.options', {})).senders).toEqual(['ORNEK']);
});

test('a rejected application keeps its documents for the next one, and tells the reason', async () => {
  const person = await customer();
  const staff = await staffMember();
  await person.open(paths.subscription(), tr.subscription.title);
  await fillSubscription(person);
  await person.reads(tr.subscription.applied);
  await decide(staff, person.accountId, tr.applications.reject);
  await staff.field(tr.applications.rejectReason, staff.dialog).fill('Belge okunmuyor');
  await staff.press(tr.applications.reject, staff.dialog);
  await staff.reads(tr.applications.rejected);
  await person.page.reload();
  await person.reads('Belge okunmuyor');
  await person.reads(document.name);
});

test('while a carrier is paused messages wait, and they leave when it is resumed', async ({ onTestFinished }) => {
  const person = await customer();
  const staff = await staffMember();
  // Every other test sends through this carrier.
  onTestFinished(async () => void (await program.cli('carrier', 'resume', 'simulator')));
  const metrics = async () => (await fetch(`${program.ready.api}/metrics`)).text();
  const waiting = async () => valueIn(await metrics(), 'peyk_queue_messages', 'lane="transactional",cell="0"');
  await staff.open(paths.staffCarriers(), tr.carriers.title);
  await staff.press(tr.carriers.pause);
  await staff.confirm(tr.carriers.pause, 'Bakım');
  await staff.row(tr.carrierStates.paused).waitFor();
  await eventually(async () => (await program.carrier.stats()).sessions).toBe(0);

  const { orderId } = await person.sendOrder('Bekleyen', ['5550000501']);
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.row('+90 555 000 05 01').getByText(tr.messageStates.queued).waitFor();
  await staff.open(paths.staffQueue(), tr.queue.title);
  await staff.row('Deneme Ltd').waitFor();
  expect(await program.carrier.phone('5550000501')).toEqual([]);

  // The health page shows the values of /metrics.
  await staff.open(paths.staffHealth(), tr.health.title);
  await eventually(waiting).toBeGreaterThan(0);
  await eventually(async () => {
    const [text, health] = [await metrics(), await staff.call('staff.health', {})];
    const [lane, carrier] = [health.lanes[0]!, health.carriers.find(one => one.name === 'simulator')!];
    const pool = health.pools.find(one => one.name === 'peyk api')!;
    const same = [
      [lane.messages, valueIn(text, 'peyk_queue_messages', 'lane="transactional",cell="0"')],
      [carrier.bound, valueIn(text, 'peyk_links_bound', 'carrier="simulator"') ?? 0],
      [carrier.wanted, valueIn(text, 'peyk_links_wanted', 'carrier="simulator",cell="0"')],
      [carrier.submitted, valueIn(text, 'peyk_submitted_total', 'carrier="simulator"')],
      [carrier.receipts, valueIn(text, 'peyk_receipts_total', 'carrier="simulator"')],
      [pool.max, valueIn(text, 'peyk_pool_connections_max', 'pool="peyk api"')],
      [health.webhooks.backlog, valueIn(text, 'peyk_webhook_backlog', 'cell="0"')],
    ];
    return same.filter(([shown, exported]) => shown !== exported);
  }).toEqual([]);
  // Not always one: a notice of the previous test may be queued too.
  await eventually(async () =>
    staff
      .row(tr.lanes.transactional)
      .getByText(String(await waiting()), { exact: true })
      .count(),
  ).toBeGreaterThan(0);
  await staff.row('peyk api').waitFor();

  await staff.open(paths.staffCarriers(), tr.carriers.title);
  await staff.press(tr.carriers.resume);
  await staff.row(tr.carrierStates.bound).waitFor();
  await person.row('+90 555 000 05 01').getByText(tr.messageStates.delivered).waitFor();
  expect(await program.carrier.phone('5550000501')).toHaveLength(1);
  const { rows } = await staff.call('staff.audit', {});
  expect(rows.some(row => JSON.stringify(row.detail).includes('Bakım'))).toBe(true);
});

test('credit and suspension need a reason, which the owner reads in the own audit log', async () => {
  const person = await customer();
  const staff = await staffMember();
  await staff.open(paths.staffAccount(String(person.accountId)), 'Deneme Ltd');
  await staff.press(tr.account.grant);
  await staff.dialog.getByLabel(tr.account.grantSms).fill('250');
  await staff.field(tr.account.grantReason, staff.dialog).fill('Havale 15');
  await staff.press(tr.account.grant, staff.dialog);
  await staff.reads(tr.account.granted('350'));
  await staff.press(tr.account.suspend);
  await staff.confirm(tr.account.suspend, 'Şikâyet');
  await staff.reads(tr.accounts.suspended);
  await person.open(paths.overview(), tr.overview.title);
  await person.reads(tr.shell.suspended);
  await person.open(paths.audit(), tr.audit.title);
  await person.reads(/Şikâyet/);
  await staff.press(tr.account.activate);
  await staff.confirm(tr.account.activate, 'Çözüldü');
  await staff.reads(tr.accounts.active);
});

test('support finds a customer by number, looks at the order masked and read-only, and shows it with a reason', async () => {
  const person = await customer();
  const staff = await staffMember();
  const { orderId } = await person.sendOrder('Destek metni', ['5550000777']);
  await staff.open(paths.staffStatus(), tr.staffStatus.title);
  await staff.page.keyboard.press('Control+K');
  await staff.field(tr.shell.searchHint).fill('0555 000 07 77');
  await staff.reads('Deneme Ltd', staff.page.getByRole('dialog'));
  await staff.open(`${paths.staffAccount(String(person.accountId))}?siparis=${orderId}`, 'Deneme Ltd');
  await staff.press(tr.order.name(String(orderId)));
  await staff.confirm(tr.support.begin, 'Müşteri aradı');
  await staff.heading(tr.order.name(String(orderId))).waitFor();
  await staff.reads(tr.support.strip('Deneme Ltd'));
  await staff.reads(/555\*{5}77/);
  expect(await staff.page.getByText('Destek metni').count()).toBe(0);

  await staff.open(paths.blacklist(), tr.blacklist.title);
  const add = staff.page.getByRole('button', { name: tr.blacklist.add }).first();
  await eventually(() => add.getAttribute('aria-disabled')).toBe('true');
  await expect(staff.call('blacklist.add', { numbers: ['5550000778'] })).rejects.toThrow();

  await staff.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await staff.press(tr.support.reveal);
  await staff.confirm(tr.support.reveal, 'Numarayı doğruladı');
  await staff.reads('+90 555 000 07 77');
  await staff.press(tr.support.end);
  await staff.heading('Deneme Ltd').waitFor();
  await person.open(paths.audit(), tr.audit.title);
  await person.reads(/Müşteri aradı/);
  await person.reads(/Numarayı doğruladı/);
});

async function fillSubscription(person: Visitor): Promise<void> {
  await person.heading(tr.subscription.title).waitFor();
  const fields = {
    [tr.subscription.legalTitle]: 'Deneme Ltd',
    [tr.subscription.taxOffice]: 'Deneme',
    [tr.subscription.taxNumber]: '1234567890',
    [tr.subscription.contactName]: 'Yetkili Kişi',
    [tr.subscription.contactMobile]: '0555 000 00 00',
    [tr.subscription.address]: 'Deneme Mahallesi',
  };
  for (const [label, value] of Object.entries(fields)) await person.field(new RegExp(`^${label}`)).fill(value);
  await upload(person);
  await person.press(tr.senderApply.submit);
}

async function upload(person: Visitor): Promise<void> {
  await person.page.locator('input[type="file"]').setInputFiles(document);
  // With its size: the name alone stands there while it leaves.
  await person.reads(`${document.name} (70 B)`);
}

/** Staff ask for a document; the customer reads it in the bell and adds it while the application waits. */
async function askAndAnswer(staff: Visitor, person: Visitor & { accountId: number }): Promise<void> {
  await openApplication(staff, person.accountId);
  await staff.reads(new RegExp(tr.identity.states.confirmed), staff.dialog);
  await staff.press(tr.documents.ask, staff.dialog);
  await staff.confirm(tr.documents.ask, 'İmza sirküleri okunmuyor');
  await staff.reads(tr.documents.askDone);
  await person.page.reload();
  await person.press(tr.bell.open(1));
  await person.page.getByRole('menuitem', { name: tr.words['documents.asked']('') }).click();
  await person.reads('İmza sirküleri okunmuyor', person.card(tr.documents.addTitle));
  await person.select(tr.documents.which).selectOption('signatures');
  await person.page.locator('input[type="file"]').setInputFiles({ ...document, name: 'imza.png' });
  await person.press(tr.documents.add);
  await person.reads(tr.documents.added);
}

/** Opens the subscription of this customer, among those of others. */
async function openApplication(staff: Visitor, accountId: number): Promise<void> {
  const { rows } = await staff.call('staff.applications', { state: 'applied', kind: 'subscription' });
  const application = rows.find(one => one.accountId === accountId)!;
  await staff.open(paths.staffApplications(), tr.applications.title);
  await staff
    .row(new RegExp(`^${application.id}\\D`))
    .getByRole('cell')
    .first()
    .click();
}

async function decide(staff: Visitor, accountId: number, verb: string): Promise<void> {
  await openApplication(staff, accountId);
  await staff.press(verb, staff.dialog);
}
