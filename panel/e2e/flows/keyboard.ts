// The console without a mouse: signing in, sending, blocking a number, walking a list.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { byStaff, codeOn, customer, freshEmail, newVisitor, password, program } from '../people.ts';
import { focused, tabTo } from '../tab.ts';
import { eventually } from '../visitor.ts';

test('signing in, sending and blocking a number work by keyboard alone', async () => {
  const known = await customer();
  const person = await newVisitor();
  const { keyboard } = person.page;
  await person.open(paths.signIn(), tr.signIn.title);
  await tabTo(person, tr.signIn.email);
  await keyboard.type(known.email);
  await tabTo(person, tr.signIn.password);
  await keyboard.type(password);
  await keyboard.press('Enter');
  await person.heading(tr.overview.title).waitFor();

  await keyboard.press('n');
  await person.heading(tr.send.title).waitFor();
  expect(await focused(person)).toBe(tr.send.title);
  await tabTo(person, tr.send.numbers);
  await keyboard.type('0555 000 08 01');
  await tabTo(person, tr.send.text);
  await keyboard.type('Klavyeyle');
  const send = tr.send.submit('1');
  await person.button(send).waitFor();
  await tabTo(person, send);
  await keyboard.press('Enter');
  await person.page.waitForURL(/siparisler\/\d+$/);
  await eventually(async () => (await program.carrier.phone('5550000801')).length).toBe(1);

  await keyboard.press('g');
  await keyboard.press('s');
  await person.heading(tr.orders.title).waitFor();
  await person.row('Klavyeyle').waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await person.page.waitForURL(/siparisler\/\d+$/);

  await keyboard.press('Control+K');
  await person.page.getByPlaceholder(tr.shell.searchPlaceholder).waitFor();
  await keyboard.type('kara liste');
  await eventually(() => person.page.getByRole('button', { name: new RegExp(`^${tr.nav.blacklist}\\b`) }).count()).toBe(
    1,
  );
  await keyboard.press('Enter');
  await person.heading(tr.blacklist.title).waitFor();
  await tabTo(person, tr.blacklist.add);
  await keyboard.press('Enter');
  await eventually(() => focused(person)).toBe(tr.order.number);
  await keyboard.type('0555 000 08 02');
  await tabTo(person, tr.blacklist.addAction);
  await keyboard.press('Enter');
  await person.reads(tr.blacklist.report('1', '0', '0'));
  await keyboard.press('Escape');
  await person.row('+90 555 000 08 02').waitFor();
});

test('signing up, cancelling an order and adding a consent work by keyboard alone', async () => {
  const person = await newVisitor();
  const { keyboard } = person.page;
  const fill = async (label: string, text: string) => {
    await tabTo(person, label);
    await keyboard.type(text);
  };
  await person.open(paths.signUp(), tr.signUp.title);
  await fill(tr.signUp.accountName, 'Deneme Ltd');
  await fill(tr.signIn.email, freshEmail());
  await fill(tr.signUp.mobile, '0555 000 08 11');
  await fill(tr.signIn.password, password);
  await tabTo(person, tr.signUp.terms);
  await keyboard.press('Space');
  await tabTo(person, tr.signUp.sendCode);
  await keyboard.press('Enter');
  await person.field(tr.signUp.code).waitFor();
  await eventually(() => focused(person)).toBe(tr.signUp.code);
  await keyboard.type(await codeOn('5550000811'));
  await keyboard.press('Enter');
  await person.heading(tr.start.title).waitFor();

  const sendAt = new Date(Date.now() + 27 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  const draft = { sender: 'APITEST', text: 'Klavyeyle iptal', sendAt, commercial: false };
  await person.call('send.submit', { ...draft, recipients: ['5550000812'], idempotencyKey: 'klavyeyle-iptal' });
  await keyboard.press('g');
  await keyboard.press('s');
  await person.row('Klavyeyle iptal').waitFor();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await person.page.waitForURL(/siparisler\/\d+$/);
  await person.button(tr.order.cancel).waitFor();
  await tabTo(person, tr.order.cancel);
  await keyboard.press('Enter');
  await eventually(() => focused(person)).toBe(tr.common.cancel);
  await tabTo(person, tr.order.cancel);
  await keyboard.press('Enter');
  await person.reads(tr.orderStates.cancelled);

  const { account } = await person.call('session.me', {});
  await byStaff('staff.addBrand', { id: account!.id, code: 701_705, quota: 5_000 });
  await person.open(paths.consents(), tr.consents.title);
  await person.button(tr.consents.add).first().waitFor();
  await tabTo(person, tr.consents.add);
  await keyboard.press('Enter');
  await eventually(() => focused(person)).toBe(tr.consents.recipient);
  await keyboard.type('0555 000 08 13');
  await tabTo(person, tr.consents.addAction);
  await keyboard.press('Enter');
  await person.row('+90 555 000 08 13').first().waitFor();
});

test('single-key shortcuts can be switched off and then do nothing', async () => {
  const person = await customer();
  await person.open(paths.orders(), tr.orders.title);
  await person.page.keyboard.press('?');
  await person.dialog.getByLabel(tr.shortcuts.enabled).click();
  await person.press(tr.common.close, person.dialog);
  await person.dialog.waitFor({ state: 'detached' });
  await person.page.keyboard.press('n');
  await person.page.keyboard.press('Control+K');
  await person.page.getByPlaceholder(tr.shell.searchPlaceholder).waitFor();
  expect(await person.heading().innerText()).toBe(tr.orders.title);
});
