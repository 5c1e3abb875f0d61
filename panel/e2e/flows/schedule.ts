// Scheduling a message and cancelling it.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program } from '../people.ts';
import { eventually, ownWindow, type Visitor } from '../visitor.ts';

const dayMs = 86_400_000;

test('a planned order counts down, and cancelling it gives every credit back and sends nothing', async () => {
  const person = await customer();
  await compose(person, '0555 000 01 01', 'Yarin gorusuruz');
  await person.page.getByLabel(tr.send.later).check();
  await person.reads(tr.send.needTime);
  await choose(person, new Date(Date.now() + dayMs), '14', '30');
  await person.reads(/^Gönderime .* var\.$/);
  await person.press(/1 kişiye gönder$/);
  await person.page.waitForURL(/siparisler\/\d+$/);
  const id = person.page.url().split('/').at(-1)!;
  await person.reads(tr.orderStates.scheduled);
  await person.reads(/^Gönderime .* var$/);
  await eventually(() => person.balance()).toBe('99');
  // An order that was not sent shows when it starts, not when it was sent.
  await person.press(tr.order.details);
  await person.reads(tr.send.starts);
  expect(await person.page.getByText(tr.order.sendAt, { exact: true }).count()).toBe(0);

  await person.press(tr.order.cancel);
  await person.reads(tr.order.cancelTitle(id), person.dialog);
  await person.reads(tr.order.cancelBody('1'), person.dialog);
  await eventually(() => person.page.evaluate(() => document.activeElement?.textContent)).toBe(tr.common.cancel);
  await person.press(tr.common.cancel, person.dialog);
  await person.dialog.waitFor({ state: 'detached' });
  expect((await person.call('orders.read', { id: Number(id) })).state).toBe('scheduled');

  await person.press(tr.order.cancel);
  await person.confirm(tr.order.cancel);
  await person.reads(tr.orderStates.cancelled);
  await person.reads(tr.order.cancelledBy(person.email));
  await eventually(() => person.balance()).toBe('100');
  expect(await program.carrier.phone('5550000101')).toEqual([]);
});

test('what is planned stands in a calendar, and can be given another time there', async () => {
  const person = await customer();
  const { orderId } = await person.sendOrder('Ilk', ['5550000103'], '2099-03-02 10:00');
  await person.sendOrder('Ikinci', ['5550000103'], '2099-03-05 10:00');
  await person.open(paths.scheduled(), tr.scheduled.title);
  await person.reads(tr.scheduled.lead('2'));
  await person.press(`2: ${tr.scheduled.ofDay('1', '1')}`);
  await person.reads(/Ilk$/);
  expect(await person.page.getByText(/Ikinci$/).count()).toBe(0);
  await person.press(tr.scheduled.change);
  await person.reads(tr.scheduled.changeTitle(String(orderId)), person.dialog);
  await person.call('orders.reschedule', { id: orderId, sendAt: '2099-03-06 11:30' });
  await person.press(tr.common.cancel, person.dialog);
  await person.open(paths.scheduled(), tr.scheduled.title);
  await person.button(`6: ${tr.scheduled.ofDay('1', '1')}`).waitFor();
  expect((await person.call('orders.read', { id: orderId })).sendAt).toBe('2099-03-06T08:30:00.000Z');
});

test('a cancellation that comes too late says so', async () => {
  const person = await customer();
  const { orderId } = await person.sendOrder('Yarin', ['5550000102'], inOneDay());
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.press(tr.order.cancel);
  await person.call('orders.cancel', { id: orderId });
  await person.confirm(tr.order.cancel);
  await person.reads(/iptal edilemez\.$/);
});

test('when its time has come an order can no longer be cancelled, and the button says why', async () => {
  const person = await customer({}, ownWindow);
  const { orderId } = await person.sendOrder('Yarin', ['5550000104'], inOneDay());
  await person.page.clock.install();
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.reads(/^Gönderime .* var$/);
  await person.page.clock.fastForward(dayMs + 60_000);
  await person.reads(tr.order.tooLate);
  expect(await person.button(tr.order.cancel).getAttribute('aria-disabled')).toBe('true');
});

test('a time that has passed is said to mean now', async () => {
  const person = await customer();
  await compose(person, '0555 000 01 03', 'Hemen');
  await person.page.getByLabel(tr.send.later).check();
  await choose(person, new Date(), '00', '00');
  await person.reads(tr.send.past);
  await person.press(/1 kişiye gönder$/);
  await person.page.waitForURL(/siparisler\/\d+$/);
  await person.reads(/^Tamamlandı/);
  expect(await program.carrier.phone('5550000103')).toHaveLength(1);
});

test('the last minute of today and a day next year wait for their time', async () => {
  const person = await customer({}, ownWindow);
  // Not in the last minute of a Turkish day: at noon there are hours left.
  const noon = new Date(`${turkeyDay(Date.now())}T12:00:00+03:00`);
  await person.page.clock.setFixedTime(noon);
  await compose(person, '0555 000 01 05', 'Bugun');
  await person.page.getByLabel(tr.send.later).check();
  await choose(person, noon, '23', '59');
  await person.reads(tr.send.future('11 sa 59 dk'));
  const nextYear = new Date(Date.UTC(noon.getUTCFullYear() + 1, noon.getUTCMonth(), 15));
  await choose(person, nextYear, '09', '00', 12);
  await person.press(/1 kişiye gönder$/);
  await person.page.waitForURL(/siparisler\/\d+$/);
  const id = Number(person.page.url().split('/').at(-1)!);
  const { state, sendAt } = await person.call('orders.read', { id });
  expect([state, sendAt]).toEqual(['scheduled', `${turkeyDay(nextYear.getTime())}T06:00:00.000Z`]);
});

const turkeyDay = (ms: number): string => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 10);

async function compose(person: Visitor, to: string, text: string): Promise<void> {
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill(to);
  await person.field(tr.send.text).fill(text);
}

/** Chooses a day and a time, in Turkish time. */
async function choose(person: Visitor, day: Date, hours: string, minutes: string, months = 0): Promise<void> {
  // All of the page: a click before the calendar has its place would scroll the field, and with it the calendar, out of sight.
  await person.page.setViewportSize({ width: 1280, height: 1_800 });
  await person.press(tr.dates.open);
  for (let i = 0; i < months; i++) await person.press(tr.dates.nextMonth, person.dialog);
  const format = { timeZone: 'Europe/Istanbul', day: 'numeric', month: 'long', year: 'numeric' } as const;
  await person.press(new Intl.DateTimeFormat('tr-TR', format).format(day), person.dialog);
  await person.dialog.getByLabel(tr.dates.hours).fill(hours);
  await person.dialog.getByLabel(tr.dates.minutes).fill(minutes);
  await person.press(tr.dates.done, person.dialog);
}

function inOneDay(): string {
  return new Date(Date.now() + dayMs + 3 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}
