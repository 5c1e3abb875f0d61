// From a file of 5,000 rows of Turkish Excel to a finished order: the order does what the form promised.
import { expect, test } from 'vitest';
import { plainNumbers } from '../../../test/support/customers/journey-numbers.ts';
import { number } from '../../src/format.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program } from '../people.ts';
import { campaignFile, nameOf } from '../recipient-file.ts';
import { counters, openFileTab } from '../send-page.ts';
import { eventually, type Visitor } from '../visitor.ts';

const file = campaignFile();
const { counts } = file;
const excelFile = { name: 'müşteriler.csv', mimeType: 'text/csv', buffer: file.bytes };

test('on a phone the price and the button stay in sight while the page is written, and so does the bar of chosen rows', async () => {
  const person = await customer({}, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill('0555 000 03 91');
  await person.field(tr.send.text).fill('Telefondan');
  const button = person.button(tr.send.submit('1'));
  await button.waitFor();
  await person.reads(tr.send.creditsLeft('99'));
  for (const end of [0, 100_000]) {
    await person.page.evaluate(to => window.scrollTo(0, to), end);
    const { y, height } = (await button.boundingBox())!;
    // Above the bar of the frame, which is 60 px high.
    expect(y + height).toBeLessThanOrEqual(844 - 60);
    expect(y).toBeGreaterThan(600);
  }
  await person.call('blacklist.add', { numbers: plainNumbers(40, 39) });
  await person.open(paths.blacklist(), tr.blacklist.title);
  await person.page.getByRole('checkbox').first().check();
  const bar = person.page.getByRole('status').filter({ hasText: tr.table.selected('1') });
  const { y, height } = (await bar.boundingBox())!;
  expect(Math.round(y + height)).toBe(844 - 60);
});

test('a campaign of 5,000 personal texts from an Excel file is counted, priced, sent once and finished as promised', async () => {
  const person = await customer({ credits: 50_000, rate: 1_000 });
  await person.call('blacklist.add', { numbers: file.blacklisted });
  await openFileTab(person);
  await person.page.locator('input[type="file"]').setInputFiles(excelFile);
  await person.reads(`müşteriler.csv: ${number(counts.rows)} satır · windows-1254, ayırıcı “;”`);
  await person.reads(tr.send.damageTitle(number(5)));
  await person.reads(tr.send.damageExponent(file.damaged.exponent.join(', ')));
  await person.reads(tr.send.damageDecimal(file.damaged.decimal.join(', ')));
  await eventually(() => counters(person)).toEqual(promised());

  await person.page.locator('[data-kind="duplicate"]').click();
  await eventually(() => person.dialog.getByRole('row').count()).toBe(counts.duplicate + 1);
  await person.press(tr.common.close, person.dialog);

  await person.field(tr.send.text).fill('Sayın , size özel indirim sizi bekliyor.');
  await person.field(tr.send.text).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(6, 6));
  await person.press(tr.send.insertField('ad'));
  expect(await person.field(tr.send.text).inputValue()).toBe('Sayın {ad}, size özel indirim sizi bekliyor.');
  const bubble = person.page.getByTestId('bubble');
  await eventually(() => person.text(bubble)).toBe('Sayin Sukru, size ozel indirim sizi bekliyor. B186');
  await person.press(tr.send.following);
  await eventually(() => person.text(bubble)).toBe('Sayin Ipek, size ozel indirim sizi bekliyor. B186');
  await person.field(tr.send.emptyField('ad', number(counts.empty))).fill('müşterimiz');

  await eventually(() => counters(person)).toEqual(promised());
  const send = tr.send.submit(number(counts.sendable));
  await eventually(() => person.button(send).getAttribute('aria-disabled')).toBe(null);
  await person.button(send).dblclick();
  await person.page.waitForURL(/siparisler\/\d+$/);

  const seen = await watch(person);
  expect(seen.titles.some(title => /^(\(1\) )?%\d+ · Sipariş \d+/.test(title))).toBe(true);
  const filtered = counts.invalid + counts.blacklisted;
  expect(seen.last).toEqual([counts.sendable, 0, filtered, 0, 0]);
  await eventually(() => person.balance()).toBe(number(50_100 - counts.sendable));
  const { rows } = await person.call('orders.list', {});
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ state: 'finished', delivered: counts.sendable, credits: counts.sendable });

  const phones = await Promise.all([0, 1, 100].map(at => program.carrier.phone(file.numbers[at]!)));
  expect(phones.map(shown => shown.map(one => one.text))).toEqual([
    [`Sayin Sukru, size ozel indirim sizi bekliyor. B186`],
    [`Sayin Ipek, size ozel indirim sizi bekliyor. B186`],
    [`Sayin musterimiz, size ozel indirim sizi bekliyor. B186`],
  ]);
  expect(nameOf(0)).toBe('Şükrü');
  expect((await program.carrier.stats()).duplicates).toBe(0);
});

function promised(): Record<string, string> {
  return {
    [tr.send.sendable]: number(counts.sendable),
    [tr.send.invalid]: number(counts.invalid),
    [tr.send.duplicate]: number(counts.duplicate),
    [tr.send.blacklisted]: number(counts.blacklisted),
  };
}

/** Reads the route of the open order until it is finished: the number of delivered messages never falls. */
async function watch(person: Visitor): Promise<{ titles: string[]; last: number[] }> {
  const id = Number(person.page.url().split('/').at(-1));
  const titles = new Set<string>();
  let before = 0;
  await eventually(async () => {
    titles.add(await person.page.title());
    const shown = await person.page.locator('.route-labels b.good').innerText();
    const reached = Number(shown.replaceAll('.', ''));
    expect(reached).toBeGreaterThanOrEqual(before);
    before = reached;
    return reached;
  }).toBe(counts.sendable);
  const order = await person.call('orders.read', { id });
  return {
    titles: [...titles],
    last: [order.delivered, order.undelivered, order.filtered, order.withCarrier, order.queued],
  };
}
