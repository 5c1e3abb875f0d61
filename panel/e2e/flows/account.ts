// The account, its balance and the confirmed test message, all visible while sending.
import { expect, test } from 'vitest';
import { number } from '../../src/format.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { byStaff, customer, password, program } from '../people.ts';
import { eventually, type Visitor } from '../visitor.ts';

test('the account stands in menu, sum and confirmation, and who has several switches between them', async () => {
  const person = await customer();
  const { invite } = await byStaff('staff.openAccount', { name: 'İkinci Ltd', ownerEmail: person.email });
  await person.call('session.acceptInvite', { token: invite!.token, password });
  await person.call('session.switchAccount', { accountId: person.accountId });

  await person.open(paths.send(), tr.send.title);
  await person.reads('Deneme Ltd', menuButton(person));
  const sum = person.page.getByRole('region', { name: tr.send.price });
  await person.reads('Deneme Ltd', sum);
  // More than half of the balance needs a confirmation, which names the account.
  const people = 60;
  const list = Array.from({ length: people }, (_, i) => String(5_550_100_000 + i)).join('\n');
  await person.field(tr.send.numbers).fill(list);
  await person.field(tr.send.text).fill('Kimin hesabindan');
  await person.press(tr.send.submit(number(people)));
  await person.reads(tr.send.confirmBody(number(people), number(people), 'Deneme Ltd'), person.dialog);
  await person.press(tr.common.cancel, person.dialog);

  await person.open(paths.overview());
  await menuButton(person).click();
  await person.page.getByRole('menuitem', { name: 'İkinci Ltd' }).click();
  await eventually(() => person.text(menuButton(person))).toContain('İkinci Ltd');
});

test('a message to oneself is confirmed for as long as the page is open, and the balance of the sum follows it', async () => {
  const person = await customer({ mobile: '555 000 00 31' });
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill('0555 000 01 31');
  await person.field(tr.send.text).fill('Once bana');
  const sum = person.page.getByRole('region', { name: tr.send.price });
  await person.reads('100 → 99', sum);
  await person.press(tr.send.testSend);
  await person.reads(tr.send.testSent('+90 555 000 00 31'), sum);
  await person.reads('99 → 98', sum);
  // Another text is another message, not a repetition of the first.
  await person.field(tr.send.text).fill('Once bana, yine');
  await person.reads('99 → 98', sum);
  await person.press(tr.send.testSend);
  await person.reads('98 → 97', sum);
  await person.reads(tr.send.testSent('+90 555 000 00 31'), sum);
  await eventually(async () => (await program.carrier.phone('5550000031')).length).toBe(2);
  expect((await person.call('orders.list', {})).rows).toHaveLength(2);
});

const menuButton = (person: Visitor) => person.page.getByRole('button', { name: tr.shell.userMenu });
