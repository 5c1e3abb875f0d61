// The panel by keyboard and screen reader, customers in Turkish and staff in English: every step checks what has the focus, by
// Chromium's accessibility tree, and what the live regions announce. Names of both languages: every-page.e2e.ts.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { preferenceKeys } from '../../src/preferences.ts';
import { en } from '../../src/text/en.ts';
import { tr } from '../../src/text/tr.ts';
import { codeOn, customer, freshEmail, newVisitor, password, program, staffMember, uploadPicture } from '../people.ts';
import { Reader } from '../reader.ts';
import { eventually, type Visitor } from '../visitor.ts';

/** Tab presses from the heading of the send page to the text of the message. */
const tabsToText = 8;
test('signing up, sending and reading a report work by keyboard and screen reader, in Turkish', async () => {
  const [t, mobile, known] = [tr, '5550000811', '5550000801'];
  const person = await newVisitor({ locale: 'tr-TR' });
  await person.open(paths.signUp(), t.signUp.title);
  const reader = await Reader.at(person);
  expect(await reader.faults()).toEqual([]);
  const fill = async (label: string, text: string) => {
    await reader.tabTo(`textbox ${label}`);
    await reader.type(text);
  };
  await reader.activate(`button ${t.signUp.sendCode}`);
  // The first invalid field gets the focus.
  await reader.arrives(`textbox ${t.signUp.accountName}`);
  await reader.type('Deneme Ltd');
  await fill(t.signIn.email, freshEmail());
  await fill(t.signUp.mobile, mobile);
  await fill(t.signIn.password, password);
  await reader.tabTo(`checkbox ${t.signUp.terms}`);
  await reader.press('Space', 'Enter');
  await reader.hears(t.signUp.sent(mobile));
  await reader.arrives(`textbox ${t.signUp.code}`);
  await reader.type(await codeOn(mobile));
  await reader.press('Enter');
  await reader.arrives(`heading ${t.start.title}`);
  await reader.hears(t.start.title);
  expect(await reader.faults()).toEqual([]);

  await reader.press('n');
  await reader.arrives(`heading ${t.send.title}`);
  await reader.hears(t.send.title);
  expect(await reader.faults()).toEqual([]);
  expect(await reader.tabTo(`textbox ${t.send.text}`)).toBeLessThanOrEqual(tabsToText);
  await reader.activate(`button ${t.send.submitBlank}`);
  await reader.hears(t.send.needRecipients);
  await reader.arrives(`textbox ${t.send.numbers}`);
  await reader.type(known);
  await fill(t.send.text, 'Klavyeyle');
  await reader.hears(`${t.send.people('1')}, ${t.common.credits('1')}`);
  await reader.activate(`button ${t.send.submit('1')}`);
  await reader.arrives(new RegExp(`^heading ${t.orders.order}`));
  await reader.hears(/\d/);
  await eventually(async () => (await program.carrier.phone(known)).length).toBe(1);
  expect(await reader.faults()).toEqual([]);

  await reader.press('g', 's');
  await reader.arrives(`heading ${t.orders.title}`);
  await person.row('Klavyeyle').waitFor();
  await reader.press('/');
  await reader.arrives(new RegExp(`^(textbox|searchbox) ${t.orders.search}`));
  await reader.type('yok boyle bir metin');
  await reader.hears(t.table.noneMatch);
  await reader.activate(`button ${t.table.clear}`);
  await reader.hears(t.bell.rows('1'));
  // The pressed button is gone, so the rows have the focus; `j` moves it to the first row.
  await reader.press('j');
  await reader.arrives(/^row/);
  await reader.press('Enter');
  await reader.arrives(new RegExp(`^heading ${t.orders.order}`));

  await reader.press('g', 'r');
  await reader.arrives(`heading ${t.reports.title}`);
  await reader.tabTo(`radio ${t.reports.cuts.day}`);
  await reader.press('ArrowRight', 'ArrowRight');
  await reader.arrives(`radio ${t.reports.cuts.sender}`);
  await reader.hears(t.bell.rows('1'));
  await reader.tabTo(`region ${t.reports.cuts.sender}`);
  expect(await person.row('APITEST').innerText()).toMatch(/1/);
  expect(await reader.faults()).toEqual([]);

  // Single keys work until they are switched off in the sheet.
  await reader.press('?');
  await reader.tabTo(`switch ${t.shortcuts.enabled}`);
  await reader.press('Space', 'Escape');
  await person.dialog.waitFor({ state: 'detached' });
  await reader.press('n', 'Control+K');
  await reader.arrives(/^(textbox|combobox|searchbox) /);
  expect(await person.heading().innerText()).toBe(t.reports.title);
  await reader.close();
});

test('staff approve an application by keyboard and screen reader, in English', async () => {
  const t = en;
  const applicant = await customer();
  const documents = [await uploadPicture(applicant, 'vergi-levhasi.png')];
  await applicant.call('subscription.apply', { ...subscription, documents });
  const staff = await staffMember({ locale: 'en-GB' });
  await staff.open(paths.staffStatus(), t.staffStatus.title);
  const reader = await Reader.at(staff);
  await reader.press('Control+K');
  await reader.arrives(/^(textbox|combobox|searchbox) /);
  await reader.type(t.nav.staffApplications);
  await eventually(() =>
    staff.page.getByRole('button', { name: new RegExp(`^${t.nav.staffApplications}`) }).count(),
  ).toBe(1);
  await reader.press('Enter');
  await reader.arrives(`heading ${t.applications.title}`);
  await reader.hears(t.applications.title);
  await staff.row('Deneme Ltd').first().waitFor();
  expect(await reader.faults()).toEqual([]);
  const rows = await staff.page.locator('tbody tr').count();
  for (let at = 0; at < rows; at++) await reader.press('j');
  await reader.arrives(/^row/);
  await reader.press('Enter');
  await reader.confirm(`button ${t.applications.approve}`, t.common.cancel);
  await reader.hears(t.applications.approved);
  await eventually(async () => (await applicant.call('subscription.read', {})).current?.state).toBe('approved');
  await reader.close();
});

test('blocking a number, cancelling an order and adding a consent work by keyboard alone', async () => {
  const person = await customer({ brand: 701_705 });
  const sendAt = new Date(Date.now() + 27 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  await person.sendOrder('Klavyeyle iptal', ['5550000812'], sendAt);
  await person.open(paths.orders(), tr.orders.title);
  const reader = await Reader.at(person);
  await person.row('Klavyeyle iptal').waitFor();
  await reader.press('j', 'Enter');
  await person.button(tr.order.cancel).waitFor();
  await reader.confirm(`button ${tr.order.cancel}`, tr.common.cancel);
  await person.reads(tr.orderStates.cancelled);

  await person.follow(paths.blacklist());
  await reader.arrives(`heading ${tr.blacklist.title}`);
  await reader.activate(`button ${tr.blacklist.add}`);
  await reader.arrives(`textbox ${tr.order.number}`);
  await reader.type('0555 000 08 02');
  await reader.activate(`button ${tr.blacklist.addAction}`);
  await person.reads(tr.blacklist.report('1', '0', '0'));
  await reader.press('Escape');
  await person.row('+90 555 000 08 02').waitFor();
  // The dialog returns the focus to the button that opened it.
  await reader.arrives(`button ${tr.blacklist.add}`);

  await person.follow(paths.consents());
  await reader.arrives(`heading ${tr.consents.title}`);
  await person.button(tr.consents.add).first().waitFor();
  await reader.activate(`button ${tr.consents.add}`);
  await reader.arrives(`textbox ${tr.consents.recipient}`);
  await reader.type('0555 000 08 13');
  await reader.activate(`button ${tr.consents.addAction}`);
  await person.row('+90 555 000 08 13').first().waitFor();
  await reader.close();
});

test('the skip link leads past the menu, and the text of a message is few stops away', async () => {
  const person = await customer();
  await person.open(paths.send(), tr.send.title);
  const reader = await Reader.at(person);
  await reader.press('Tab');
  expect(await reader.focus()).toBe(`button ${tr.nav.skip}`);
  await reader.press('Enter');
  expect(await reader.tabTo(`textbox ${tr.send.text}`)).toBeLessThanOrEqual(tabsToText);
  await reader.close();
});

test('the keys of a page press what they name, lead elsewhere after g, and are silent once switched off', async () => {
  const person = await customer();
  await person.call('blacklist.add', { numbers: ['5550000821', '5550000822'] });
  await person.sendOrder('Tuslar', ['5550000823']);
  const { keyboard } = person.page;
  const search = () => new URL(person.page.url()).search;
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.row('+90 555 000 08 21').waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
  await person.reads(tr.table.selected('2'));
  await keyboard.press('x');
  await person.reads(tr.table.selected('1'));
  await keyboard.press('e');
  await person.page.getByRole('menuitem', { name: tr.table.csv }).waitFor();
  await keyboard.press('Escape');

  await person.open(paths.reports(), tr.reports.title);
  await keyboard.press('3');
  await eventually(search).toBe('?dilim=baslik');
  await keyboard.press('1');
  await keyboard.press('w');
  await eventually(search).toMatch(/dilim=gun&bas=.*&bit=/);

  await person.open(paths.apiDocs(), tr.docs.title);
  await person.quiet();
  await keyboard.press(']');
  await keyboard.press(']');
  await eventually(search).toMatch(/islem=/);
  const second = search();
  await keyboard.press('[');
  await eventually(search).not.toBe(second);

  await person.open(paths.overview(), tr.overview.title);
  await person.page.locator('.trend-plot').waitFor();
  await keyboard.press('t');
  await person.page.locator('.figure-table').waitFor();
  await keyboard.press('d');
  await eventually(search).toBe('?donem=gun');
  await keyboard.press('g');
  await keyboard.press('w');
  await person.heading(tr.webhook.title).waitFor();
  await person.page.goBack();
  await person.heading(tr.overview.title).waitFor();
  expect(search()).toBe('?donem=gun');

  await person.page.evaluate(key => localStorage.setItem(key, 'off'), preferenceKeys.shortcuts);
  await person.open(paths.reports(), tr.reports.title);
  await person.quiet();
  await keyboard.press('3');
  await keyboard.press('e');
  expect(search()).toBe('');
  expect(await person.page.getByRole('menu').count()).toBe(0);
});

test('rows that open have one tab stop for each list: arrows move it, Enter and Space open, single keys switched off or not', async () => {
  const person = await customer();
  await person.call('smpp.add', { name: 'Depo', addresses: [] });
  await person.call('smpp.add', { name: 'Kasa', addresses: [] });
  const { orderId } = await person.call('send.submit', {
    ...{
      sender: 'APITEST',
      text: 'Satirlar',
      recipients: ['5550000831', '5550000832'],
      sendAt: null,
      commercial: false,
    },
    idempotencyKey: 'satirlar-acilir',
  });
  await person.call('subscription.apply', { ...subscription, documents: [await uploadPicture(person, 'levha.png')] });
  const staff = await staffMember();
  const lists: [Visitor, string, string][] = [
    [person, paths.smpp(), 'smpp.list'],
    [person, paths.order(String(orderId)), 'orders.recipients'],
    [staff, paths.staffApplications(), 'staff.applications'],
  ];
  for (const [visitor, path, list] of lists) {
    const { page } = visitor;
    await visitor.open(path);
    await page.evaluate(key => localStorage.setItem(key, 'off'), preferenceKeys.shortcuts);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const rows = page.locator(`[data-list="${list}"] ${width === 390 ? 'li' : 'tr'}.opens`);
      await rows.first().waitFor();
      expect(await page.locator(`[data-list="${list}"] .opens[tabindex="0"]`).count(), `${list} ${width}`).toBe(1);
      const isFocused = (at: number) => rows.nth(at).evaluate(row => row === document.activeElement);
      await rows.first().focus();
      const last = Math.min(1, (await rows.count()) - 1);
      await page.keyboard.press('ArrowDown');
      await eventually(() => isFocused(last)).toBe(true);
      for (const key of ['Enter', ' ']) {
        await page.keyboard.press(key);
        await visitor.dialog.waitFor();
        await page.keyboard.press('Escape');
        await visitor.dialog.waitFor({ state: 'detached' });
        // A drawer that closes gives the focus back to the row.
        await eventually(() => isFocused(last)).toBe(true);
      }
    }
  }
});

test('staff pause the carrier in focus with p, and open all carriers with a', async () => {
  const staff = await staffMember();
  await staff.open(paths.staffStatus(), tr.staffStatus.title);
  await staff.row('simulator').getByRole('link').first().focus();
  await staff.page.keyboard.press('p');
  await staff.reads(tr.carriers.pauseTitle('simulator'), staff.dialog);
  await staff.press(tr.common.cancel, staff.dialog);
  await staff.dialog.waitFor({ state: 'detached' });
  await staff.page.keyboard.press('a');
  await staff.heading(tr.carriers.title).waitFor();
});

const subscription = {
  applicantKind: 'company' as const,
  title: 'Deneme Ltd',
  taxOffice: 'Deneme',
  taxNumber: '1234567890',
  address: 'Deneme Mahallesi',
  contactName: 'Yetkili Kişi',
  contactMobile: '5550000000',
};
