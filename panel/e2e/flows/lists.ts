// Long lists, lists that grow while somebody looks at them, and large downloads.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { panelHeader } from '../../../src/panel-api/contract/facts.ts';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program, staffMember } from '../people.ts';
import { eventually } from '../visitor.ts';

const manyRows = 50_001;

test('a download of more than 50,000 rows is made in the background and comes to the bell', async () => {
  const person = await customer();
  const db = await program.db();
  await db.query(
    `insert into inbound_messages (account_id, number_text, recipient, text, received_at)
     select $1, '+905550000000', '7889', 'yanıt ' || i, now() from generate_series(1, $2::int) i`,
    [person.accountId, manyRows],
  );
  await person.open(paths.inbox(), tr.inbox.title);
  await person.press(tr.table.export);
  await person.page.getByRole('menuitem', { name: tr.table.csv }).click();
  await person.reads(tr.bell.exportQueued);
  await person.press(tr.bell.open(1));
  const item = person.page.getByRole('menuitem', { name: tr.bell.exportKinds.inbox });
  await person.reads(tr.bell.rows('50.001'), item);
  const [download] = await Promise.all([person.page.waitForEvent('download'), item.click()]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(manyRows + 1);
});

test('a list of 10,000 rows says how many they are, lets a page of them be chosen, and leads back to its beginning', async () => {
  const person = await customer();
  await person.call('blacklist.add', { numbers: plainNumbers(10_000, 60) });
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.reads(tr.blacklist.head('10.000'));
  const shown = () => person.page.locator('tbody tr td:nth-child(2)').allInnerTexts();
  await eventually(async () => (await shown()).length).toBeGreaterThan(1);
  const first = await shown();
  await person.press(tr.table.nextPage);
  await person.button(tr.table.firstPage).waitFor();
  await eventually(async () => (await shown()).some(number => first.includes(number))).toBe(false);
  // Only the loaded rows are selected, and the confirmation has their number.
  await person.page.getByRole('checkbox', { name: tr.table.selectAll }).check();
  await person.page
    .getByRole('checkbox', { name: /^Seç: / })
    .first()
    .uncheck();
  const chosen = String((await shown()).length - 1);
  await person.reads(tr.table.selected(chosen));
  await person.press(tr.blacklist.removeMany(chosen));
  await person.reads(tr.blacklist.removeMany(chosen), person.dialog);
  await person.confirm(tr.common.remove, 'Alıcılar istedi');
  await person.reads(tr.blacklist.removedMany(chosen));
  await person.press(tr.table.firstPage);
  await eventually(shown).toEqual(first);
});

test('orders that come while a list is filtered wait behind a button', async () => {
  const person = await customer();
  await person.sendOrder('ilk mesaj', ['5550000901']);
  await person.open(`${paths.orders()}?kaynak=panel`, tr.orders.title);
  await person.row('ilk mesaj').waitFor();
  await person.sendOrder('ikinci mesaj', ['5550000901']);
  await person.button(tr.table.fresh('1')).waitFor();
  expect(await person.row('ikinci mesaj').count()).toBe(0);
  await person.press(tr.table.fresh('1'));
  await person.row('ikinci mesaj').waitFor();
  expect(await person.button(tr.table.fresh('1')).count()).toBe(0);
});

test('the hour that still runs is hatched in the chart and named in its table', async () => {
  const person = await customer();
  const { orderId } = await person.sendOrder('grafik', ['5550000901']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).delivered).toBe(1);
  await person.open(paths.overview(), tr.overview.title);
  await person.page.getByTestId('running-step').first().waitFor({ state: 'attached' });
  await person.press(tr.charts.menu);
  await person.page.getByRole('menuitem', { name: tr.table.asTable }).click();
  await person.reads(new RegExp(`\\(${tr.table.running}\\)`));
});

test('a balance below the chosen figure stands in the bell', async () => {
  const person = await customer();
  await person.open(paths.balance(), tr.balance.title);
  await person.page.getByLabel(tr.balance.lowThreshold).fill('500');
  await person.press(tr.common.save, person.card(tr.balance.lowTitle));
  await person.reads(tr.common.saved);
  await person.press(tr.bell.open(1));
  await person.page.getByRole('menuitem', { name: tr.bell.lowBalance('100', '500') }).waitFor();
});

test('staff look at a PDF without leaving the application', async () => {
  const person = await customer();
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  );
  const headers = {
    'Content-Type': 'application/pdf',
    'X-Peyk-File-Name': 'belge.pdf',
    [panelHeader.name]: panelHeader.value,
  };
  const answer = await (await person.context.request.post('/panel/api/upload', { data: pdf, headers })).json();
  await person.call('subscription.apply', {
    applicantKind: 'company',
    title: 'Belgeli Ltd',
    taxOffice: 'Deneme',
    taxNumber: '1234567890',
    address: 'Deneme Mahallesi',
    contactName: 'Yetkili Kişi',
    contactMobile: '5550000000',
    documents: [answer.data.id],
  });
  const staff = await staffMember();
  await staff.open(paths.staffApplications(), tr.applications.title);
  await staff.row(tr.applications.subscription).last().getByRole('cell').first().click();
  const frame = staff.dialog.locator('iframe');
  await frame.waitFor();
  expect(await frame.getAttribute('src')).toMatch(/^blob:/);
});
