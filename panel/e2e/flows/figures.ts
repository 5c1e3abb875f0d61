// Figures that people read in several places: running orders in the title of the tab, the delivery rate, reports.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fatedNumber } from '../../../test/support/customers/journey-numbers.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { type Customer, customer } from '../people.ts';
import { eventually } from '../visitor.ts';

test('the tab says how many orders run, and is quiet when none does', async () => {
  const person = await customer();
  await person.open(paths.orders(), tr.orders.title);
  await eventually(() => person.page.title()).toBe(`${tr.orders.title} · Peyk`);
  // These messages never get a receipt.
  await send(person, 'Birinci', [fatedNumber(9004, 901)]);
  await send(person, 'Ikinci', [fatedNumber(9004, 902)]);
  await eventually(async () => (await person.call('live', {})).running.length).toBe(2);
  await person.page.reload();
  await eventually(() => person.page.title()).toBe(`(2) ${tr.orders.title} · Peyk`);
  await person.link(tr.nav.inbox).click();
  await eventually(() => person.page.title()).toBe(`(2) ${tr.inbox.title} · Peyk`);
});

test('the delivery rate is one figure on the order, the list, the overview and the export, and is explained', async () => {
  const person = await customer();
  // Two of three final results; the blacklisted and the wrong number do not count.
  await person.call('blacklist.add', { numbers: ['5550000923'] });
  const { orderId } = await send(person, 'Oran', ['5550000921', '5550000922', '5550000923', '123', '5550009002']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).state).toBe('finished');
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.reads('%66,7');
  await person.press(tr.orders.rateHelpLabel);
  await person.reads(tr.orders.rateHelp);
  await person.open(paths.orders(), tr.orders.title);
  await person.row('Oran').getByText('%66,7').waitFor();
  await person.press(tr.table.export);
  const [download] = await Promise.all([
    person.page.waitForEvent('download'),
    person.page.getByRole('menuitem', { name: tr.table.csv }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain(';66,7;');
  await person.open(paths.overview(), tr.overview.title);
  await person.reads('%66,7');
});

test('a report adds up to the orders, a filtered message ticks no step behind its end, and a receipt is awaited', async () => {
  const person = await customer();
  await person.call('blacklist.add', { numbers: ['5550000933'] });
  const { orderId } = await send(person, 'Rapor', ['5550000931', '5550000932', '5550000933', '5550009002']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).state).toBe('finished');
  const order = await person.call('orders.read', { id: orderId });
  const [filtered] = (await person.call('orders.recipients', { id: orderId, state: 'filtered' })).rows;
  await person.open(`${paths.order(String(orderId))}?ac=${filtered?.messageId}`, tr.order.name(String(orderId)));
  await person.reads(tr.message.never);
  expect(await person.page.locator('[data-stage][data-done="true"]').count()).toBe(1);
  await person.open(`${paths.reports()}?dilim=baslik`, tr.reports.title);
  const { total, delivered, undelivered, filtered: held, credits } = order;
  // The bar of the row has no text. The rows load after the heading, and the figures once they are counted.
  await eventually(async () =>
    (await person.row('APITEST').getByRole('cell').allTextContents()).filter(Boolean),
  ).toEqual(['APITEST', '1', ...[total, delivered, undelivered, held, 0].map(String), '%66,7', String(credits)]);
  // This message never gets a receipt, so no remaining time is shown.
  await send(person, 'Bekleyen', [fatedNumber(9004, 931)]);
  await person.open(paths.overview(), tr.overview.title);
  await person.reads(new RegExp(tr.order.awaiting('1')));
});

async function send(person: Customer, text: string, recipients: string[]): Promise<{ orderId: number }> {
  const draft = { sender: 'APITEST', text, recipients, sendAt: null, commercial: false };
  return person.call('send.submit', { ...draft, idempotencyKey: `${recipients[0]}-${text}` });
}
