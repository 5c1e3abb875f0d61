// Figures that people read in several places: running orders in the title of the tab, the delivery rate, reports.
import { expect, test } from 'vitest';
import { fatedNumber } from '../../../test/support/customers/journey-numbers.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { layoutFaults } from '../layout.ts';
import { comeBack, makeClockMovable, refusal } from '../load-states.ts';
import { customer, staffMember } from '../people.ts';
import { eventually, ownWindow, type Visitor } from '../visitor.ts';

test('the tab says how many orders run, and is quiet when none does', async () => {
  const person = await customer();
  await person.open(paths.orders(), tr.orders.title);
  await eventually(() => person.page.title()).toBe(`${tr.orders.title} · Peyk`);
  // These messages never get a receipt.
  await person.sendOrder('Birinci', [fatedNumber(9004, 901)]);
  await person.sendOrder('Ikinci', [fatedNumber(9004, 902)]);
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
  const { orderId } = await person.sendOrder('Oran', ['5550000921', '5550000922', '5550000923', '123', '5550009002']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).state).toBe('finished');
  await person.open(paths.order(String(orderId)), tr.order.name(String(orderId)));
  await person.reads('%66,7');
  await person.press(tr.orders.rateHelpLabel);
  await person.reads(tr.orders.rateHelp);
  await person.open(paths.orders(), tr.orders.title);
  await person.row('Oran').getByText('%66,7').waitFor();
  expect(await person.exported(tr.table.csv)).toContain(';66,7;');
  await person.open(paths.overview(), tr.overview.title);
  await person.reads('%66,7');
});

test('a report adds up to the orders, a filtered message ticks no step behind its end, and a receipt is awaited', async () => {
  const person = await customer();
  await person.call('blacklist.add', { numbers: ['5550000933'] });
  const { orderId } = await person.sendOrder('Rapor', ['5550000931', '5550000932', '5550000933', '5550009002']);
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
  await person.sendOrder('Bekleyen', [fatedNumber(9004, 931)]);
  await person.open(paths.overview(), tr.overview.title);
  await person.reads(new RegExp(tr.order.awaiting('1')));
});

test('figures outside lists say that they load, that they cannot be read, and of when the shown ones are', async () => {
  const person = await customer({}, ownWindow);
  await person.sendOrder('Durumlar', ['5550000941']);
  const staff = await staffMember(ownWindow);
  const shown = (who: Visitor, figure: string) => who.page.locator('main').getByText(figure, { exact: true });
  const pages = [
    [person, paths.overview(), 'overview.read', tr.overview.messages],
    [staff, paths.staffStatus(), 'staff.status', tr.staffStatus.carriers],
  ] as const;
  for (const [who, path, operation, figure] of pages) {
    let mode: 'held' | 'failed' | 'real' = 'held';
    let letGo = () => {};
    const released = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await who.page.addInitScript(makeClockMovable);
    await who.page.route(`**/panel/api/${operation}`, async route => {
      if (mode === 'held') await released;
      return mode === 'failed' ? route.fulfill({ json: refusal }) : route.fallback();
    });
    const loading = who.page.locator('main .mantine-Skeleton-root');
    const failed = who.page.locator('main').getByText(tr.load.failed);
    await who.open(path);
    await loading.first().waitFor();
    mode = 'failed';
    letGo();
    await failed.waitFor();
    expect(await loading.count()).toBe(0);
    expect(await shown(who, figure).count()).toBe(0);
    mode = 'real';
    await who.press(tr.load.retry);
    await shown(who, figure).first().waitFor();
    await failed.waitFor({ state: 'detached' });
    mode = 'failed';
    await comeBack(who);
    await who.reads(new RegExp(tr.load.shownSince('\\d\\d:\\d\\d').replace(/\.$/, '')));
    expect(await shown(who, figure).count()).toBeGreaterThan(0);
    mode = 'real';
    await who.press(tr.load.retry);
    await failed.waitFor({ state: 'detached' });
  }
});

test('figures of millions fit every width on overview, reports and status', async () => {
  const person = await customer({}, ownWindow);
  const { orderId } = await person.sendOrder('Milyonlar', ['5550000951', '5550009002']);
  await eventually(async () => (await person.call('orders.read', { id: orderId })).state).toBe('finished');
  const staff = await staffMember(ownWindow);
  const enlarged = (_: string, value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) ? value * 1_318_240 : value;
  const pages = [
    [person, paths.overview(), 'overview.read'],
    [person, `${paths.reports()}?dilim=baslik`, 'reports.read'],
    [staff, paths.staffStatus(), 'staff.status'],
  ] as const;
  for (const [who, path, operation] of pages) {
    await who.page.route(`**/panel/api/${operation}`, async route => {
      const response = await route.fetch();
      return route.fulfill({ response, json: JSON.parse(await response.text(), enlarged) });
    });
    await who.open(path);
    await who.reads(/\d\.\d{3}\.\d{3}/, who.page.locator('main'));
    for (const width of [320, 390, 768, 1280])
      expect([path, await layoutFaults(who.page, { width, height: 900 })]).toEqual([path, []]);
  }
});
