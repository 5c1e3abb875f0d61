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
  // Without a name the address stands there; it is cut, and the role behind it is whole.
  const role = menuButton(person).getByText(`· ${tr.roles.owner.toLocaleLowerCase('tr')}`);
  const isWhole = (part: Element) => {
    const words = document.createRange();
    words.selectNodeContents(part);
    return words.getBoundingClientRect().right <= part.closest('.side-who')!.getBoundingClientRect().right + 1;
  };
  await eventually(() => role.last().evaluate(isWhole)).toBe(true);
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

test('on a phone what can be done with an order stands beside its title', async () => {
  const person = await customer({}, { viewport: { width: 390, height: 844 }, hasTouch: true });
  const { orderId } = await person.call('send.submit', {
    ...{ sender: 'APITEST', text: 'Basligin yaninda', recipients: ['5550000051'], sendAt: null, commercial: false },
    idempotencyKey: 'basligin-yaninda',
  });
  await person.open(paths.order(String(orderId)));
  const reuse = person.button(tr.order.reuse);
  await reuse.waitFor();
  const place = (one: Element) => one.getBoundingClientRect().toJSON() as DOMRect;
  const [title, button] = [await person.page.locator('.page-title').evaluate(place), await reuse.evaluate(place)];
  expect(button.left).toBeGreaterThanOrEqual(title.right);
  expect(button.top).toBeLessThan(title.bottom);
  expect(button.width).toBeLessThanOrEqual(90);
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
